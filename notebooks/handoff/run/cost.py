"""What a plan will cost, before anything has run. Rough: the order is what counts, and the runner corrects it as it goes."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from statistics import median

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


def guess(point: Point) -> float:
    """Seconds of one fork."""
    return FORK_S + seconds_of_shots(point)


class Costs:
    """What forks take on one machine: learnt from the forks in `runs` that were measured there, guessed where there are none."""

    def __init__(self, runs: Path | None = None, machine: str = "") -> None:
        taken: dict[str, list[float]] = {}
        folders = latest(runs, machine)
        for folder in folders:
            for file in (folder / "forks").glob("*.json"):
                taken.setdefault(file.name.rsplit("-", 1)[0], []).append(seconds_in(file))
        self.known = {name: median(times) for name, times in taken.items()}
        plans = [Point.model_validate(point) for folder in folders for point in json.loads((folder / "plan.json").read_text())]
        paces = [self.known[point.name] / guess(point) for point in plans if point.name in self.known]
        self.pace = median(paces) if paces else 1.0

    def fork_seconds(self, point: Point) -> float:
        return self.known.get(point.name) or guess(point) * self.pace

    def total_seconds(self, points: Iterable[Point]) -> float:
        """Of all forks of these points."""
        return sum(self.fork_seconds(point) * point.forks for point in points)

    def measured_share(self, points: Iterable[Point]) -> float:
        """Of the planned time, the share inside measured shots; the rest is warm-up, JVMs starting and heaps being touched."""
        points = list(points)
        inside = sum(seconds_of_shots(point) * (1 - point.warmup / point.shots) * point.forks for point in points)
        return inside / (sum(guess(point) * point.forks for point in points) or 1)

    def limit_seconds(self, point: Point) -> float:
        """The wall limit of a fork: far beyond what a slow machine takes, near enough that a hang does not cost a night."""
        return 120 + 20 * max(seconds_of_shots(point), self.fork_seconds(point))


def latest(runs: Path | None, machine: str) -> list[Path]:
    """The three runs of this machine that were started last."""
    own = [file.parent for file in (runs.glob("*/run.json") if runs else []) if f'"machine":"{machine}"' in file.read_text()]
    return sorted(own, key=lambda folder: (folder / "run.json").stat().st_mtime)[-3:]


def seconds_in(file: Path) -> float:
    """What a fork took, from the end of its file, without reading all of it."""
    with file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - 300))
        told = re.search(rb'"seconds":([0-9.]+)', opened.read())
    return float(told[1]) if told else FORK_S


def in_words(seconds: float) -> str:
    """'45 s', '8 min', '3 h 20 min'."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
