"""The values that stand for a run: the defaults of its parameters, or what it has instead."""

import numpy as np
import pandas as pd

from handoff.catalog import load_catalog
from handoff.run.plan.pairs import ARM, EVENTS, MECHANISM, Values
from handoff.tables.rows import parse_numbers

FREE = (MECHANISM, EVENTS)
"""Parameters without a baseline: of several numbers of events, the largest is taken."""


def mask_irrelevant(forks: pd.DataFrame, study: str) -> pd.DataFrame:
    """Return the forks with the parameters blanked that make no difference to their mechanism."""
    names = [n for n in load_catalog()[study].defaults() if n not in FREE and n in forks]
    if forks.empty:
        return forks
    rows = forks.astype(dict.fromkeys(names, object))
    for mechanism, relevant in load_catalog()[study].mechanisms.items():
        blank = [name for name in names if name not in relevant]
        rows.loc[rows["mechanism"] == mechanism, blank] = None
    return rows


def list_values(forks: pd.DataFrame, study: str) -> dict[str, Values]:
    """Return the values of each point that matter to it, in the plan's order, for `find_pairs`."""
    if forks.empty:
        return {}
    names = [name for name in (*load_catalog()[study].defaults(), ARM) if name in forks]
    points = mask_irrelevant(forks.drop_duplicates("point"), study).set_index("point")[names]
    return {
        str(point): {name: value for name, value in values.items() if pd.notna(value)}
        for point, values in points.to_dict("index").items()
    }


def find_baseline(rows: pd.DataFrame, study: str) -> dict[str, str | int]:
    """Return the value of each parameter that stands for the run.

    It is the default, or where `rows`, from `mask_irrelevant`, do not have it, the value that most
    rows have, of several such numbers the greatest.
    """
    defaults = parse_numbers(load_catalog()[study].defaults())
    chosen = {name: v for name, v in defaults.items() if name not in FREE and name in rows}
    for name, default in chosen.items():
        values = rows[name].dropna() if len(rows) else pd.Series()
        if len(values) and default not in set(values):
            chosen[name] = values.mode().max()
    return chosen


def select_baseline(
    forks: pd.DataFrame, study: str, free: tuple[str, ...], **fixed: str | int
) -> pd.DataFrame:
    """Return the forks at the baseline, except for the parameters that are `free` or `fixed`.

    Of several numbers of events, the largest of each point is kept, so that points stay distinct.
    """
    if forks.empty:
        return forks
    rows = mask_irrelevant(forks, study)
    wanted = {
        name: value for name, value in find_baseline(rows, study).items() if name not in free
    } | fixed
    kept = forks[
        np.logical_and.reduce(
            [rows[name].isna() | (rows[name] == value) for name, value in wanted.items()]
        )
    ]
    keys = [rows.loc[kept.index, name] for name in ("mechanism", *free)]
    return kept[kept["events"] == kept.groupby(keys, dropna=False)["events"].transform("max")]
