"""The forks of a run as labs read them: plain JSON, times per shot, means, and a plot."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator
from scipy import stats

from handoff.draw.save import use_style
from handoff.files import read_json, stat_signature
from handoff.run.plan.points import Point, make_label
from handoff.run.store.forks import read_forks
from handoff.run.store.run import Run, read_run


def load_forks(run: Run, **params: object) -> list[tuple[dict[str, Any], int]]:
    """Load the forks of the points with these parameters, each with its number of warm-up shots.

    A fork is the plain JSON of its file. Of one that was measured again only the last measurement
    is returned.
    """
    wanted = {name: str(value) for name, value in params.items()}
    return [
        (f, point.warmup) for point, f in load_all(run) if wanted.items() <= point.params.items()
    ]


BORROWED = "borrowed.json"
"""In the folder of a borrowed run: for which of the lab's points each of its points stands."""


def is_borrowed(run: Run) -> bool:
    return (run.folder / BORROWED).is_file()


LEVEL = 0.05
"""Level of tests whether two groups of forks differ."""


def load_all(run: Run) -> list[tuple[Point, dict[str, Any]]]:
    files = sorted((run.folder / "forks").glob("*.json"))
    return load_files(run.folder, tuple((file.name, stat_signature(file)) for file in files))


@lru_cache(maxsize=1)
def load_files(folder: Path, state: tuple) -> list[tuple[Point, dict[str, Any]]]:
    """Load the forks of a run; `state` changes when one of the files does."""
    run, forks = read_run(folder), {}
    aliases = read_json(folder / BORROWED)["params"] if is_borrowed(run) else {}
    for point, fork in read_forks(run, []):
        file = folder / "forks" / f"{point.fork_name(fork.fork, fork.again)}.json"
        alias = point.model_copy(update={"params": aliases.get(point.key, point.params)})
        forks[point.key, fork.fork] = alias, read_json(file)
    return list(forks.values())


def list_fork_means(run: Run, **params: object) -> list[float]:
    """Return each fork's mean in nanoseconds per event, without warm-up shots."""
    return [mean_time(*pair) for pair in load_forks(run, **params)]


def mean_time(fork: Mapping[str, Any], warmup: int) -> float:
    return float(np.mean(list_times(fork)[warmup:]))


def compare_groups(of: Sequence[float], to: Sequence[float]) -> tuple[float, float]:
    """Return the ratio of two groups' geometric means, and the p value of Welch's test on logs."""
    above, below = np.log(of), np.log(to)
    p = stats.ttest_ind(above, below, equal_var=False).pvalue
    return float(np.exp(above.mean() - below.mean())), float(p)


def list_point_means(run: Run) -> dict[str, list[float]]:
    """Return the fork means of each point in nanoseconds per event, by what it differs in."""
    label = make_label([point for point, _ in load_all(run)])
    rows: dict[tuple, list[float]] = {}
    for point, fork in load_all(run):
        words = [word for word in label(point).split() if not word.startswith(SIZES)]
        *varied, mechanism = words
        place = point.study, *map(make_sortable, varied), mechanism, " ".join([mechanism, *varied])
        rows.setdefault(place, []).append(mean_time(fork, point.warmup))
    return {place[-1]: means for place, means in sorted(rows.items())}


SIZES = ("events=", "capacity=")
"""Parameters that a plot does not show, because they only make a shot long enough."""


def make_sortable(word: str) -> str:
    """Return a word whose numbers sort by size."""
    return re.sub(r"\d+", lambda number: number[0].zfill(9), word)


def list_times(fork: Mapping[str, Any]) -> list[float]:
    """Return nanoseconds per event of each shot, warm-up shots included."""
    return [shot["wallNs"] / shot["events"] for shot in fork["evidence"]["shots"]]


COLOR = "#D55E00"


def draw_dots(rows: Mapping[str, Sequence[float]], axis: str) -> Figure:
    """Draw a row of dots per label."""
    use_style()
    figure, axes = plt.subplots(figsize=(7.5, 0.9 + 0.33 * len(rows)))
    for place, values in enumerate(rows.values()):
        axes.plot(values, [place] * len(values), "o", color=COLOR, ms=5, alpha=0.7)
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:g}")
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel(axis)
    # A notebook would show an open figure once more.
    plt.close(figure)
    return figure
