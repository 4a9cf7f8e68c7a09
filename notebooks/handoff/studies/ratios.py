"""What studies have in common that compare the times of points."""

from collections.abc import Callable

import pandas as pd

RATIO = ("ratio", "low", "high", "oversubscribed")
"""Columns of a table for the result of `compare_times`."""


def format_ratio(ratio: float, oversubscribed: bool) -> str:
    """Return a ratio such as '0.85' or '1.20 (shared)', or '' where it is missing."""
    return "" if pd.isna(ratio) else f"{ratio:.2f}{' (shared)' if oversubscribed else ''}"


def format_span(values: pd.Series, form: Callable[[float], str]) -> str:
    """Return the least and the greatest value, such as '7.1 to 9.3', or one if both look alike."""
    return " to ".join(dict.fromkeys([form(values.min()), form(values.max())]))


def prefer_fitting(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows whose threads have a core each, or all where none has."""
    fitting = rows[~rows["oversubscribed"].astype(bool)] if len(rows) else rows
    return fitting if len(fitting) else rows
