"""Helpers shared by studies that compare the times of points."""

import pandas as pd

from handoff.analysis.forks import measure_level

RATIO = ("ratio", "low", "high", "oversubscribed")
"""Columns of a table for the result of `compare_times`."""


def describe_level(
    point: pd.DataFrame,
    names: tuple[str, str, str] = ("ns", "low", "high"),
    column: str = "ns_per_event",
) -> dict[str, float | None]:
    """Return a point's level and the ends of its 95 % interval by these names."""
    made = measure_level(point, column)
    return dict(zip(names, (made.level, made.low, made.high), strict=True))
