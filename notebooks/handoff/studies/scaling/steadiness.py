"""Steadiness: the shot from which a fork is steady, by change points (PELT)."""

import numpy as np
import pandas as pd

from handoff.analysis.forks import select_measurements
from handoff.analysis.warm_up import count_unsettled, count_warm_up, find_steady_start
from handoff.draw.words import Words, capitalize
from handoff.studies.scaling import STUDY
from handoff.text import pluralize

MIN_SHOTS = 30
COUNTED = 5
"""Shots that a sweep typically counts after its warm-up."""

COLUMNS = ["sorts", "mechanism", "forks", "steady", "settled after", "spread", "warm-up", "bias"]
FORK_COLUMNS = ["mechanism", "sorts", "consumers", "shots", "enough", "steady_from"]


def tabulate_forks(shots: pd.DataFrame) -> pd.DataFrame:
    """Return one row per fork: `steady_from` (missing: not steady) and its `times` per event.

    `enough` says whether its `shots` can tell; `ends` is as in `find_end`.
    """
    if shots.empty:
        return pd.DataFrame(columns=FORK_COLUMNS)
    rows = []
    for _, group in select_measurements(shots).groupby(["point", "fork"], sort=False):
        ordered = group.sort_values("shot")
        times = ordered["ns_per_event"].to_numpy()
        enough = len(times) >= MIN_SHOTS
        rows.append(
            {
                **ordered.iloc[0][["mechanism", "sorts", "consumers"]],
                "shots": len(times),
                "enough": enough,
                "steady_from": find_steady_start(times) if enough else None,
                "times": times,
                "ends": find_end(ordered),
            }
        )
    return pd.DataFrame(rows).astype({"steady_from": "Int64"})


def find_end(shots: pd.DataFrame) -> int:
    """Return after how many shots a sweep's warm-up would end in this fork, or their number."""
    compilers = [None if pd.isna(ns) else ns for ns in shots["compiler_ns"]]
    return count_warm_up(shots["wall_ns"].tolist(), compilers) or len(shots)


def tabulate_steadiness(forks: pd.DataFrame) -> pd.DataFrame:
    """Return one row per point: how many forks become `steady`, and after how many shots.

    `spread` is the standard deviation of a fork's later shots. `warm-up` and `bias` check the rule
    that ends the warm-up of other sweeps: the shots after which it would have ended, and the mean
    of those counted then over the fork's later half, less 1. Values are medians of forks.
    """
    long = forks[forks["enough"].astype(bool)] if len(forks) else forks
    rows = [
        {"sorts": sorts, "mechanism": STUDY.look(mechanism).label} | summarize_point(point)
        for (sorts, mechanism), point in long.groupby(["sorts", "mechanism"])
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def summarize_point(forks: pd.DataFrame) -> dict:
    times = [t[: min(map(len, forks["times"]))] for t in forks["times"]]
    later = [t[len(t) // 2 :] for t in times]
    biases = [
        t[end : end + COUNTED].mean() / np.median(half) - 1
        for t, half, end in zip(times, later, forks["ends"], strict=True)
        if end < len(t)
    ]
    return {
        "forks": len(forks),
        "steady": int(forks["steady_from"].notna().sum()),
        "settled after": count_unsettled(times),
        "spread": float(np.median([np.log(half).std(ddof=1) for half in later])),
        "warm-up": int(forks["ends"].median()),
        "bias": float(np.median(biases)) if biases else None,
    }


def describe_steadiness(forks: pd.DataFrame) -> str:
    """Return one sentence on how many of these forks became steady, if they can tell."""
    if forks.empty or not forks["enough"].any():
        most = forks["shots"].max() if len(forks) else 0
        return f"Steadiness: too few shots to tell (a fork has {most}; {MIN_SHOTS} are needed)."
    judged = forks[forks["enough"]]
    steady, latest = judged["steady_from"].notna().sum(), judged["steady_from"].max()
    when = f", the latest after {pluralize(latest, 'shot')}" if steady else ""
    return f"Steadiness: {steady} of {len(judged)} forks reach a level that lasts{when}."


def write_words(forks: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; the title is the sentence on how many forks became steady."""
    caption = (
        "One line per fork: its shots over the median of their later half, so that 1 is where it"
        " ends. Grey: the sweep's own warm-up, which does not count."
    )
    steadiness = describe_steadiness(forks)
    title = steadiness.removeprefix("Steadiness: ").rstrip(".")
    return Words(capitalize(title), caption, f"{steadiness} {caption}", note, main=False)
