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


def compute_fork_means(shots: pd.DataFrame) -> pd.DataFrame:
    """One row a fork, over its measured shots: `ns_per_event` (mean), `cpu_process`, `cpu_workers`,
    `cpu_rest` (ΣCPU / Σwall).

    Of a fork that was measured again because it ran disturbed, the measurement that counts.

    The other columns kept are the point's parameters, `fork`, `order_index`, `nodes`,
    `oversubscribed`, `too_short` (any shot), `short_usage`, `ns_per_event_created`, `voluntary` and
    `involuntary` (per event), `path_threads`, the threads on the event path, and `cpu_producer`,
    the first thread's share of a core. What the study measures besides, and a hop's cost, is the
    median over shots, of a least or greatest value the least or greatest.
    """
    if shots.empty:
        return shots
    measured = shots[~shots["warmup"] & shots["counted"]]
    measured = measured.assign(producer_ns=measured["cpu_producer"] * measured["wall_ns"])
    grouped = measured.groupby(["point", "fork"], sort=False)
    forks = grouped.first()
    total = grouped[
        [
            "wall_ns",
            "user_ns",
            "sys_ns",
            "workers_ns",
            "producer_ns",
            "events",
            "voluntary",
            "involuntary",
        ]
    ].sum()
    forks["ns_per_event"] = grouped["ns_per_event"].mean()
    forks["cpu_process"] = (total["user_ns"] + total["sys_ns"]) / total["wall_ns"]
    forks["cpu_workers"] = total["workers_ns"] / total["wall_ns"]
    forks["cpu_producer"] = total["producer_ns"] / total["wall_ns"]
    forks["cpu_rest"] = forks["cpu_process"] - forks["cpu_workers"]
    forks["too_short"] = grouped["too_short"].any()
    for switches in ("voluntary", "involuntary"):
        forks[switches] = total[switches] / total["events"]
    for name in (name for name in (*HOPS, *list_measures(shots)) if name in measured):
        forks[name] = getattr(grouped[name], EXTREMES.get(name.rpartition("_")[2], "median"))()
    return forks.drop(columns=[*SHOT_COLUMNS, "counted"]).reset_index()


HOPS = ("hop_near_ns", "hop_far_ns")
EXTREMES = {"min": "min", "max": "max"}


def list_measures(shots: pd.DataFrame) -> list[str]:
    """What the shots' study finds beyond time and CPU."""
    study = shots["study"].iloc[0]
    return load_catalog()[study].measures if study in load_catalog() else []


def compute_interval(values: ArrayLike, level: float = 0.95) -> tuple[float, float] | None:
    """The t interval of the mean of fork values; None under 3 forks."""
    values = np.asarray(values, float)
    if len(values) < MIN_FORKS_FOR_INTERVAL:
        return None
    error = values.std(ddof=1) / np.sqrt(len(values))
    half = stdtrit(len(values) - 1, (1 + level) / 2) * error
    return values.mean() - half, values.mean() + half


def compute_ratio(
    numerator: pd.DataFrame, denominator: pd.DataFrame, level: float = 0.95
) -> tuple[float, tuple[float, float] | None]:
    """Ratio of geometric mean times and its Welch t interval on log fork means; no interval under 3
    forks on either side.
    """
    found = compare_forks(numerator, denominator)
    return found.ratio, found.interval(level) if found.forks >= MIN_FORKS_FOR_INTERVAL else None


def compare_times(
    after: pd.DataFrame, before: pd.DataFrame
) -> tuple[float, float | None, float | None, bool]:
    """Time of one point's forks over another's: ratio, `low`, `high` (95 %), and whether threads of
    either share cores: then no bounds.
    """
    middle, bounds = compute_ratio(after, before)
    shared = bool(pd.concat([after["oversubscribed"], before["oversubscribed"]]).any())
    return middle, *((None, None) if shared or bounds is None else bounds), shared
