"""What stands below every figure, whatever the study: what is missing or weak, and the run."""

from typing import Any

import pandas as pd

from handoff.registry import find_study
from handoff.run.store.run import Run
from handoff.text import pluralize

BAND = "band: 95 % t interval of the fork mean"
GREY = "On grey: oversubscribed, threads share cores; ours are hollow there."


ABOUT_SHARING = ("Hollow", "Ours hollow", "On grey")
"""How words begin that tell what points look like whose threads share cores."""


def write_footnote(
    run: Run,
    forks: pd.DataFrame,
    points: pd.DataFrame,
    caption: str = "",
    marks: str = GREY,
    band: str = BAND,
) -> str:
    """`caption` says what was measured; then how many forks, what the marks mean, what is missing
    or weak, and the run.
    """
    measured = f"{count_forks(forks)}{'; ' if band else ''}{band}."
    return "\n".join(
        filter(
            None,
            [
                f"{caption} {measured}".strip(),
                (
                    marks
                    if forks["oversubscribed"].any() or not marks.startswith(ABOUT_SHARING)
                    else ""
                ),
                list_warnings(run, forks, points),
                run.title(),
            ],
        )
    )


def count_forks(forks: pd.DataFrame) -> str:
    """'132 forks, 5 to 10 a point (1 where threads share cores)'."""
    counts = forks.groupby("point")["fork"].nunique()
    shared = forks.groupby("point")["oversubscribed"].any()
    told = [format_spread(own) for own in (counts[~shared], counts[shared]) if len(own)]
    beside = f" ({told[1]} where threads share cores)" if len(set(told)) > 1 else ""
    return f"{pluralize(counts.sum(), 'fork')}, {told[0]} a point{beside}"


def format_spread(counts: pd.Series) -> str:
    low, high = counts.min(), counts.max()
    return f"{low} to {high}" if low < high else f"{high}"


def list_warnings(run: Run, forks: pd.DataFrame, points: pd.DataFrame) -> str:
    """What is missing or weak behind a figure; '' when nothing is."""
    disturbed = int((forks["disturbed"] != "").sum())
    parts = [
        (
            ""
            if run.sweep.verdicts
            else "THIS SWEEP ONLY TESTS THE PIPELINE: its shots are too small to say anything."
        ),
        describe_incomplete(points[points["found"] < points["asked"]]),
        (
            f"DISTURBED: {disturbed} of {len(forks)} forks ran on a busy or slow machine."
            if disturbed
            else ""
        ),
        describe_unlike(forks),
        describe_unsettled(forks),
        describe_weak(forks, "too_short", "shots below 50 ms"),
        describe_weak(forks, "short_usage", "CPU usage from less than 200 ms"),
    ]
    return " ".join(filter(None, parts))


def describe_unlike(forks: pd.DataFrame) -> str:
    """How many points have threads on unlike kinds of core; '' when none has."""
    if "kinds" not in forks:
        return ""
    points = forks.loc[forks["kinds"] > 1, "point"].nunique()
    total = forks["point"].nunique()
    return f"UNLIKE CORES: the threads of {points} of {total} points." if points else ""


def describe_unsettled(forks: pd.DataFrame) -> str:
    """How many forks ended their warm-up at its limit; '' when none did."""
    told = forks["settled"].dropna() if "settled" in forks else pd.Series(dtype=bool)
    number = int((~told.astype(bool)).sum())
    return f"UNSETTLED: {number} of {len(told)} forks did not level off in time." if number else ""


def describe_incomplete(lacking: pd.DataFrame) -> str:
    """Which points lack forks, and how many."""
    if lacking.empty:
        return ""
    named = [
        f"{find_study(row.study).look(row.mechanism).label}{describe_place(row)}"
        for row in lacking.head(6).itertuples()
    ]
    rest = f" and {len(lacking) - 6} more" if len(lacking) > 6 else ""
    count = int((lacking["asked"] - lacking["found"]).sum())
    return f"INCOMPLETE: {pluralize(count, 'fork')} missing, of {', '.join(named)}{rest}."


def describe_place(row: Any) -> str:
    """' n=3', ' PIPELINE': where in its study a point (a row of tidy/points.csv) lies."""
    study = find_study(row.study)
    if study.axis:
        return f" n={int(getattr(row, study.axis))}"
    values = {name: getattr(row, name) for name in study.location}
    parts = [
        value if isinstance(value, str) else pluralize(int(value), name.rstrip("s"))
        for name, value in values.items()
    ]
    return f" {', '.join(parts)}" if parts else ""


def describe_weak(forks: pd.DataFrame, column: str, what: str) -> str:
    points = forks.loc[forks[column], "point"].nunique()
    return f"TOO SHORT at {points} of {forks['point'].nunique()} points: {what}." if points else ""
