"""A comparison of two runs in words: what differs, the table of points, and the conclusion."""

import math
from collections import Counter

import numpy as np
import pandas as pd

from handoff.analysis.answer import MARGIN, Answer
from handoff.analysis.comparison import NOT_JUDGED, SLOWER, Comparison
from handoff.analysis.unpaired import SESSION_SPREAD
from handoff.run.store.run import Run
from handoff.text import format_value, pluralize


def describe_comparison(
    compared: Comparison, before: Run, after: Run, margin: float, whole: bool = False
) -> list[str]:
    """Describe a comparison in lines: what differs, the table, and the conclusion.

    On one kind of machine, only points whose interval excludes no change are listed unless `whole`.
    """
    rows = compared.rows
    if compared.unlike:
        return [
            f"Not compared, two kinds of machine: {'; '.join(compared.unlike)}. Before is"
            f" {before.title()}; after is {after.title()}.",
            format_table(rows, ["quantity", "before", "after", "ratio", "forks"]),
        ]
    lines = [f"Machines of one kind; {', '.join(compared.changed) or 'nothing else changed'}."]
    shown = rows if whole else rows[rows["direction"] != ""]
    columns = ["quantity", "before", "after", "ratio", "low", "high", "outcome", "visible", "forks"]
    lines += [format_table(shown, columns)] if len(shown) else []
    if len(shown) < len(rows):
        lines.append(describe_rest(rows.drop(shown.index), margin))
    return [
        *lines,
        *describe_outcomes(rows, margin, compared.missing),
        "low to high holds for all judged points at once; the spread between the sessions of a"
        f" machine ({SESSION_SPREAD:.0%} in the shipped run) is in it. Arms of one sweep, measured"
        " in the same blocks, do not have this spread.",
    ]


def describe_rest(rows: pd.DataFrame, margin: float) -> str:
    """Describe the points that are not listed, of which none surely changes in one direction."""
    same = int((rows["answer"] == Answer.SAME).sum())
    without = int(rows["low"].isna().sum())
    counts = {
        f"changed by at most {margin:.0%}": same,
        "with an interval too wide to answer": len(rows) - same - without,
        "without an interval": without,
    }
    parts = [f"{number} {what}" for what, number in counts.items() if number]
    return f"{pluralize(len(rows), 'more point')}: {', '.join(parts)}; --all prints them."


def describe_outcomes(rows: pd.DataFrame, margin: float = MARGIN, missing: int = 0) -> list[str]:
    """Describe all outcomes in sentences: what is slower, what was not judged, what was unseen."""
    judged = rows[rows["outcome"] != NOT_JUDGED]
    slower = int((rows["outcome"] == SLOWER).sum())
    verb = "is" if slower == 1 else "are"
    of = f"{slower} of {pluralize(len(judged), 'judged point')}"
    lines = [f"{of} {verb} slower by more than {margin:.0%}."]
    if rows.empty:
        lines.append("NOT JUDGED: the two sides have no point in common.")
    elif len(judged) < len(rows):
        reasons = Counter(rows.loc[rows["outcome"] == NOT_JUDGED, "why"])
        listed = "; ".join(f"{why} ({number})" for why, number in reasons.most_common())
        lines.append(f"NOT JUDGED: {len(rows) - len(judged)} of {len(rows)} points: {listed}.")
    if missing:
        lines.append(f"INCOMPLETE: {pluralize(missing, 'fork')} missing.")
    if len(judged):
        least, most = judged["visible"].min() - 1, judged["visible"].max() - 1
        lines.append(
            f"Smallest slowdown that would have shown: {least:.0%} at the steadiest judged point,"
            f" {most:.0%} at the least steady; smaller ones may have passed."
        )
    return lines


def format_table(rows: pd.DataFrame, columns: list[str]) -> str:
    named = rows.assign(what=rows["what"] + np.where(rows["oversubscribed"], " *", ""))
    starred = "\n* threads share cores: not judged" if named["oversubscribed"].any() else ""
    formats = {
        name: lambda x, outwards=outwards: "" if np.isnan(x) else format_value(x, outwards)
        for name, outwards in (("low", math.floor), ("high", math.ceil))
        if name in columns
    }
    text = named[["study", "what", *columns]].rename(columns={"what": "point"})
    return (
        text.to_string(
            index=False,
            float_format=lambda x: f"{x:.3g}" if x < 100 else f"{x:.0f}",
            formatters=formats,
            na_rep="",
        )
        + starred
    )
