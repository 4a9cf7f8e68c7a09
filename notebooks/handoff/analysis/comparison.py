"""Comparison of two runs: what changed on one machine, or shape and scale on two machines.

The forks of the two runs are never pooled.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.forks import compute_fork_means, estimate_ratio, mean_level
from handoff.analysis.intervals import MIN_FORKS, Estimate
from handoff.errors import BadInput
from handoff.registry import find_study
from handoff.run.store.identity import SETUP_KEYS, describe_difference, list_other
from handoff.run.store.run import Run
from handoff.study import Response
from handoff.tables import tidy

ALPHA = 0.05


class Comparison(NamedTuple):
    """The points that two runs have in common, and how the runs differ.

    `rows` has one row per point; `changed` names the differences of the runs; `slower` holds the
    rows of the points that regressed.
    """

    rows: pd.DataFrame
    same_machine: bool
    changed: list[str]
    slower: pd.DataFrame


COLUMNS = [
    "study",
    "point",
    "what",
    "quantity",
    "direction",
    "forks",
    "before",
    "after",
    "ratio",
    "low",
    "high",
    "shape_before",
    "shape_after",
    "oversubscribed",
    "judged",
    "estimate",
]


def compare_runs(before: Run, after: Run, margin: float) -> Comparison:
    """Compare two runs point by point, after ÷ before, by the first response of each study.

    Ratios have 95 % intervals. On one machine a point is slower when its interval lies above 1 +
    margin at a confidence at which, of all points whose threads have cores of their own together,
    one in twenty runs has a wrong one. Between machines nothing counts as a regression.

    Raise BadInput if no point was measured in both runs: a gate must not pass because it has
    nothing to judge.
    """
    same = before.identity["machine"] == after.identity["machine"]
    changed = list_other(before.identity, after.identity, SETUP_KEYS)
    changed = ["sweep", *changed] if before.sweep_hash != after.sweep_hash else changed
    for run in (before, after):
        tidy.write_tables(run)
    rows = pd.DataFrame(
        [
            row
            for study in list_common_studies(before, after)
            for row in compare_points(study, before, after)
        ],
        columns=COLUMNS,
    )
    if rows.empty:
        raise BadInput(
            f"{before.folder.name} and {after.folder.name} have no measured point in common."
        )
    # Without any judged point, or any interval, pandas would keep the blanks as objects.
    rows = rows.astype(dict.fromkeys(("low", "high", "shape_before", "shape_after"), float))
    confidence = 1 - 2 * ALPHA / max(1, rows["judged"].sum())
    slower = [
        judged and is_above(estimate, 1 + margin, confidence)
        for judged, estimate in zip(rows["judged"], rows.pop("estimate"), strict=True)
    ]
    return Comparison(rows, same, changed, rows[slower] if same else rows.head(0))


def is_above(estimate: Estimate, bound: float, confidence: float) -> bool:
    interval = estimate.interval(confidence)
    return interval is not None and interval[0] > bound


def list_common_studies(before: Run, after: Run) -> list[str]:
    known = {point.study for point in after.points}
    return [
        study for study in dict.fromkeys(point.study for point in before.points) if study in known
    ]


def compare_points(study: str, before: Run, after: Run) -> list[dict]:
    """Return one row per point of the study of which both runs have forks.

    The rows are in the order of the plan, points that share cores last.
    """
    old, new = (compute_fork_means(tidy.load_table(run, study)) for run in (before, after))
    if old.empty or new.empty:
        return []
    points = sorted(
        (point for point in after.points if point.study == study), key=lambda p: p.oversubscribed
    )
    judged = before.sweep.verdicts and after.sweep.verdicts
    rows = []
    for point in points:
        then, now = (forks[forks["point"] == point.key] for forks in (old, new))
        response = find_response(study, then, now)
        if response:
            then, now = (forks.assign(ns_per_event=forks[response.column]) for forks in (then, now))
            row = {
                "study": study,
                "point": point.key,
                "what": str(point).removeprefix(f"{study} "),
                "quantity": response.axis,
                "shape_before": compute_ratio_to_sequential(study, old, then),
                "shape_after": compute_ratio_to_sequential(study, new, now),
            }
            rows.append(row | compare_point(then, now, judged))
    return rows


def compare_point(then: pd.DataFrame, now: pd.DataFrame, judged: bool) -> dict:
    """Return the ratio of one point's forks, and its estimate where it may be judged."""
    estimate = estimate_ratio(now.drop(columns="session"), then.drop(columns="session"))
    low, high = estimate.interval() or (None, None)
    both = pd.concat([then, now])
    weak = both[["oversubscribed", "too_short"]].any(axis=None)
    fit = judged and estimate.forks >= MIN_FORKS and not weak
    return {
        "direction": name_direction(low, high),
        "forks": f"{len(then)}, {len(now)}",
        "before": mean_level(then),
        "after": mean_level(now),
        "ratio": estimate.ratio,
        "low": low,
        "high": high,
        "oversubscribed": bool(both["oversubscribed"].any()),
        "judged": bool(fit),
        "estimate": estimate,
    }


