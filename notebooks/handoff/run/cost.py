"""Estimate roughly what a plan will cost; the runner corrects it as it measures."""

import re
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from handoff.errors import BadInput
from handoff.paths import find_start, read_identity
from handoff.run.plan.points import Point
from handoff.run.store.run import Run, read_plan
from handoff.study import Cost, find_study

FORK_S = 1.0
"""Time of a fork outside its shots: a JVM to start, the heap to touch, JMH."""

WARM_UP_SHOTS = 8
"""Shots in which forks usually settle."""

SHORT_WARM_UP_SHOTS = 30
"""The same for shots of a tenth of the events: compilers need events, however many shots."""


def estimate_shot_seconds(point: Point) -> float:
    """Return the study's estimate for the point's parameters, threads and cores."""
    study = find_study(point.study)
    cores = {slot.core if slot.core is not None else slot.cpu for slot in point.threads}
    cost = Cost(point.params, len(point.threads), len(cores) or 1)
    return study.count_events(point.params) * study.ns_per_event(cost) / 1e9


def count_shots(point: Point) -> float:
    """Return the number of whole shots that take as long as a fork's, its warm-up included."""
    if not point.warmup_limit:
        return point.shots
    events = find_study(point.study).count_events(point.params)
    share = (point.warmup_events or events) / events
    return point.shots + min(WARM_UP_SHOTS, SHORT_WARM_UP_SHOTS * share)


def estimate_fork_seconds(point: Point) -> float:
    return estimate_shot_seconds(point) * count_shots(point)


class CostModel:
    """Time per fork on one machine, learnt from its forks in `runs`, or guessed without any.

    `shot_s` is the time per shot of known points, by name; `pace` scales the guess for others.
    """

    def __init__(self, runs: Path | None = None, machine: str = "") -> None:
        taken = [
            (point, max(0.0, seconds - FORK_S))
            for folder in find_latest_runs(runs, machine)
            for point, seconds in read_measured_points(folder)
        ]
        self.shot_s = {point.name: seconds / count_shots(point) for point, seconds in taken}
        guessed = sum(estimate_fork_seconds(point) for point, _ in taken)
        self.pace = max(0.1, sum(s for _, s in taken) / guessed) if guessed else 1.0

    def fork_seconds(self, point: Point) -> float:
        known = self.shot_s.get(point.name)
        guess = estimate_fork_seconds(point) * self.pace
        return FORK_S + (guess if known is None else known * count_shots(point))

    def limit_seconds(self, point: Point) -> float:
        """Return a fork's limit: far more than a slow machine needs, far less than a night."""
        return 120 + 20 * max(estimate_fork_seconds(point), self.fork_seconds(point))


def find_latest_runs(runs: Path | None, machine: str) -> list[Path]:
    """Return the three runs of this machine that started last."""
    folders = [
        file.parent
        for file in (runs.glob("*/plan.json") if runs else [])
        if read_identity(file.parent).get("machine") == machine
    ]
    return sorted(folders, key=find_start)[-3:]


def read_measured_points(folder: Path) -> list[tuple[Point, float]]:
    """Return the points of a run that have forks, with the median of their seconds."""
    taken: dict[str, list[float]] = {}
    for file in (folder / "forks").glob("*.json"):
        if seconds := read_seconds(file):
            taken.setdefault(file.name.rsplit("-", 1)[0], []).append(seconds)
    if not taken:
        return []
    try:
        extended = len(read_identity(folder).get("extensions", []))
        points = read_plan(folder, extended)
    except (BadInput, OSError, ValueError, TypeError):
        return []
    return [(point, median(taken[point.name])) for point in points if point.name in taken]


def read_seconds(file: Path) -> float | None:
    """Return a fork's seconds from the end of its file, or None if they are missing."""
    with file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - 300))
        text = re.search(rb'"seconds":([0-9.]+)', opened.read())
    return float(text[1]) if text else None


def expect_duration(run: Run, points: Iterable[Point]) -> str:
    """Return the expected duration of one fork per point, all together, on the run's machine."""
    costs = CostModel(run.folder.parent, run.machine["id"])
    return format_duration(sum(map(costs.fork_seconds, points)))


def format_duration(seconds: float) -> str:
    """Return '45 s', '8 min' or '3 h 20 min'."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
