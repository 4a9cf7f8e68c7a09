"""What a plan will cost, before anything has run. Rough: the order is what counts, and the runner corrects it as it goes."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from handoff.run.points import Point

FORK_S = 1.4
"""Beyond the shots: two JVMs to start, the heap to touch, JMH."""

SHORT_S = 0.5
"""Below this, the shots of a fork say nothing about a machine's pace."""

NS_PER_SORT, NS_PER_ARRAY = 20, 25
NS_INCREMENT = {"PLAIN": 0.6, "VOLATILE": 3, "CAS": 3, "LOCK": 6}
NS_CONTENDED = 15
NS_TASK = {"SYNCHRONOUS_QUEUE": 24_000, "PEKKO": 300, "ARRAY_BLOCKING_QUEUE": 400}
NS_TASK_ELSE = 220
NS_REST, SMALL = 75_000, 1024
"""What a thread sleeps that asks for a nanosecond, which a small ring asks for each time it is full or empty."""
NS_HOP = {"THREAD_PER_NODE": 20_000, "SCALA_ACTORS": 800}
NS_HOP_ELSE, NS_DART = 140, 15
NS_MESSAGE, NS_WOKEN, NS_ACCESS = 150, 1500, 4
NS_HANDED_OVER = {"SEQUENTIAL": 0, "ARRAY_BLOCKING_QUEUE": 250, "LINKED_BLOCKING_QUEUE": 300}
NS_HANDED_OVER_ELSE = 40
"""Measured on two virtual Zen 4 CPUs under JDK 17; an older machine takes a small multiple."""


def nanos_per_event(point: Point) -> float:
    """Work shared by the cores there are, plus the hand-over, which is serial; or what each study's events cost besides."""
    params = point.params
    hop = NS_HANDED_OVER.get(params["mechanism"], NS_HANDED_OVER_ELSE)
    match point.study:
        case "executors":
            return nanos_per_task(params)
        case "ring":
            return nanos_per_hop(params)
        case "actors":
            return nanos_per_message(params)
        case "counters":
            return NS_CONTENDED if params["threads"] == "2" else NS_INCREMENT[params["mechanism"]]
        case "latency":
            return max(int(params["gap"]) + 60, hop * int(params["stages"]))
        case "topologies":
            return hop * max(1, len(point.threads) - 1) / (1 if "QUEUE" in params["mechanism"] else 2)
    work = NS_PER_ARRAY + NS_PER_SORT * int(params.get("sorts", 1))
    cores = len({slot.core if slot.core is not None else slot.cpu for slot in point.threads}) or 1
    workers = max(1, min(cores, len(point.threads) - 1))
    return work / workers + hop


def nanos_per_task(params: dict[str, str]) -> float:
    """Of the executors: more threads do not help where cores are few."""
    own = NS_TASK.get(params["mechanism"], NS_TASK_ELSE) * max(1, int(params["terms"]) / 100)
    small = ("RING" in params["mechanism"] or "JCTOOLS" in params["mechanism"]) and int(params["capacity"]) < SMALL
    return own + (NS_REST / int(params["capacity"]) if small and params["idle"] == "PARK" else 0)


def nanos_per_hop(params: dict[str, str]) -> float:
    """Of the ring: two threads are hardly faster than one, and a thread for each node must be woken at each hop."""
    if params["mechanism"] == "PI_TASKS":
        return NS_DART * (4 if params["generator"] == "SHARED" and int(params["threads"]) > 1 else 1)
    return NS_HOP.get(params["mechanism"], NS_HOP_ELSE) + int(params["work"]) * NS_DART


def nanos_per_message(params: dict[str, str]) -> float:
    access = NS_ACCESS if params["generator"] == "AS_PUBLISHED" else NS_ACCESS / 3
    handed = NS_WOKEN if params["route"] == "OTHERS" and params["mechanism"].startswith("DEDICATED") else NS_MESSAGE
    return handed + int(params["accesses"]) * access * (1 + int(params["bytes"]) / 4e6)


def seconds_of_shots(point: Point) -> float:
    return point.shots * int(point.params.get("events", 0)) * nanos_per_event(point) / 1e9


class Costs:
    """What forks take on one machine: learnt from the forks in `runs` that were measured there, guessed where there are none.

    `overhead_s` of a fork beyond its shots; `shot_s` of the points that are known, by name; `pace` of the others against the guess.
    """

    def __init__(self, runs: Path | None = None, machine: str = "") -> None:
        taken = [each for folder in latest(runs, machine) for each in measured(folder)]
        short = [seconds - seconds_of_shots(point) for point, seconds in taken if seconds_of_shots(point) < SHORT_S]
        self.overhead_s = median(short) if short else FORK_S
        self.shot_s = {point.name: max(0.0, seconds - self.overhead_s) / point.shots for point, seconds in taken}
        paces = [max(0.1, (t - self.overhead_s) / seconds_of_shots(point)) for point, t in taken if seconds_of_shots(point) >= SHORT_S]
        self.pace = median(paces) if paces else 1.0

    def fork_seconds(self, point: Point) -> float:
        known = self.shot_s.get(point.name)
        return self.overhead_s + (seconds_of_shots(point) * self.pace if known is None else known * point.shots)

    def total_seconds(self, points: Iterable[Point]) -> float:
        """Of all forks of these points."""
        return sum(self.fork_seconds(point) * point.forks for point in points)

    def measured_share(self, points: Iterable[Point]) -> float:
        """Of the expected time, the share inside measured shots; the rest is warm-up, JVMs starting and heaps being touched."""
        points = list(points)
        inside = sum((self.fork_seconds(p) - self.overhead_s) * (1 - p.warmup / p.shots) * p.forks for p in points)
        return inside / (self.total_seconds(points) or 1)

    def limit_seconds(self, point: Point) -> float:
        """The wall limit of a fork: far beyond what a slow machine takes, near enough that a hang does not cost a night."""
        return 120 + 20 * max(seconds_of_shots(point), self.fork_seconds(point))


def latest(runs: Path | None, machine: str) -> list[Path]:
    """The three runs of this machine that were started last."""
    own = [file.parent for file in (runs.glob("*/plan.json") if runs else []) if f'"machine":"{machine}"' in identity(file.parent)]
    return sorted(own, key=lambda folder: (folder / "run.json").stat().st_mtime)[-3:]


def identity(folder: Path) -> str:
    try:
        return (folder / "run.json").read_text()
    except (OSError, UnicodeDecodeError):
        return ""


def measured(folder: Path) -> list[tuple[Point, float]]:
    """Every point of a run that has forks, with the median of their seconds."""
    taken: dict[str, list[float]] = {}
    for file in (folder / "forks").glob("*.json"):
        if seconds := seconds_in(file):
            taken.setdefault(file.name.rsplit("-", 1)[0], []).append(seconds)
    try:
        points = [Point.model_validate(point) for point in json.loads((folder / "plan.json").read_text())] if taken else []
    except (OSError, ValueError):
        return []
    return [(point, median(taken[point.name])) for point in points if point.name in taken]


def seconds_in(file: Path) -> float | None:
    """What a fork took, from the end of its file, without reading all of it; None where it does not say."""
    with file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - 300))
        told = re.search(rb'"seconds":([0-9.]+)', opened.read())
    return float(told[1]) if told else None


def in_words(seconds: float) -> str:
    """'45 s', '8 min', '3 h 20 min'."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