def find_response(study: str, then: pd.DataFrame, now: pd.DataFrame) -> Response | None:
    """Return the first of the study's responses that both sides have."""
    return next(
        (
            response
            for response in find_study(study).responses
            if all(
                len(forks) and response.column in forks and forks[response.column].notna().all()
                for forks in (then, now)
            )
        ),
        None,
    )


def name_direction(low: float | None, high: float | None) -> str:
    """Return 'more' or 'less' where the interval excludes no change, else ''."""
    if low is None or high is None:
        return ""
    return "more" if low > 1 else "less" if high < 1 else ""


def compute_ratio_to_sequential(
    name: str, forks: pd.DataFrame, point: pd.DataFrame
) -> float | None:
    """Return a point's time over that of one thread that does the same work, within one run.

    This is the shape that two machines may share. None in a study without such a mechanism.
    """
    study = find_study(name)
    alike = forks["mechanism"] == study.sequential
    for parameter in study.same_work:
        alike &= forks[parameter] == point[parameter].iloc[0]
    if not alike.any():
        return None
    return mean_level(point) / mean_level(forks[alike])


def describe_comparison(
    compared: Comparison, before: Run, after: Run, margin: float, whole: bool = False
) -> list[str]:
    """Describe a comparison in lines: what differs, the table, and the conclusion.

    On one machine, only points whose interval excludes no change are listed unless `whole`.
    """
    rows = compared.rows
    if not compared.same_machine:
        columns = ["quantity", "before", "after", "ratio", "shape_before", "shape_after", "forks"]
        return [
            f"Two machines: before is {before.title()}; after is {after.title()}. Scale: ns per"
            " event. Shape: time over sequential.",
            format_table(rows, columns),
        ]
    changed = describe_difference(compared.changed)
    lines = [f"The same machine; {changed or 'nothing else changed'}."]
    shown = rows if whole else rows[rows["direction"] != ""]
    columns = ["quantity", "before", "after", "ratio", "low", "high", "direction", "forks"]
    lines += [format_table(shown, columns)] if len(shown) else []
    if len(shown) < len(rows):
        lines += [f"{len(rows) - len(shown)} more points did not change; --all prints them."]
    return [
        *lines,
        f"{len(compared.slower)} of {rows['judged'].sum()} points that could be judged"
        f" are slower by more than {margin:.0%}.",
        "Sessions of one machine differ by a few percent, which the intervals do not show.",
    ]


def format_table(rows: pd.DataFrame, columns: list[str]) -> str:
    named = rows.assign(what=rows["what"] + np.where(rows["oversubscribed"], " *", ""))
    starred = "\n* oversubscribed: not judged" if named["oversubscribed"].any() else ""
    text = named[["study", "what", *columns]].rename(columns={"what": "point"})
    return (
        text.to_string(
            index=False, float_format=lambda x: f"{x:.3g}" if x < 100 else f"{x:.0f}", na_rep=""
        )
        + starred
    )
