"""The forks of a run as labs read them: plain JSON, means, times per shot, and contrasts."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from handoff.files import stat_signature
from handoff.labs.parts import Known
from handoff.run.plan.points import Point
from handoff.run.runner import make_label
from handoff.run.store.forks import read_forks
from handoff.run.store.run import Run


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


def read_borrowed(run: Run) -> dict[str, Any]:
    """Load what a borrowed run's points stand for; {} of a run that was measured."""
    return json.loads((run.folder / BORROWED).read_text()) if is_borrowed(run) else {}


LEVEL = 0.05
"""Level of tests whether two groups of forks differ."""

LOADED: dict[tuple, list[tuple[Point, dict[str, Any]]]] = {}
"""The forks of the run that was read last, by its folder and the state of its files then."""


def load_all(run: Run) -> list[tuple[Point, dict[str, Any]]]:
    files = sorted((run.folder / "forks").glob("*.json"))
    key = run.folder, tuple((file.name, stat_signature(file)) for file in files)
    if key not in LOADED:
        aliases = read_borrowed(run).get("params", {})
        forks = {}
        for point, fork in read_forks(run, []):
            file = run.folder / "forks" / f"{point.fork_name(fork.fork, fork.again)}.json"
            alias = point.model_copy(update={"params": aliases.get(point.key, point.params)})
            forks[point.key, fork.fork] = alias, json.loads(file.read_text())
        LOADED.clear()
        LOADED[key] = list(forks.values())
    return LOADED[key]


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


class Contrast(NamedTuple):
    """Two mechanisms whose times per event are divided, and the sorts per event."""

    of: str
    to: str
    sorts: int

    def compare(self, run: Run) -> tuple[float, float]:
        """Return the ratio of the times, and Welch's p."""
        groups = [list_fork_means(run, mechanism=m, sorts=self.sorts) for m in (self.of, self.to)]
        return compare_groups(*groups)


Contrasts = Mapping[str, Contrast]


def compute_ratios(run: Run, contrasts: Contrasts) -> dict[str, float]:
    return {name: contrast.compare(run)[0] for name, contrast in contrasts.items()}


def word_contrasts(
    known: Known, contrasts: Contrasts, below: str, above: str, unclear: str
) -> dict[str, str]:
    """Return a word per contrast; `below` or `above` follows from the student's ratio, if given."""
    given = known.given.get("numbers", {})
    words = {}
    for name, contrast in contrasts.items():
        ratio, p = contrast.compare(known.measured)
        shown = above if given.get(name, ratio) > 1 else below
        words[name] = shown if p < LEVEL else unclear
    return words
