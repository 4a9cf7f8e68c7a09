"""Pairs to judge: the forks of a point before and after, and their rows of a table."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from handoff.analysis import slowdown
from handoff.analysis.forks import compute_fork_means, make_term, mean_level
from handoff.registry import find_study
from handoff.run.plan.points import Point
from handoff.run.store.run import Run
from handoff.study import Response
from handoff.tables import tidy

NO_FORKS = pd.DataFrame(columns=["point"])

FIELDS = ("ratio", "low", "high", "visible")
"""Numbers of an outcome that are columns."""


def load_forks(run: Run, study: str) -> pd.DataFrame:
    planned = any(point.study == study for point in run.points)
    forks = compute_fork_means(tidy.load_table(run, study, every_arm=True)) if planned else NO_FORKS
    return NO_FORKS if forks.empty else forks


def find_flaw(point: Point, then: pd.DataFrame, now: pd.DataFrame, column: str) -> str:
    """Return why a point's forks cannot be judged, or ''."""
    if point.unavailable:
        return f"left out, {point.unavailable.partition(': ')[0].rstrip('.')}"
    for forks, when in ((then, "before"), (now, "after")):
        if forks.empty:
            return f"not measured {when}"
    if not column:
        return "no quantity that both sides measured"
    both = pd.concat([then, now])
    if both["oversubscribed"].any():
        return "threads share cores"
    if both["too_short"].any():
        return "shots below 50 ms"
    if set(then["hash"]) & set(now["hash"]):
        return "the same forks on both sides"
    return ""


def find_response(study: str, *sides: pd.DataFrame) -> Response | None:
    """Return the first of the study's responses that all sides have."""
    for response in find_study(study).responses:
        column = response.column
        if all(len(s) and column in s and s[column].notna().all() for s in sides):
            return response
    return None


def pair_point(
    point: Point, then: pd.DataFrame, now: pd.DataFrame
) -> tuple[slowdown.Pair, dict[str, Any], Response | None]:
    """Return the forks of a point before and after, its row of the table, and what is compared."""
    response = find_response(point.study, then, now)
    column = response.column if response else ""
    row = {
        "study": point.study,
        "point": point.key,
        "what": str(point).removeprefix(f"{point.study} "),
        "quantity": response.axis if response else "",
        "forks": f"{len(then)}, {len(now)}",
        "oversubscribed": point.oversubscribed,
    }
    flaw = find_flaw(point, then, now, column)
    if response is None:
        return slowdown.Pair(point.key, None, None, flaw), row, None
    before, after = (make_term(1.0, forks, column) for forks in (then, now))
    levels = {"before": mean_level(then, column), "after": mean_level(now, column)}
    return slowdown.Pair(point.key, before, after, flaw), row | levels, response


def tabulate_outcomes(
    rows: Sequence[dict], outcomes: Sequence[slowdown.Outcome], columns: Sequence[str]
) -> pd.DataFrame:
    """Return the rows of pairs with their outcomes; all columns of numbers are floats."""
    table = [
        row
        | {
            "outcome": outcome.word,
            "why": outcome.why,
            "direction": name_direction(outcome.low, outcome.high),
            **{name: getattr(outcome, name) for name in FIELDS},
        }
        for row, outcome in zip(rows, outcomes, strict=True)
    ]
    numbers = {"before", "after", "shape_before", "shape_after", *FIELDS} & set(columns)
    return pd.DataFrame(table, columns=columns).astype(dict.fromkeys(numbers, float))


def name_direction(low: float | None, high: float | None) -> str:
    """Return 'more' or 'less' where the interval excludes no change, else ''."""
    if low is None or high is None:
        return ""
    return "more" if low > 1 else "less" if high < 1 else ""
