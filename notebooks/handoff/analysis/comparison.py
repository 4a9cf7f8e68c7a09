"""Comparison of two runs: what changed on one kind of machine, or two kinds side by side.

The forks of the two runs are never pooled.
"""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis import slowdown
from handoff.analysis.forks import mean_level
from handoff.analysis.pairs import FIELDS, load_forks, pair_point, tabulate_outcomes
from handoff.errors import COMPLETE
from handoff.registry import find_study
from handoff.run.host.kind import list_other_kind, list_updated
from handoff.run.store.identity import SETUP_KEYS, WORDS, list_other
from handoff.run.store.run import Run
from handoff.tables import tidy
from handoff.text import format_value, pluralize

NOT_COMPARED = "not compared"
"""The word of every point where the machines are of two kinds."""


class Comparison(NamedTuple):
    """The points of two runs, how the runs differ, and the exit code.

    `rows` has one row per point of either run; `unlike` says in which parts of the hardware the
    machines differ, `changed` what else differs; `missing` counts planned forks without a file.
    """

    rows: pd.DataFrame
    unlike: list[str]
    changed: list[str]
    outcomes: list[slowdown.Outcome]
    missing: int
    code: int


COLUMNS = [
    *("study", "point", "what", "quantity", "outcome", "why", "direction", "forks", "before"),
    *("after", *FIELDS, "shape_before", "shape_after", "oversubscribed"),
]


def compare_runs(
    before: Run, after: Run, margin: float = slowdown.MARGIN, detect: float = slowdown.DETECT
) -> Comparison:
    """Compare two runs point by point, after ÷ before, by the first response of each study.

    On machines of one kind each point is judged as `slowdown.judge_pairs` says. Machines of two
    kinds stand side by side, and nothing counts as slower.
    """
    unlike = list_other_kind(before.machine, after.machine)
    for run in (before, after):
        tidy.write_tables(run)
    studies = dict.fromkeys(point.study for point in (*before.points, *after.points))
    made = [pair for study in studies for pair in pair_points(study, before, after)]
    outcomes = slowdown.judge_pairs([pair for pair, _ in made], margin, detect, together=False)
    missing = len(before.missing()) + len(after.missing())
    code = COMPLETE if unlike else slowdown.find_code(outcomes, missing)
    if unlike:
        outcomes = [slowdown.Outcome(o.point, NOT_COMPARED, ratio=o.ratio) for o in outcomes]
    table = tabulate_outcomes([row for _, row in made], outcomes, COLUMNS)
    return Comparison(table, unlike, list_changed(before, after), outcomes, missing, code)


def list_changed(before: Run, after: Run) -> list[str]:
    """Return what differs between runs of one kind of machine, such as 'another jar'."""
    keys = [key for key in SETUP_KEYS if key != "machine"]
    changed = ["sweep"] if before.sweep_hash != after.sweep_hash else []
    changed += list_other(before.identity, after.identity, keys)
    return [*(WORDS[key] for key in changed), *list_updated(before.machine, after.machine)]


def pair_points(study: str, before: Run, after: Run) -> list[tuple[slowdown.Pair, dict]]:
    """Return every point of the study in either run, with its forks, and its row of the table.

    The rows are in the order of the plan, points that share cores last.
    """
    # Points of runs of all releases are matched by what they are: their names differ in length.
    plans = [
        {(frozenset(p.params.items()), p.arm): p for p in run.points if p.study == study}
        for run in (before, after)
    ]
    sides = [load_forks(run, study) for run in (before, after)]
    pairs = []
    for place, point in sorted((plans[0] | plans[1]).items(), key=lambda p: p[1].oversubscribed):
        then, now = (
            forks[forks["point"] == (plan[place].key if place in plan else "")]
            for plan, forks in zip(plans, sides, strict=True)
        )
        pair, row, response = pair_point(point, then, now)
        if response:
            shapes = [
                compute_ratio_to_sequential(study, forks, rows, response.column)
                for forks, rows in zip(sides, (then, now), strict=True)
            ]
            row |= {"shape_before": shapes[0], "shape_after": shapes[1]}
        pairs.append((pair, row))
    return pairs


def compute_ratio_to_sequential(
    name: str, forks: pd.DataFrame, point: pd.DataFrame, column: str
) -> float | None:
    """Return a point's time over that of one thread that does the same work, within one run.

    This is the shape that two machines may share. None in a study without such a mechanism.
    """
    study = find_study(name)
    alike = forks["mechanism"] == study.sequential
    for parameter in (*study.same_work, *(["arm"] if "arm" in forks else [])):
        alike &= forks[parameter] == point[parameter].iloc[0]
    if not alike.any():
        return None
    return mean_level(point, column) / mean_level(forks[alike], column)


def describe_comparison(
    compared: Comparison, before: Run, after: Run, margin: float, whole: bool = False
) -> list[str]:
    """Describe a comparison in lines: what differs, the table, and the conclusion.

    On one kind of machine, only points whose interval excludes no change are listed unless `whole`.
    """
    rows = compared.rows
    if compared.unlike:
        columns = ["quantity", "before", "after", "ratio", "shape_before", "shape_after", "forks"]
        return [
            f"Not compared, two kinds of machine: {'; '.join(compared.unlike)}. Before is"
            f" {before.title()}; after is {after.title()}. Scale: ns per event. Shape: time over"
            " sequential.",
            format_table(rows, columns),
        ]
    lines = [f"Machines of one kind; {', '.join(compared.changed) or 'nothing else changed'}."]
    shown = rows if whole else rows[rows["direction"] != ""]
    columns = ["quantity", "before", "after", "ratio", "low", "high", "outcome", "visible", "forks"]
    lines += [format_table(shown, columns)] if len(shown) else []
    if len(shown) < len(rows):
        rest = pluralize(len(rows) - len(shown), "more point")
        lines += [f"{rest} without a change that shows; --all prints them."]
    return [
        *lines,
        *slowdown.describe_outcomes(compared.outcomes, margin, compared.missing),
        "low to high holds for all judged points at once; the spread between the sessions of a"
        f" machine ({slowdown.SESSION_SPREAD:.0%} in the shipped run) is in it. Arms of one sweep,"
        " measured in the same blocks, do not have this spread.",
    ]


def format_table(rows: pd.DataFrame, columns: list[str]) -> str:
    named = rows.assign(what=rows["what"] + np.where(rows["oversubscribed"], " *", ""))
    starred = "\n* threads share cores: not judged" if named["oversubscribed"].any() else ""
    text = named[["study", "what", *columns]].rename(columns={"what": "point"})
    return (
        text.to_string(
            index=False,
            float_format=lambda x: f"{x:.3g}" if x < 100 else f"{x:.0f}",
            formatters={
                name: lambda x, outwards=outwards: "" if np.isnan(x) else format_value(x, outwards)
                for name, outwards in (("low", math.floor), ("high", math.ceil))
                if name in columns
            },
            na_rep="",
        )
        + starred
    )
