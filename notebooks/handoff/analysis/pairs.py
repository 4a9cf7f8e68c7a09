"""Pairs to judge: the forks of one point before and after, and why they cannot be judged."""

import json
from typing import Any

import numpy as np
import pandas as pd

from handoff.analysis import gate
from handoff.analysis.forks import compute_fork_means, make_term, mean_level
from handoff.analysis.intervals import Term
from handoff.registry import find_study
from handoff.run.plan.points import Point
from handoff.run.store.run import Run
from handoff.study import Response
from handoff.tables import tidy

NO_FORKS = pd.DataFrame(columns=["point"])


def load_forks(run: Run, study: str) -> pd.DataFrame:
    planned = any(point.study == study for point in run.points)
    forks = compute_fork_means(tidy.load_table(run, study, every_arm=True)) if planned else NO_FORKS
    return NO_FORKS if forks.empty else forks


def make_side(forks: pd.DataFrame, column: str) -> Term | None:
    """Return the forks of one side, None without any."""
    if forks.empty or not column:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        return make_term(1.0, forks, column)


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


def find_place(point: Point, arm: bool = True) -> str:
    """Return what a point is in runs of all releases, whose points have names of two lengths."""
    return json.dumps([point.params, point.arm if arm else ""], sort_keys=True)


def pair_point(
    point: Point, then: pd.DataFrame, now: pd.DataFrame
) -> tuple[gate.Pair, dict[str, Any], str]:
    """Return the forks of a point before and after, its row of the table, and the column judged."""
    response = find_response(point.study, then, now)
    column = response.column if response else ""
    old, new = (make_side(forks, column) for forks in (then, now))
    row = {
        "study": point.study,
        "point": point.key,
        "what": str(point).removeprefix(f"{point.study} "),
        "quantity": response.axis if response else "",
        "forks": f"{len(then)}, {len(now)}",
        "before": mean_level(then, column) if response else None,
        "after": mean_level(now, column) if response else None,
        "oversubscribed": point.oversubscribed,
    }
    return gate.Pair(point.key, old, new, find_flaw(point, then, now, column)), row, column
