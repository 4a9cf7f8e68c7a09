"""What stands below every figure, whatever the study: what is missing or weak, and the run."""

import pandas as pd

from handoff.names import counted, look
from handoff.run.points import TOLD
from handoff.run.store import Run

BAND = "band: 95 % t interval of the fork mean"
GREY = "On grey: oversubscribed, threads share cores; ours are hollow there."


def footnote(run: Run, forks: pd.DataFrame, points: pd.DataFrame, told: str = "", marks: str = GREY, band: str = BAND) -> str:
    """`told` says what was measured; then how many forks, what the marks mean, what is missing or weak, and the run."""
    counts = forks.groupby("point")["fork"].nunique()
    spread = f"{counts.min()} to {counts.max()}" if counts.min() < counts.max() else f"{counts.max()}"
    measured = f"{counted(counts.sum(), 'fork')}, {spread} a point{'; ' if band else ''}{band}."
    return "\n".join(filter(None, [f"{told} {measured}".strip(), marks, warnings(run, forks, points), run.title()]))


def warnings(run: Run, forks: pd.DataFrame, points: pd.DataFrame) -> str:
    """What is missing or weak behind a figure; '' when nothing is."""
    disturbed = int((forks["disturbed"] != "").sum())
    told = [
        "" if run.sweep.verdicts else "THIS SWEEP ONLY PROVES THE ROAD: its shots are too small to say anything.",
        incomplete(points[points["found"] < points["asked"]]),
        f"DISTURBED: {disturbed} of {len(forks)} forks ran on a busy or slow machine." if disturbed else "",
        weak(forks, "too_short", "shots below 50 ms"),
        weak(forks, "short_usage", "CPU usage from less than 200 ms"),
    ]
    return " ".join(filter(None, told))


def incomplete(lacking: pd.DataFrame) -> str:
    """Which points lack forks, and how many."""
    if lacking.empty:
        return ""
    named = [f"{look(row.mechanism).label}{place(row)}" for row in lacking.head(6).itertuples()]
    rest = f" and {len(lacking) - 6} more" if len(lacking) > 6 else ""
    count = int((lacking["asked"] - lacking["found"]).sum())
    return f"INCOMPLETE: {counted(count, 'fork')} missing, of {', '.join(named)}{rest}."


def place(row: tuple) -> str:
    """' n=3', ' PIPELINE': where in its study a point lies; numbers of other studies' parameters are missing."""
    if pd.notna(getattr(row, "consumers", None)):
        return f" n={int(row.consumers)}"
    there = {name: getattr(row, name, None) for name in TOLD}
    told = [value if isinstance(value, str) else counted(int(value), name.rstrip("s")) for name, value in there.items() if pd.notna(value)]
    return f" {', '.join(told)}" if told else ""


def weak(forks: pd.DataFrame, column: str, what: str) -> str:
    points = forks.loc[forks[column], "point"].nunique()
    return f"TOO SHORT: {points} of {forks['point'].nunique()} points have {what}." if points else ""
