"""Warm-up: from which shot on a fork is steady, by change points (PELT), in sweeps with shots
enough to tell.
"""

import numpy as np
import pandas as pd

from handoff.analysis.warm_up import count_unsettled, count_warm_up, find_steady_start
from handoff.studies.scaling import STUDY
from handoff.text import pluralize

MIN_SHOTS = 30
COUNTED = 5
"""Shots that a sweep counts after its warm-up, or about as many."""


TOO_FEW = "too few shots to tell"


def tabulate_forks(shots: pd.DataFrame) -> pd.DataFrame:
    """One row a fork: `shots`, whether they are `enough` to tell, `steady_from` (missing: not
    steady), and their `times` per event.
    """
    rows = []
    if shots.empty:
        return pd.DataFrame(
            columns=["mechanism", "sorts", "consumers", "fork", "shots", "enough", "steady_from"]
        )
    for (point, fork), own in shots[shots["counted"]].groupby(["point", "fork"], sort=False):
        times = own.sort_values("shot")["ns_per_event"].to_numpy()
        enough = len(times) >= MIN_SHOTS
        first = own.iloc[0]
        found = find_steady_start(times) if enough else None
        keys = {name: first[name] for name in ("mechanism", "sorts", "consumers") if name in own}
        rows.append(
            {
                **keys,
                "point": point,
                "fork": fork,
                "shots": len(times),
                "enough": enough,
                "steady_from": found,
                "times": times,
                "ends": find_end(own),
            }
        )
    return pd.DataFrame(rows).astype({"steady_from": "Int64"})


def find_end(shots: pd.DataFrame) -> int:
    """After how many shots a sweep's warm-up would have ended in this fork; all, where never."""
    own = shots.sort_values("shot")
    compilers = [None if pd.isna(ns) else ns for ns in own["compiler_ns"]]
    return count_warm_up(own["wall_ns"].tolist(), compilers) or len(own)


def tabulate_steadiness(forks: pd.DataFrame) -> pd.DataFrame:
    """One row a point: `forks`, those `steady`, `settled after` how many shots, and `spread` of a
    fork's later shots (standard deviation).

    Held against the rule that ends the warm-up of other sweeps: after how many shots it would have
    (`warm-up`), and `bias`, the mean of the shots that would have been counted then over the fork's
    later half, less 1; medians of forks.
    """
    rows = []
    long = forks[forks["enough"].astype(bool)] if len(forks) else forks
    for (sorts, mechanism), own in long.groupby(["sorts", "mechanism"]):
        times = [t[: min(map(len, own["times"]))] for t in own["times"]]
        later = [t[len(t) // 2 :] for t in times]
        biases = [
            t[end : end + COUNTED].mean() / np.median(half) - 1
            for t, half, end in zip(times, later, own["ends"], strict=True)
            if end < len(t)
        ]
        rows.append(
            {
                "sorts": sorts,
                "mechanism": STUDY.look(mechanism).label,
                "forks": len(own),
                "steady": int(own["steady_from"].notna().sum()),
                "settled after": count_unsettled(times),
                "spread": float(np.median([np.log(half).std(ddof=1) for half in later])),
                "warm-up": int(own["ends"].median()),
                "bias": float(np.median(biases)) if biases else None,
            }
        )
    return pd.DataFrame(
        rows,
        columns=[
            "sorts",
            "mechanism",
            "forks",
            "steady",
            "settled after",
            "spread",
            "warm-up",
            "bias",
        ],
    )


def describe_steadiness(forks: pd.DataFrame) -> str:
    """One sentence: whether these forks can tell, and how many became steady."""
    if forks.empty or not forks["enough"].any():
        most = forks["shots"].max() if len(forks) else 0
        return f"Steadiness: {TOO_FEW} (a fork has {most}; {MIN_SHOTS} are needed)."
    judged = forks[forks["enough"]]
    steady, latest = judged["steady_from"].notna().sum(), judged["steady_from"].max()
    when = f", the latest after {pluralize(latest, 'shot')}" if steady else ""
    return f"Steadiness: {steady} of {len(judged)} forks reach a level that lasts{when}."
