"""Estimate roughly what a plan will cost; the runner corrects it as it measures."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field

from handoff.errors import BadInput
from handoff.paths import find_start, read_identity
from handoff.run.plan.points import Point
from handoff.run.store.forkfile import Seconds
from handoff.run.store.run import Run, read_plan
from handoff.study import Cost, find_study

FORK_S = 1.0
"""Time of a fork outside its shots: a JVM to start, the heap to touch, JMH."""

WARM_UP_SHOTS = 8
"""Shots in which forks usually settle."""

SHORT_WARM_UP_SHOTS = 16
"""The same for shots of fewer events: compilers need events, however many shots that is."""

LONG_SHOT_S = 0.05
"""Guessed time of a shot from which on its forks say how long others take.

A shorter one measures how threads wake up and compilers start, not the cost of events.
"""

MOST = 4
"""Factor that a point may say: an old machine takes a small multiple of a guess.

Points that take more are odd ones, such as those of an unusual collector.
"""

FORKS_PER_POINT = 3
"""Forks that are read of each point: the fewest whose median one bad fork does not move."""

MOST_FORKS = 2000
"""Forks that are read, those of the latest runs first; 2000 take a fifth of a second."""


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


class Times(NamedTuple):
    """Seconds of a fork: of its start-up, and of each of `count_shots` whole shots."""

    start_s: float
    shot_s: float


class CostModel:
    """Time per fork on one machine, learnt from its forks in `runs`, or guessed without any.

    Points in `known`, by name, keep the times that they took. Of others, start-up and shots take
    what is guessed, times a factor from points of the same mechanism and study.
    """

    def __init__(self, runs: Path | None = None, machine: str = "") -> None:
        self.known: dict[str, Times] = {}
        self.starts, self.shots = Factors(), Factors()
        for point, times in read_measured_points(find_runs(runs, machine)):
            self.known[point.name] = times
            self.starts.add(point, times.start_s / FORK_S)
            guess = estimate_shot_seconds(point)
            if guess >= LONG_SHOT_S:
                self.shots.add(point, times.shot_s / guess)

    def fork_seconds(self, point: Point) -> float:
        start_s, shot_s = self.known.get(point.name) or self.estimate_times(point)
        return start_s + shot_s * count_shots(point)

    def estimate_times(self, point: Point) -> Times:
        """Return the times of a point that has no forks."""
        shot_s = estimate_shot_seconds(point) * self.shots.find_factor(point)
        return Times(FORK_S * self.starts.find_factor(point), shot_s)

    def limit_seconds(self, point: Point) -> float:
        """Return a fork's limit: far more than a slow machine needs, far less than a night."""
        return 120 + 20 * max(estimate_fork_seconds(point), self.fork_seconds(point))


class Factors:
    """Measured over guessed times, one per point, by study and by mechanism."""

    def __init__(self) -> None:
        self.ratios: dict[tuple[str, ...], list[float]] = {}

    def add(self, point: Point, ratio: float) -> None:
        bounded = min(max(ratio, 1 / MOST), MOST)
        for group in list_groups(point):
            self.ratios.setdefault(group, []).append(bounded)

    def find_factor(self, point: Point) -> float:
        """Return the median of the mechanism's points, or of the study's where those are few.

        The guess counts like two points of the study, and the study's median like two of the
        mechanism, so that no point alone moves an estimate.
        """
        factor = 1.0
        for group in list_groups(point):
            factor = median([*self.ratios.get(group, []), factor, factor])
        return factor


def list_groups(point: Point) -> list[tuple[str, ...]]:
    """Return the groups of points whose times resemble the point's, the widest first."""
    return [(point.study,), (point.study, point.params["mechanism"])]


def find_runs(runs: Path | None, machine: str) -> list[Path]:
    """Return the runs of this machine, the latest first."""
    folders = [
        file.parent
        for file in (runs.glob("*/plan.json") if runs else [])
        if read_identity(file.parent).get("machine") == machine
    ]
    return sorted(folders, key=find_start, reverse=True)


def read_measured_points(folders: list[Path]) -> list[tuple[Point, Times]]:
    """Return the points of these runs that have forks, with the medians of a few of them."""
    points: dict[str, Point] = {}
    taken: dict[str, list[Times]] = {}
    for point, file in islice(list_forks(folders), MOST_FORKS):
        if times := read_times(file, count_shots(point)):
            points[point.name] = point
            taken.setdefault(point.name, []).append(times)
    return [
        (points[name], Times(median(t.start_s for t in some), median(t.shot_s for t in some)))
        for name, some in taken.items()
    ]


def list_forks(folders: list[Path]) -> Iterator[tuple[Point, Path]]:
    """Yield a few fork files of each point, those of the first folders first."""
    numbers: Counter[str] = Counter()
    for folder in folders:
        planned = {point.name: point for point in read_points(folder)}
        for file in sorted((folder / "forks").glob("*.json")):
            name = file.name.rsplit("-", 1)[0]
            if name in planned and numbers[name] < FORKS_PER_POINT:
                numbers[name] += 1
                yield planned[name], file


def read_points(folder: Path) -> list[Point]:
    """Return a run's points; none where the run is damaged, which a command that loads it says."""
    try:
        return read_plan(folder, len(read_identity(folder).get("extensions", [])))
    except (BadInput, OSError, ValueError, TypeError):
        return []


Wall = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class TimedShot(BaseModel):
    wallNs: Wall


class TimedWarmUp(BaseModel):
    wallNs: list[Wall]


class TimedEvidence(BaseModel):
    warmUp: TimedWarmUp | None = None
    shots: list[TimedShot]


class TimedFork(BaseModel):
    """The times in a fork file: reading these alone takes a tenth of the time of `read_fork`."""

    seconds: Seconds
    evidence: TimedEvidence


def read_times(file: Path, shots: float) -> Times | None:
    """Return a fork's times, whose shots took as long as so many whole ones; None if damaged."""
    try:
        # A pipe would be waited for.
        fork = TimedFork.model_validate_json(file.read_bytes()) if file.is_file() else None
    except (OSError, ValueError):
        return None
    if fork is None:
        return None
    evidence = fork.evidence
    walls = [shot.wallNs for shot in evidence.shots]
    walls += evidence.warmUp.wallNs if evidence.warmUp else []
    inside = sum(walls) / 1e9
    return Times(max(0.0, fork.seconds - inside), inside / shots)


def make_costs(run: Run) -> CostModel:
    """Return the times of forks on the run's machine, from all runs next to it."""
    return CostModel(run.folder.parent, run.machine["id"])


def expect_duration(run: Run, points: Iterable[Point]) -> str:
    """Return the expected duration of one fork per point, all together, on the run's machine."""
    return format_duration(sum(map(make_costs(run).fork_seconds, points)))


def format_duration(seconds: float) -> str:
    """Return '45 s', '8 min' or '3 h 20 min'."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
