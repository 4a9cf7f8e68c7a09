"""Comparison of the arms of one run: jars, JDKs or flags, measured in the same blocks."""

import pandas as pd

from handoff.analysis.pairs import FIELDS, load_forks, pair_point, tabulate_outcomes
from handoff.analysis.slowdown import Pair, judge_pairs
from handoff.run.store.run import Run

COLUMNS = [
    *("study", "point", "arm", "what", "quantity", "outcome", "why", "direction", "forks"),
    *("before", "after", *FIELDS),
]


def compare_arms(run: Run) -> pd.DataFrame:
    """Compare each arm of a run with the first one, point by point, arm ÷ first arm.

    Return one row per point and other arm, with COLUMNS. All intervals hold at once.
    """
    studies = dict.fromkeys(point.study for point in run.points)
    made = [pair for study in studies for pair in pair_arms(run, study)]
    outcomes = judge_pairs([pair for pair, _ in made])
    return tabulate_outcomes([row for _, row in made], outcomes, COLUMNS)


def pair_arms(run: Run, study: str) -> list[tuple[Pair, dict]]:
    """Return each point of each other arm with the same point of the first one."""
    forks, first = load_forks(run, study), run.sweep.first_arm
    points = [point for point in run.points if point.study == study]
    before = {frozenset(p.params.items()): p.key for p in points if p.arm == first}
    pairs = []
    for point in points:
        if point.arm != first:
            keys = (before[frozenset(point.params.items())], point.key)
            pair, row, _ = pair_point(point, *(forks[forks["point"] == key] for key in keys))
            row["what"] = row["what"].removesuffix(f" arm={point.arm}")
            pairs.append((pair, row | {"arm": point.arm}))
    return pairs
