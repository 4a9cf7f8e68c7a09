"""The latency study's numbers: which forks are compared, and the tables of its notebook."""

import numpy as np
import pandas as pd

from handoff.judge.choices import choices, relevant
from handoff.names import look
from handoff.paths import PUBLISHED

STATISTICS = {"hop_min": "min", "hop_mean": "mean", "hop_p99": "99 %", "hop_p9999": "99.99 %", "hop_max": "max"}


def chosen(forks: pd.DataFrame, free: tuple[str, ...], **fixed: str | int) -> pd.DataFrame:
    """The forks under the run's standing choices but for the parameters that are `free`, and with those `fixed`."""
    if forks.empty:
        return forks
    rows = relevant(forks, "latency")
    wanted = {name: value for name, value in choices(rows, "latency").items() if name not in free} | fixed
    return forks[np.logical_and.reduce([rows[name].isna() | (rows[name] == value) for name, value in wanted.items()])]


def published_way(forks: pd.DataFrame) -> pd.DataFrame:
    """As in the original test: a gap after each event, the last stage reads the clock; any number of stages."""
    return chosen(forks, ("stages", "wait"), pacing="AFTER_PUBLISH", recording="LAST_STAGE")


def rates(forks: pd.DataFrame) -> pd.DataFrame:
    """On schedule, at any rate; with `offered` and `reached` (events a second)."""
    kept = chosen(forks, ("stages", "gap", "wait"), pacing="SCHEDULE", recording="LAST_STAGE")
    if kept.empty:
        return kept
    kept = kept[kept["gap"] > 0]
    return kept.assign(offered=1e9 / kept["gap"], reached=1e9 / kept["ns_per_event"])


def by_fork(curves: pd.DataFrame, forks: pd.DataFrame) -> pd.DataFrame:
    """One row a fork, curve and quantile: the median over its shots; with the point's parameters."""
    middle = curves.groupby(["point", "fork", "curve", "quantile"], as_index=False)["ns"].median()
    return middle.merge(forks[["point", "fork", "mechanism", "stages", "clock_ns", "oversubscribed"]], on=["point", "fork"])


def theirs() -> pd.DataFrame:
    """The published statistics of a hop, ns: a row a mechanism, a column a statistic."""
    table = pd.read_csv(PUBLISHED / "latency_pipeline.csv", comment="#")
    return table.pivot(index="mechanism", columns="statistic", values="ns")


def statistics(forks: pd.DataFrame) -> pd.DataFrame:
    """ns a hop, exact, by the published statistic, and as published: the mean over forks of a point."""
    rows, published, forks = {}, theirs(), published_way(forks)
    for (count, mechanism), own in forks.groupby(["stages", "mechanism"]) if len(forks) else ():
        for name, way in (("exact", "hop"), ("published statistic", "published")):
            rows[count, look(mechanism).label, name] = {
                words: own[statistic.replace("hop", way)].mean() for statistic, words in STATISTICS.items()
            }
    for mechanism, row in published.iterrows() if rows else ():
        rows[3, look(mechanism).label, "as published"] = {words: row[statistic] for statistic, words in STATISTICS.items()}
    table = pd.DataFrame.from_dict(rows, orient="index").round(0)
    table.index.names = ["stages", "mechanism", "statistic"] if rows else [None]
    return table.sort_index() if rows else table


def stages(forks: pd.DataFrame) -> pd.DataFrame:
    """ns of each hop by itself, where every stage reads the clock: median and 99 %."""
    own = chosen(forks, ("stages", "wait"), recording="EVERY_STAGE")
    columns = [f"stage{i}_{name}" for i in (1, 2, 3) for name in ("p50", "p99") if f"stage{i}_{name}" in own]
    if own.empty or not columns:
        return pd.DataFrame()
    named = own.assign(mechanism=own["mechanism"].map(lambda name: look(name).label))
    return named.groupby(["stages", "mechanism"])[columns].mean().round(0).dropna(axis=1, how="all")


def omission(forks: pd.DataFrame) -> pd.DataFrame:
    """Both views of the same events, ns: from publication, and from when each was due; the second has what the producer was held up by."""
    forks = rates(forks)
    if forks.empty:
        return forks
    named = forks.assign(
        mechanism=forks["mechanism"].map(lambda name: look(name).label), met=forks["reached"] / forks["offered"], rate=forks["offered"]
    )
    columns = ["met", "total_p50", "due_p50", "total_p99", "due_p99", "total_p9999", "due_p9999"]
    return named.groupby(["stages", "mechanism", "rate"])[columns].mean().round({"met": 2} | dict.fromkeys(columns[1:], 0))


def clock(forks: pd.DataFrame) -> str:
    """What timed the events, and whether it can be trusted on all cores, in sentences."""
    if forks.empty:
        return "No fork of this study is there."
    sources = ", ".join(sorted(str(name) for name in forks["clock"].dropna().unique())) or "unknown"
    told = forks["clock_invariant"].dropna().astype(bool)
    trusted = (
        "The time stamp counter is invariant: one speed in all power states, the same on all cores."
        if len(told) and told.all()
        else "The time stamp counter is NOT said to be invariant: these latencies may be the clock's."
    )
    cost = forks["clock_ns"]
    return (
        f"Clock source: {sources}. {trusted} Reading it costs {cost.median():.0f} ns ({cost.min():.0f} to {cost.max():.0f} over the forks)."
    )


def recorder(forks: pd.DataFrame) -> str:
    """What recording a latency costs, and what it holds, in a sentence."""
    if forks.empty:
        return "No fork of this study is there."
    both, size = forks["recorder_ns"].median(), forks["recorder_bytes"].max() / 1024
    return f"A reading and its record take {both:.0f} ns together; a histogram holds {size:.0f} KiB, whatever is recorded."
