"""What a run chose for the parameters that nobody asks about: its defaults, or what it has in their
place.
"""

import numpy as np
import pandas as pd

from handoff.catalog import load_catalog

FREE = ("mechanism", "events")
"""Events only scale a shot: of several, the largest shots are taken."""


def mask_irrelevant(forks: pd.DataFrame, study: str) -> pd.DataFrame:
    """The forks with each parameter missing that makes no difference to their mechanism."""
    names = [name for name in load_catalog()[study].defaults() if name not in FREE]
    rows = forks.astype(dict.fromkeys(names, object)) if len(forks) else forks.copy()
    for mechanism, matter in load_catalog()[study].mechanisms.items():
        if len(rows):
            rows.loc[
                rows["mechanism"] == mechanism, [name for name in names if name not in matter]
            ] = None
    return rows


def find_baseline(rows: pd.DataFrame, study: str) -> dict[str, str | int]:
    """Parameter to the value that stands for the run, from `relevant` rows: its default; where it
    has none, the only or greatest.
    """
    chosen = {
        name: int(v) if v.isdigit() else v
        for name, v in load_catalog()[study].defaults().items()
        if name not in FREE
    }
    for name, default in chosen.items():
        there = set(rows[name].dropna()) if len(rows) else set()
        if there and default not in there and (len(there) == 1 or isinstance(default, int)):
            chosen[name] = max(there)
    return chosen


def select_baseline(
    forks: pd.DataFrame, study: str, free: tuple[str, ...], **fixed: str | int
) -> pd.DataFrame:
    """The forks under the choices that stand for the run, but for the parameters that are `free`,
    and with those `fixed`.

    Of several numbers of events the largest of each point, so that no two points are taken for one.
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
