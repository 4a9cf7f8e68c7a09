"""What a plan will cost, before anything has run.

Rough: the order is what counts, and the runner corrects it as it goes.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from handoff.registry import find_study
from handoff.run.plan.points import Point
from handoff.run.store.run import number_version
from handoff.study import Cost

FORK_S = 1.0
"""Beyond the shots: a JVM to start, the heap to touch, JMH."""

WARM_UP_SHOTS = 8
"""In which forks settle, where shots are short enough for so many."""

SHORT_S = 0.5
"""Below this, the shots of a fork say nothing about a machine's pace."""


def estimate_ns_per_event(point: Point) -> float:
    """What the point's study says of a point with these parameters, threads and cores."""
    cores = {slot.core if slot.core is not None else slot.cpu for slot in point.threads}
    cost = Cost(point.params, len(point.threads), len(cores) or 1)
    return find_study(point.study).ns_per_event(cost)


def estimate_shot_seconds(point: Point) -> float:
    """Of one shot."""
    return int(point.params.get("events", 0)) * estimate_ns_per_event(point) / 1e9


def count_shots(point: Point) -> float:
    """Of a fork, those of its warm-up among them: where it has a limit, the shot that passes it is
    the last.
    """
    one = estimate_shot_seconds(point)
    if not (point.warmup_limit and one):
        return point.shots
    return point.shots + min(WARM_UP_SHOTS, point.warmup_limit / one + 1)


def estimate_fork_seconds(point: Point) -> float:
    """Of all shots of a fork."""
    return estimate_shot_seconds(point) * count_shots(point)


class CostModel:
    """What forks take on one machine: learnt from the forks in `runs` that were measured there,
    guessed where there are none.

    `overhead_s` of a fork beyond its shots; `shot_s` of the points that are known, by name; `pace`
    of the others against the guess.
    """

    def __init__(self, runs: Path | None = None, machine: str = "") -> None:
        taken = [
            each
            for folder in find_latest_runs(runs, machine)
            for each in read_measured_points(folder)
        ]
        short = [
            seconds - estimate_fork_seconds(point)
            for point, seconds in taken
            if estimate_fork_seconds(point) < SHORT_S
        ]
        self.overhead_s = median(short) if short else FORK_S
        self.shot_s = {
            point.name: max(0.0, seconds - self.overhead_s) / count_shots(point)
            for point, seconds in taken
        }
        paces = [
            max(0.1, (t - self.overhead_s) / estimate_fork_seconds(point))
            for point, t in taken
            if estimate_fork_seconds(point) >= SHORT_S
        ]
        self.pace = median(paces) if paces else 1.0

    def fork_seconds(self, point: Point) -> float:
        known = self.shot_s.get(point.name)
        return self.overhead_s + (
            estimate_fork_seconds(point) * self.pace
            if known is None
            else known * count_shots(point)
        )

    def total_seconds(self, points: Iterable[Point]) -> float:
        """Of all forks of these points."""
        return sum(self.fork_seconds(point) * point.forks for point in points)

    def measured_share(self, points: Iterable[Point]) -> float:
        """Of the expected time, the share inside measured shots; the rest is warm-up, JVMs starting
        and heaps being touched.
        """
        points = list(points)
        inside = sum(
            (self.fork_seconds(p) - self.overhead_s)
            * (p.shots - p.warmup)
            / count_shots(p)
            * p.forks
            for p in points
        )
        return inside / (self.total_seconds(points) or 1)

    def limit_seconds(self, point: Point) -> float:
        """The wall limit of a fork: far beyond what a slow machine takes, near enough that a hang
        does not cost a night.
        """
        return 120 + 20 * max(estimate_fork_seconds(point), self.fork_seconds(point))


def find_latest_runs(runs: Path | None, machine: str) -> list[Path]:
    """The three runs of this machine that were started last."""
    own = [
        file.parent
        for file in (runs.glob("*/plan.json") if runs else [])
        if f'"machine":"{machine}"' in read_identity(file.parent)
    ]
    return sorted(own, key=lambda folder: (folder / "run.json").stat().st_mtime)[-3:]


def read_identity(folder: Path) -> str:
    try:
        return (folder / "run.json").read_text()
    except (OSError, UnicodeDecodeError):
        return ""


def read_measured_points(folder: Path) -> list[tuple[Point, float]]:
    """Every point of a run that has forks, with the median of their seconds."""
    taken: dict[str, list[float]] = {}
    for file in (folder / "forks").glob("*.json"):
        if seconds := read_seconds(file):
            taken.setdefault(file.name.rsplit("-", 1)[0], []).append(seconds)
    try:
        points = (
            [
                Point.model_validate(point)
                for point in json.loads(find_latest_plan(folder).read_text())
            ]
            if taken
            else []
        )
    except (OSError, ValueError):
        return []
    return [(point, median(taken[point.name])) for point in points if point.name in taken]


def find_latest_plan(folder: Path) -> Path:
    """The plan of a run as it was extended last."""
    extended = len(json.loads(read_identity(folder)).get("extensions", []))
    return folder / number_version("plan.json", extended)


def read_seconds(file: Path) -> float | None:
    """What a fork took, from the end of its file, without reading all of it; None where it does not
    say.
    """
    with file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - 300))
        text = re.search(rb'"seconds":([0-9.]+)', opened.read())
    return float(text[1]) if text else None


def format_duration(seconds: float) -> str:
    """'45 s', '8 min', '3 h 20 min'."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
