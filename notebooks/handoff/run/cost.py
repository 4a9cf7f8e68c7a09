"""What a plan will cost, before anything has run. Rough: the order is what counts, and the runner corrects it as it goes."""

from handoff.run.points import Point

FORK_S = 1.4
"""Beyond the shots: two JVMs to start, the heap to touch, JMH."""

NS_PER_SORT, NS_PER_ARRAY = 20, 25
NS_HANDED_OVER = {"SEQUENTIAL": 0, "ARRAY_BLOCKING_QUEUE": 250, "LINKED_BLOCKING_QUEUE": 300}
NS_HANDED_OVER_ELSE = 40
"""Measured on two virtual Zen 4 CPUs under JDK 17; an older machine takes a small multiple."""


def nanos_per_event(point: Point) -> float:
    """Work shared by the cores there are, plus the hand-over, which is serial."""
    params = point.params
    work = NS_PER_ARRAY + NS_PER_SORT * int(params.get("sorts", 1))
    cores = len({slot.core if slot.core is not None else slot.cpu for slot in point.threads}) or 1
    workers = max(1, min(cores, len(point.threads) - 1))
    return work / workers + NS_HANDED_OVER.get(params["mechanism"], NS_HANDED_OVER_ELSE)


def seconds_of_shots(point: Point) -> float:
    return point.shots * int(point.params.get("events", 0)) * nanos_per_event(point) / 1e9


def fork_seconds(point: Point) -> float:
    return FORK_S + seconds_of_shots(point)


def total_seconds(points: list[Point]) -> float:
    return sum(fork_seconds(point) * point.forks for point in points)


def tasks_seconds(tasks: list[tuple[Point, int]]) -> float:
    """Of (point, fork) pairs, such as the forks that a run is missing."""
    return sum(fork_seconds(point) for point, _ in tasks)


def limit_seconds(point: Point) -> float:
    """The wall limit of a fork: far beyond what a slow machine takes, near enough that a hang does not cost a night."""
    return 120 + 20 * seconds_of_shots(point)


def in_words(seconds: float) -> str:
    """'45 s', '8 min', '3 h 20 min'."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
