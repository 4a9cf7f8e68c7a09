"""A comparison of two runs in words and as a table."""

import numpy as np
import pandas as pd

from handoff.analysis.comparison import Comparison
from handoff.run.store.identity import describe_difference
from handoff.run.store.run import Run


def describe_comparison(
    compared: Comparison, before: Run, after: Run, margin: float, whole: bool = False
) -> list[str]:
    """Lines for a person: what differs, the table, and what follows. On one machine only points
    whose interval excludes no change, unless the `whole` table is asked for.
    """
    rows = compared.rows
    if compared.same_machine:
        changed = describe_difference(compared.changed)
        lines = [f"The same machine; {changed or 'nothing else changed'}."]
        shown = rows if whole else rows[rows["direction"] != ""]
        columns = ["quantity", "before", "after", "ratio", "low", "high", "direction", "forks"]
        lines += [format_table(shown, columns)] if len(shown) else []
        if len(shown) < len(rows):
            lines += [f"{len(rows) - len(shown)} more points did not change; --all prints them."]
        lines += [
            f"{len(compared.slower)} of {rows['p_slower'].notna().sum()} points that could be"
            f" judged are slower by more than {margin:.0%}."
        ]
        return [
            *lines,
            "Sessions of one machine differ by a few percent, which the intervals do not show.",
        ]
    lines = [
        f"Two machines: before is {before.title()}; after is {after.title()}. Scale: ns per event."
        " Shape: time over sequential."
    ]
    return [
        *lines,
        format_table(
            rows, ["quantity", "before", "after", "ratio", "shape_before", "shape_after", "forks"]
        ),
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
