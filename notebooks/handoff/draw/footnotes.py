"""Footnote of a figure of any study: what was measured, what is missing or weak, and the run."""

import pandas as pd

from handoff.registry import find_study
from handoff.run.store.run import Run
from handoff.text import format_extent, pluralize

BAND = "band: 95 % interval of the level, from five forks on"
GREY = "On grey: oversubscribed, threads share cores; ours are hollow there."

ABOUT_SHARING = ("Hollow", "On grey")
"""First words of notes on marks that matter only where threads share cores."""

NOTHING = "Nothing to show here: this run has no fork of these points."


def write_footnote(
    run: Run, forks: pd.DataFrame, points: pd.DataFrame, caption: str, marks: str, band: str
) -> str:
    """Return the footnote: caption, number of forks, meaning of the marks, warnings, the run."""
    measured = f"{count_forks(forks)}{'; ' if band else ''}{band}."
    if marks.startswith(ABOUT_SHARING) and not forks["oversubscribed"].any():
        marks = ""
    lines = [f"{caption} {measured}", marks, list_warnings(run, forks, points), run.title()]
    return "\n".join(line.strip() for line in lines if line)


def count_forks(forks: pd.DataFrame) -> str:
    """Return a count such as '132 forks, 5 to 10 per point (1 where threads share cores)'."""
    counts = forks.groupby("point")["fork"].nunique()
    shared = forks.groupby("point")["oversubscribed"].any()
    spreads = [format_extent(part) for part in (counts[~shared], counts[shared]) if len(part)]
    more = f" ({spreads[1]} where threads share cores)" if len(set(spreads)) > 1 else ""
    return f"{pluralize(counts.sum(), 'fork')}, {spreads[0]} per point{more}"


def list_warnings(run: Run, forks: pd.DataFrame, points: pd.DataFrame) -> str:
    """Return warnings on what is missing or weak behind a figure, or ''."""
    total, disturbed = forks["point"].nunique(), int((forks["disturbed"] != "").sum())
    settled = forks["settled"].dropna() if "settled" in forks else pd.Series(dtype=bool)
    late = int((~settled.astype(bool)).sum())
    unlike = forks.loc[forks["kinds"] > 1, "point"].nunique() if "kinds" in forks else 0
    short, coarse = (
        forks.loc[forks[column], "point"].nunique() for column in ("too_short", "short_usage")
    )
    incomplete = describe_incomplete(points[points["found"] < points["asked"]])
    warnings = [
        (
            only_rehearses(run, forks),
            "THIS SWEEP ONLY TESTS THE PIPELINE: its shots are too small to say anything.",
        ),
        (incomplete, incomplete),
        (disturbed, f"DISTURBED: {disturbed} of {len(forks)} forks ran on a busy or slow machine."),
        (unlike, f"UNLIKE CORES: the threads of {unlike} of {total} points."),
        (late, f"UNSETTLED: {pluralize(late, 'fork')} had not settled when warm-up ended."),
        (short, f"TOO SHORT at {short} of {total} points: shots below 50 ms."),
        (coarse, f"TOO SHORT at {coarse} of {total} points: CPU usage from less than 200 ms."),
    ]
    return " ".join(text for applies, text in warnings if applies)


def only_rehearses(run: Run, forks: pd.DataFrame) -> bool:
    """Return whether a sweep allows tiny shots, and most of these forks have some."""
    return not run.sweep.verdicts and bool(forks["too_short"].mean() > 0.5)


def describe_incomplete(points: pd.DataFrame) -> str:
    """Return a warning on these points, rows of points.csv with forks missing, or ''."""
    if points.empty:
        return ""
    looks = [find_study(row.study).look(row.mechanism) for row in points.itertuples()]
    missing = points["asked"] - points["found"]
    counts = missing.groupby([look.label for look in looks], sort=False).sum()
    named = ", ".join(f"{name} {number}" for name, number in counts.items())
    return f"INCOMPLETE: {pluralize(missing.sum(), 'fork')} missing: {named}."
