"""Comparison of the arms of one run: jars, JDKs or flags, measured in the same blocks."""

from typing import NamedTuple

import pandas as pd

from handoff.analysis import gate
from handoff.analysis.pairs import FIELDS, load_forks, pair_point, tabulate_outcomes
from handoff.run.store.run import Run

COLUMNS = [
    *("study", "point", "arm", "what", "quantity", "outcome", "why", "direction", "forks"),
    *("before", "after", *FIELDS),
]


class ArmComparison(NamedTuple):
    """The points of each arm against those of the first one, and the exit code.

    `rows` has one row per point and arm, and with two arms one for the mean of all points.
    `disturbed` counts the forks that ran while others used the machine, of `forks`.
    """

    baseline: str
    rows: pd.DataFrame
    outcomes: list[gate.Outcome]
    missing: int
    disturbed: int
    forks: int
    code: int

    def describe(self, margin: float) -> list[str]:
        """Describe the outcomes in sentences, with what weakens them."""
        lines = gate.describe_outcomes(self.outcomes, margin, self.missing)
        if self.disturbed:
            lines.append(
                f"DISTURBED: {self.disturbed} of {self.forks} forks ran on a busy or slow machine."
            )
        return lines


def compare_arms(
    run: Run, margin: float = gate.MARGIN, detect: float = gate.DETECT
) -> ArmComparison:
    """Compare each arm of a run with the first one, point by point, arm ÷ baseline.

    All intervals hold at once, over all points and arms.
    """
    studies = dict.fromkeys(point.study for point in run.points)
    tables = {study: load_forks(run, study) for study in studies}
    made = [pair for study in studies for pair in pair_arms(run, study, tables[study])]
    # With more arms, a mean over all of them would say little.
    two = len(run.sweep.arms) == 2
    outcomes = gate.judge_pairs([pair for pair, _ in made], margin, detect, mean=two)
    rows = [row for _, row in made]
    if len(outcomes) > len(rows):
        blank = dict.fromkeys(("study", "arm", "quantity", "forks"), "")
        rows.append(blank | {"point": gate.ALL, "what": gate.ALL})
    table = tabulate_outcomes(rows, outcomes, COLUMNS)
    missing = len(run.missing())
    notes = [note for forks in tables.values() for note in forks.get("disturbed", ())]
    return ArmComparison(
        run.sweep.first_arm,
        table,
        outcomes,
        missing,
        sum(note != "" for note in notes),
        len(notes),
        gate.find_code(outcomes, missing),
    )


def pair_arms(run: Run, study: str, forks: pd.DataFrame) -> list[tuple[gate.Pair, dict]]:
    """Return each point of each other arm with the same point of the first one."""
    points, first = [p for p in run.points if p.study == study], run.sweep.first_arm
    before = {frozenset(p.params.items()): p.key for p in points if p.arm == first}
    pairs = []
    for point in points:
        if point.arm != first:
            keys = (before[frozenset(point.params.items())], point.key)
            pair, row, _ = pair_point(point, *(forks[forks["point"] == key] for key in keys))
            row["what"] = row["what"].removesuffix(f" arm={point.arm}")
            pairs.append((pair, row | {"arm": point.arm}))
    return pairs
