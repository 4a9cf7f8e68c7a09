"""Numbers behind the figures, as tables."""

import pandas as pd

from handoff.analysis.forks import estimate_ratio, mean_level, round_table
from handoff.studies.ratios import describe_level
from handoff.studies.scaling import STUDY


def average_alone(forks: pd.DataFrame) -> pd.Series:
    """Return the ns per event of one thread alone, by sorts."""
    alone = forks[forks["mechanism"] == STUDY.sequential]
    return pd.Series({n: mean_level(rows) for n, rows in alone.groupby("sorts")}, dtype=float)


RATIO_COLUMNS = ["mechanism", "sorts", "consumers", "work_ns", "ratio", "low", "high", "cores"]


def tabulate_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """Return time over one thread's at the same load, one row per point that fits the cores.

    `low` to `high` is its 95 % interval, `work_ns` the time of an event on one thread, `cores` the
    CPU usage. Loads without one thread's time are left out.
    """
    rows: list[list] = []
    if forks.empty:
        return pd.DataFrame(rows, columns=RATIO_COLUMNS)
    work, sequential = average_alone(forks), forks["mechanism"] == STUDY.sequential
    handed = forks[~sequential & ~forks["oversubscribed"].astype(bool)]
    for (name, sorts, consumers), group in handed.groupby(["mechanism", "sorts", "consumers"]):
        if sorts in work:
            made = estimate_ratio(group, forks[sequential & (forks["sorts"] == sorts)])
            low, high = made.interval() or (None, None)
            cores = mean_level(group, "cpu_process")
            rows.append([name, sorts, consumers, work[sorts], made.ratio, low, high, cores])
    return pd.DataFrame(rows, columns=RATIO_COLUMNS).astype({"low": float, "high": float})


def tabulate_points(forks: pd.DataFrame) -> pd.DataFrame:
    """Return one row per point; `excess_ns` is over sequential, `cpu_usage` in cores."""
    if forks.empty:
        return forks
    work = average_alone(forks)
    rows = {}
    for (sorts, mechanism, consumers), group in forks.groupby(["sorts", "mechanism", "consumers"]):
        level = describe_level(group, ("ns_per_event", "low", "high"))
        key = sorts, STUDY.look(mechanism).label, 0 if mechanism == STUDY.sequential else consumers
        rows[key] = {
            "forks": len(group),
            **level,
            "excess_ns": level["ns_per_event"] - work.get(sorts, float("nan")),
            "cpu_usage": mean_level(group, "cpu_process"),
            "switches_per_event": group["voluntary"].mean(),
        }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.names = ["sorts", "mechanism", "consumers"]
    digits = dict.fromkeys(["ns_per_event", "low", "high", "excess_ns"], 1)
    return round_table(table, digits | {"cpu_usage": 2, "switches_per_event": 4})
