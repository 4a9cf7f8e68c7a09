"""Comparison of the arms of one run: jars, JDKs or flags, measured in the same blocks."""

from typing import NamedTuple

import pandas as pd

from handoff.analysis import gate
from handoff.analysis.comparison import FIELDS, describe_outcome
from handoff.analysis.pairs import find_place, load_forks, pair_point
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
    baseline = next(iter(run.sweep.arms))
    tables = {p.study: load_forks(run, p.study) for p in run.points}
    made = [pair for study in tables for pair in pair_arms(run, study, tables[study], baseline)]
    # With more arms, a mean over all of them would say little.
    two = len(run.sweep.arms) == 2
    outcomes = gate.judge_pairs([pair for pair, _ in made], margin, detect, mean=two)
    rows = [row for _, row in made]
    if len(outcomes) > len(rows):
        rows.append({"study": "", "point": gate.ALL, "what": gate.ALL})
    table = pd.DataFrame(
        [
            row | describe_outcome(outcome, unlike=False)
            for row, outcome in zip(rows, outcomes, strict=True)
        ],
        columns=COLUMNS,
    )
    table = table.astype(dict.fromkeys(("before", "after", *FIELDS), float))
    texts = ["arm", "quantity", "forks"]
    table[texts] = table[texts].fillna("")
    missing = len(run.missing())
    code = gate.find_code(outcomes, missing)
    disturbed = sum(
        int((forks["disturbed"] != "").sum()) for forks in tables.values() if len(forks)
    )
    total = sum(map(len, tables.values()))
    return ArmComparison(baseline, table, outcomes, missing, disturbed, total, code)


def pair_arms(
    run: Run, study: str, forks: pd.DataFrame, baseline: str
) -> list[tuple[gate.Pair, dict]]:
    """Return each point of each other arm with the same point of the first one."""
    points = [point for point in run.points if point.study == study]
    before = {find_place(point, arm=False): point for point in points if point.arm == baseline}
    pairs = []
    for point in points:
        if point.arm == baseline:
            continue
        keys = (before[find_place(point, arm=False)].key, point.key)
        then, now = (forks[forks["point"] == key] for key in keys)
        pair, row, _ = pair_point(point, then, now)
        what = row["what"].removesuffix(f" arm={point.arm}")
        pairs.append((pair, row | {"arm": point.arm, "what": what}))
    return pairs
