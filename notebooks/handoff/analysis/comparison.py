"""Comparison of two runs, or of the arms of one: what is slower, point by point.

The forks of the two sides are never pooled. What cannot be judged is an outcome of its own, so that
nothing passes for want of forks.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.answer import MARGIN, find_answer
from handoff.analysis.forks import compute_fork_means, make_term, mean_level
from handoff.analysis.intervals import MIN_FORKS, Estimate, Term, estimate
from handoff.analysis.unpaired import estimate_apart
from handoff.errors import COMPLETE, INCOMPLETE, REGRESSION, UNJUDGED
from handoff.run.host.machine import list_other_kind, list_updated
from handoff.run.plan.points import Point
from handoff.run.store.identity import SETUP_KEYS, WORDS, list_other
from handoff.run.store.run import Run
from handoff.study import find_study
from handoff.tables import tidy
from handoff.text import pluralize

ERROR = 0.05
"""Chance that any point of a comparison counts as slower although none is, at most."""

DETECT = 1.0
"""Slowdown that a point must be able to show, or three margins if that is more."""

SLOWER, NOT_SLOWER, NOT_JUDGED = "slower", "not slower", "not judged"
NOT_COMPARED = "not compared"
"""Outcome of every point where the machines are of two kinds."""

NUMBERS = ("before", "after", "ratio", "low", "high", "visible")
COLUMNS = (
    *("study", "point", "arm", "what", "quantity", "outcome", "why", "direction", "answer"),
    *("forks", *NUMBERS, "oversubscribed"),
)
NO_FORKS = pd.DataFrame(columns=["point"])

Made = tuple[dict, Estimate | None]
"""A point's part of its row, with `why` it cannot be judged, and after ÷ before."""


class Comparison(NamedTuple):
    """The points of two runs, how the runs differ, and the exit code.

    `rows` has COLUMNS: `direction` is that of an interval that excludes 1, `answer` says whether
    the change is larger than the margin. `unlike` says in which parts of the hardware the machines
    differ, `changed` what else differs; `missing` counts planned forks without a file.
    """

    rows: pd.DataFrame
    unlike: list[str]
    changed: list[str]
    missing: int
    code: int


def compare_runs(before: Run, after: Run, margin: float = MARGIN) -> Comparison:
    """Compare two runs point by point, after ÷ before, by the first response of each study.

    All intervals hold at once. Machines of two kinds stand side by side, and nothing is judged.
    """
    unlike = list_other_kind(before.machine, after.machine)
    for run in (before, after):
        tidy.write_tables(run)
    studies = dict.fromkeys(point.study for point in (*before.points, *after.points))
    rows = tabulate_outcomes(
        [made for study in studies for made in pair_runs(study, before, after)], margin
    )
    missing = len(before.missing()) + len(after.missing())
    code = COMPLETE if unlike else find_code(rows, missing)
    if unlike:
        blank = {"outcome": NOT_COMPARED, "why": "", "direction": "", "answer": ""}
        rows = rows.assign(**blank, low=math.nan, high=math.nan)
    return Comparison(rows, unlike, list_changed(before, after), missing, code)


def compare_arms(run: Run) -> pd.DataFrame:
    """Compare each arm of a run with the first one; all intervals hold at once."""
    made, first = [], run.sweep.first_arm
    for study in dict.fromkeys(point.study for point in run.points):
        forks, points = load_forks(run, study), [p for p in run.points if p.study == study]
        before = {frozenset(p.params.items()): p.key for p in points if p.arm == first}
        for point in (point for point in points if point.arm != first):
            keys = (before[frozenset(point.params.items())], point.key)
            then, now = (forks[forks["point"] == key] for key in keys)
            made.append(compare_point(point, then, now, estimate))
    return tabulate_outcomes(made)


def load_forks(run: Run, study: str) -> pd.DataFrame:
    planned = any(point.study == study for point in run.points)
    forks = compute_fork_means(tidy.load_table(run, study, every_arm=True)) if planned else NO_FORKS
    return NO_FORKS if forks.empty else forks


def list_changed(before: Run, after: Run) -> list[str]:
    """Return what differs between runs of one kind of machine, such as 'another jar'."""
    keys = [key for key in SETUP_KEYS if key != "machine"]
    changed = ["sweep"] if before.sweep_hash != after.sweep_hash else []
    changed += list_other(before.identity, after.identity, keys)
    return [*(WORDS[key] for key in changed), *list_updated(before.machine, after.machine)]


