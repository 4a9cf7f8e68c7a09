"""What a figure leaves out of its study: mechanisms, values of parameters, and points."""

import pandas as pd

from handoff.analysis.baseline import mask_irrelevant
from handoff.catalog import load_catalog
from handoff.run.plan.pairs import ARM, MECHANISM
from handoff.study import Study
from handoff.text import format_extent


def describe_left_out(study: Study, drawn: pd.DataFrame, measured: pd.DataFrame) -> str:
    """Return how many of a study's points a figure draws, at which values, and what is missing.

    `drawn` are the figure's forks, `measured` the study's points that have forks. Return '' if all
    are drawn.
    """
    total, number = measured["point"].nunique(), drawn["point"].nunique()
    if number == total:
        return ""
    same = measured[MECHANISM].isin(drawn[MECHANISM])
    known = mask_irrelevant(measured[same], study.name)
    shown = mask_irrelevant(drawn, study.name)
    parts = [
        count_values(name, set(shown[name].dropna()), known[name].nunique())
        for name in (ARM, *load_catalog()[study.name].defaults())
        if name != MECHANISM and name in known and name in shown
    ]
    values = ", ".join(filter(None, parts))
    names = [study.look(name).label for name in measured.loc[~same, MECHANISM].unique()]
    missing = f" Not drawn: {', '.join(names)}." if names else ""
    return f"Drawn: {number} of {total} points{': ' if values else ''}{values}.{missing}"


def count_values(name: str, values: set, total: int) -> str:
    """Return a parameter's values with their number, as 'sorts 1 (of 3 values)'; '' for all."""
    if len(values) == total:
        return ""
    words = any(isinstance(value, str) for value in values)
    shown = ", ".join(sorted(values)) if words else format_extent(values, "{:,}".format)
    number = f"{len(values)} of" if len(values) > 1 else "of"
    return f"{name} {shown} ({number} {total} values)"
