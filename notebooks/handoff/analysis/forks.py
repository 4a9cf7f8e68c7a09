"""From shots to forks: the fork is the unit of statistics."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from handoff.analysis.sessions import compare_forks
from handoff.catalog import load_catalog

MIN_FORKS_FOR_INTERVAL = 3
MIN_FORKS_FOR_VERDICT = 5
SHOT_COLUMNS = (
    "shot",
    "warmup",
    "wall_ns",
    "user_ns",
    "sys_ns",
    "gc_ns",
    "compiler_ns",
    "producer_ns",
)
SUMMED = ("wall_ns", "user_ns", "sys_ns", "workers_ns", "producer_ns", "events")
SWITCHES = ("voluntary", "involuntary")
HOPS = ("hop_near_ns", "hop_far_ns")
EXTREMES = {"min": "min", "max": "max"}


def compute_fork_means(shots: pd.DataFrame) -> pd.DataFrame:
    """Return one row per fork, over its measured shots.

    Of a fork that was measured again because it ran disturbed, the measurement that counts is used.
    New columns: `cpu_process`, `cpu_workers`, `cpu_producer` (the first thread) and `cpu_rest`, CPU
    time over wall time, in cores. `ns_per_event` is the mean over shots, `too_short` says whether
    any shot was, `voluntary` and `involuntary` are per event. The study's other measures, and the
    cost of a hop, are medians over shots; of a least or greatest value, the least or greatest. All
    other columns of the point and the fork are kept.
    """
    if shots.empty:
        return shots
    measured = shots[~shots["warmup"] & shots["counted"]]
    measured = measured.assign(producer_ns=measured["cpu_producer"] * measured["wall_ns"])
    grouped = measured.groupby(["point", "fork"], sort=False)
    forks = grouped.first()
    total = grouped[[*SUMMED, *SWITCHES]].sum()
    forks["ns_per_event"] = grouped["ns_per_event"].mean()
    forks["cpu_process"] = (total["user_ns"] + total["sys_ns"]) / total["wall_ns"]
    forks["cpu_workers"] = total["workers_ns"] / total["wall_ns"]
    forks["cpu_producer"] = total["producer_ns"] / total["wall_ns"]
    forks["cpu_rest"] = forks["cpu_process"] - forks["cpu_workers"]
    forks["too_short"] = grouped["too_short"].any()
    for switches in SWITCHES:
        forks[switches] = total[switches] / total["events"]
    for name in (name for name in (*HOPS, *list_measures(shots)) if name in measured):
        forks[name] = getattr(grouped[name], EXTREMES.get(name.rpartition("_")[2], "median"))()
    return forks.drop(columns=[*SHOT_COLUMNS, "counted"]).reset_index()


def list_measures(shots: pd.DataFrame) -> list[str]:
    """Return what the shots' study measures in addition to time and CPU."""
    study = shots["study"].iloc[0]
    return load_catalog()[study].measures if study in load_catalog() else []


def compute_interval(values: ArrayLike, level: float = 0.95) -> tuple[float, float] | None:
    """Return the t interval of the mean of fork values, or None for fewer than 3 forks."""
    values = np.asarray(values, float)
    if len(values) < MIN_FORKS_FOR_INTERVAL:
        return None
    error = values.std(ddof=1) / np.sqrt(len(values))
    half = stdtrit(len(values) - 1, (1 + level) / 2) * error
    return values.mean() - half, values.mean() + half


def compute_ratio(
    numerator: pd.DataFrame, denominator: pd.DataFrame, level: float = 0.95
) -> tuple[float, tuple[float, float] | None]:
    """Return the ratio of geometric mean times and its Welch interval on log fork means.

    The interval is None where either side has fewer than 3 forks.
    """
    estimate = compare_forks(numerator, denominator)
    bounds = estimate.interval(level) if estimate.forks >= MIN_FORKS_FOR_INTERVAL else None
    return estimate.ratio, bounds


def compare_times(
    after: pd.DataFrame, before: pd.DataFrame
) -> tuple[float, float | None, float | None, bool]:
    """Return the ratio of two points' times, `low` and `high` (95 %), and whether cores are shared.

    There are no bounds where threads of either point share cores.
    """
    ratio, bounds = compute_ratio(after, before)
    shared = bool(pd.concat([after["oversubscribed"], before["oversubscribed"]]).any())
    return ratio, *((None, None) if shared or bounds is None else bounds), shared
