"""The forks of a run as labs read them: plain JSON, times per shot, means, and a plot."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from scipy import stats

from handoff.draw.marks import format_time_axis
from handoff.draw.page import use_style
from handoff.errors import BadInput
from handoff.files import read_json
from handoff.run.plan.points import Point, make_label
from handoff.run.store.run import Run, read_run
from handoff.run.store.state import read_forks

BORROWED = "borrowed.json"
"""In the folder of a borrowed run: for which of the lab's points each of its points stands."""


def is_borrowed(run: Run) -> bool:
    return (run.folder / BORROWED).is_file()


def load_all(run: Run) -> list[tuple[Point, dict[str, Any]]]:
    """Load the plain JSON of each fork; of one that was measured again, the last measurement."""
    return load_files(run.folder, (run.folder / "forks").stat().st_mtime_ns)


@lru_cache(maxsize=1)
def load_files(folder: Path, changed: int) -> list[tuple[Point, dict[str, Any]]]:
    """Load the forks of a run in its plan's order, again after its folder has changed."""
    run = read_run(folder)
    aliases = read_json(folder / BORROWED) if is_borrowed(run) else {}
    forks = {(point.key, fork.fork): fork for point, fork in read_forks(run, [])}
    return [
        (
            point.model_copy(update={"params": aliases.get(point.key, point.params)}),
            forks[point.key, number].model_dump(by_alias=True),
        )
        for point, number in run.tasks()
        if (point.key, number) in forks
    ]


def load_forks(run: Run, **params: object) -> list[tuple[dict[str, Any], int]]:
    """Load the forks of the points with these parameters, each with its number of warm-up shots.

    Raise BadInput if there are none.
    """
    wanted = {name: str(value) for name, value in params.items()}
    forks = [
        (fork, point.warmup)
        for point, fork in load_all(run)
        if wanted.items() <= point.params.items()
    ]
    if not forks:
        raise BadInput(f"No fork has {', '.join(f'{k}={v}' for k, v in params.items())}.")
    return forks


def list_times(fork: Mapping[str, Any]) -> list[float]:
    """Return nanoseconds per event of each shot, warm-up shots included."""
    return [shot["wallNs"] / shot["events"] for shot in fork["evidence"]["shots"]]


def mean_time(fork: Mapping[str, Any], warmup: int) -> float:
    return float(np.mean(list_times(fork)[warmup:]))


def list_fork_means(run: Run, **params: object) -> list[float]:
    """Return each fork's mean in nanoseconds per event, without warm-up shots."""
    return [mean_time(*pair) for pair in load_forks(run, **params)]


def list_groups(run: Run, name: str, *values: object, **params: object) -> list[list[float]]:
    """Return the fork means of each value of a parameter."""
    return [list_fork_means(run, **params, **{name: value}) for value in values]


LEVEL = 0.05
"""Level of tests whether two groups of forks differ."""


class Contrast(NamedTuple):
    """A ratio of two groups' geometric means, its interval, and the p value of equal means."""

    ratio: float
    low: float
    high: float
    p: float

    @property
    def word(self) -> str:
        return "different" if self.p < LEVEL else "not shown to differ"


def compare_groups(of: Sequence[float], to: Sequence[float]) -> Contrast:
    """Compare two groups of fork means by Welch's test on logarithms."""
    above, below = np.log(of), np.log(to)
    test = stats.ttest_ind(above, below, equal_var=False)
    bounds = test.confidence_interval(1 - LEVEL)
    ratio, low, high = np.exp([above.mean() - below.mean(), bounds.low, bounds.high]).tolist()
    return Contrast(ratio, low, high, float(test.pvalue))


def compare(run: Run, name: str, of: object, to: object, **params: object) -> Contrast:
    """Compare the forks of two values of a parameter."""
    return compare_groups(*list_groups(run, name, of, to, **params))


SIZES = ("events=", "capacity=")
"""Parameters that a plot does not show, because they only make a shot long enough."""


def list_point_means(run: Run) -> dict[str, list[float]]:
    """Return the fork means of each point in nanoseconds per event, by what it differs in."""
    label = make_label([point for point, _ in load_all(run)])
    rows: dict[str, list[float]] = {}
    for point, fork in load_all(run):
        words = [word for word in label(point).split() if not word.startswith(SIZES)]
        rows.setdefault(" ".join(words), []).append(mean_time(fork, point.warmup))
    return rows


def draw_dots(rows: Mapping[str, Sequence[float]], axis: str) -> Figure:
    """Draw a row of dots per label."""
    use_style()
    figure, axes = plt.subplots(figsize=(7.5, 0.9 + 0.33 * len(rows)))
    for place, values in enumerate(rows.values()):
        axes.plot(values, [place] * len(values), "o", color="#D55E00", ms=5, alpha=0.7)
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xscale("log")
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel(axis)
    format_time_axis(axes.xaxis)
    # A notebook would show an open figure once more.
    plt.close(figure)
    return figure