def pair_runs(study: str, before: Run, after: Run) -> list[Made]:
    """Return every point of the study in either run, those that share cores last."""
    # Points of runs of all releases are matched by what they are: their names differ in length.
    plans = [
        {(frozenset(p.params.items()), p.arm): p for p in run.points if p.study == study}
        for run in (before, after)
    ]
    sides = [load_forks(run, study) for run in (before, after)]
    made = []
    for place, point in sorted((plans[0] | plans[1]).items(), key=lambda p: p[1].oversubscribed):
        keys = [plan[place].key if place in plan else "" for plan in plans]
        then, now = (f[f["point"] == key] for f, key in zip(sides, keys, strict=True))
        made.append(compare_point(point, then, now, estimate_apart))
    return made


def compare_point(
    point: Point,
    then: pd.DataFrame,
    now: pd.DataFrame,
    combine: Callable[[Iterable[Term]], Estimate],
) -> Made:
    """Return what was compared at a point, and after ÷ before where both sides have values.

    The quantity is the first of the study's responses that both sides have.
    """
    columns = {
        response.column: response.axis
        for response in find_study(point.study).responses
        if all(
            len(forks) and response.column in forks and forks[response.column].notna().all()
            for forks in (then, now)
        )
    }
    column = next(iter(columns), "")
    row = {
        "study": point.study,
        "point": point.key,
        "arm": point.arm,
        "what": str(point).removeprefix(f"{point.study} ").removesuffix(f" arm={point.arm}"),
        "quantity": columns.get(column, ""),
        "forks": f"{len(then)}, {len(now)}",
        "oversubscribed": point.oversubscribed,
        "why": find_flaw(point, then, now, column),
    }
    if not column:
        return row, None
    row |= {"before": mean_level(then, column), "after": mean_level(now, column)}
    terms = [make_term(1.0, now, column), make_term(-1.0, then, column)]
    known = all(np.isfinite(term.logs).all() for term in terms)
    return row, combine(terms) if known else None


def find_flaw(point: Point, then: pd.DataFrame, now: pd.DataFrame, column: str) -> str:
    """Return why a point's forks cannot be judged, or ''."""
    if point.unavailable:
        return f"left out, {point.unavailable.partition(': ')[0].rstrip('.')}"
    for forks, when in ((then, "before"), (now, "after")):
        if forks.empty:
            return f"not measured {when}"
    if not column:
        return "no quantity that both sides measured"
    both, fewest = pd.concat([then, now]), min(len(then), len(now))
    flaws = {
        "threads share cores": both["oversubscribed"].any(),
        "shots below 50 ms": both["too_short"].any(),
        "the same forks on both sides": bool(set(then["hash"]) & set(now["hash"])),
        "a value is not a positive number": not (both[column] > 0).all(),
        f"{pluralize(fewest, 'fork')}, {MIN_FORKS} needed": fewest < MIN_FORKS,
    }
    return next((flaw for flaw, present in flaws.items() if present), "")


def tabulate_outcomes(made: Sequence[Made], margin: float = MARGIN) -> pd.DataFrame:
    """Return the points with their outcomes, by intervals that hold for all judged points at once.

    `visible` is the smallest ratio that a point's forks would have shown to be slower.
    """
    able = sum(not row["why"] and bool(e and e.interval()) for row, e in made)
    confidence = 1 - 2 * ERROR / max(1, able)
    table = [row | judge_point(row["why"], e, confidence, margin) for row, e in made]
    return pd.DataFrame(table, columns=COLUMNS).astype(dict.fromkeys(NUMBERS, float))


def judge_point(flaw: str, made: Estimate | None, confidence: float, margin: float) -> dict:
    """Return a point's outcome from its estimate, at the confidence that all points share."""
    blank = {"outcome": NOT_JUDGED, "direction": "", "ratio": made.ratio if made else None}
    bounds = None if flaw or made is None else made.interval(confidence)
    low, high = bounds or (None, None)
    blank["answer"] = str(find_answer(low, high, margin))
    if made is None or low is None or high is None:
        return blank | {"why": flaw or "no session has both sides"}
    visible = (1 + margin) * made.ratio / low
    seen = {
        "direction": "more" if low > 1 else "less" if high < 1 else "",
        "low": low,
        "high": high,
        "visible": visible,
    }
    if low > 1 + margin:
        return blank | seen | {"outcome": SLOWER}
    detect = max(DETECT, 3 * margin)
    if visible > 1 + detect:
        return blank | seen | {"why": f"a slowdown of {detect:.0%} would not have shown"}
    return blank | seen | {"outcome": NOT_SLOWER}


def find_code(rows: pd.DataFrame, missing: int = 0) -> int:
    """Return the exit code; `missing` forks were planned and not measured.

    A point that is slower weighs most, then one that could not be judged.
    """
    outcomes = set(rows["outcome"])
    if SLOWER in outcomes:
        return REGRESSION
    if outcomes != {NOT_SLOWER}:
        return UNJUDGED
    return INCOMPLETE if missing else COMPLETE
