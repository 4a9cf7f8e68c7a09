"""The latency study's numbers: which forks are compared, and the tables of its notebook."""

import pandas as pd

from handoff.analysis.baseline import select_baseline
from handoff.catalog import load_catalog
from handoff.paths import PUBLISHED
from handoff.studies.latency import STUDY

STATISTICS = {
    "hop_min": "min",
    "hop_p50": "median",
    "hop_mean": "mean",
    "hop_p99": "99 %",
    "hop_p9999": "99.99 %",
    "hop_max": "max",
}


def select_one_wait(forks: pd.DataFrame) -> pd.DataFrame:
    """Of each point that was measured under several wait strategies one: the published one, or
    where that is left out, because threads would share cores, the first that is there, in the
    parameter's order.
    """
    if forks.empty:
        return forks
    wait = next(
        parameter for parameter in load_catalog()["latency"].parameters if parameter.name == "wait"
    )
    rank = forks["wait"].map([wait.default, *(wait.values or [])].index)
    return forks[
        rank
        == rank.groupby([forks[name] for name in ("mechanism", "stages", "gap")]).transform("min")
    ]


def select_published(forks: pd.DataFrame) -> pd.DataFrame:
    """As in the original test: a gap after each event, the last stage reads the clock; any number
    of stages.
    """
    return select_one_wait(
        select_baseline(
            forks, "latency", ("stages", "wait"), pacing="AFTER_PUBLISH", recording="LAST_STAGE"
        )
    )


def select_rates(forks: pd.DataFrame) -> pd.DataFrame:
    """On schedule, at any rate; with `offered` and `reached` (events a second)."""
    kept = select_one_wait(
        select_baseline(
            forks, "latency", ("stages", "gap", "wait"), pacing="SCHEDULE", recording="LAST_STAGE"
        )
    )
    if kept.empty:
        return kept
    kept = kept[kept["gap"] > 0]
    return kept.assign(offered=1e9 / kept["gap"], reached=1e9 / kept["ns_per_event"])


def compute_fork_curves(curves: pd.DataFrame, forks: pd.DataFrame) -> pd.DataFrame:
    """One row a fork, curve and quantile: the median over its shots; with the
    point's parameters.
    """
    middle = curves.groupby(["point", "fork", "curve", "quantile"], as_index=False)["ns"].median()
    return middle.merge(
        forks[["point", "fork", "mechanism", "stages", "clock_ns", "oversubscribed"]],
        on=["point", "fork"],
    )


def load_published() -> pd.DataFrame:
    """The published statistics of a hop, ns: a row a mechanism, a column a statistic."""
    table = pd.read_csv(PUBLISHED / "latency_pipeline.csv")
    return table.pivot(index="mechanism", columns="statistic", values="ns")


def add_labels(forks: pd.DataFrame) -> pd.DataFrame:
    """With the mechanism's name for people, its `wait` (blank for a queue), and whether threads
    `share cores`.
    """
    ring = forks["mechanism"].str.startswith("DISRUPTOR")
    names = forks["mechanism"].map(lambda name: STUDY.look(name).label)
    return forks.assign(
        mechanism=names,
        wait=forks["wait"].where(ring, ""),
        **{"share cores": forks["oversubscribed"].astype(bool)},
    )


KEYS = ["stages", "mechanism", "wait", "share cores"]


def tabulate_statistics(forks: pd.DataFrame) -> pd.DataFrame:
    """ns a hop, exact, by the published statistic, and as published: the median over a point's
    forks.
    """
    forks = select_published(forks)
    if forks.empty:
        return forks
    rows, published = {}, load_published()
    for keys, own in add_labels(forks).groupby(KEYS):
        for name, way in (("exact", "hop"), ("published statistic", "published")):
            rows[*keys, name] = {
                words: own[statistic.replace("hop", way)].median()
                for statistic, words in STATISTICS.items()
            }
    for mechanism, row in published.iterrows():
        rows[3, STUDY.look(mechanism).label, "", False, "as published"] = {
            words: row.get(statistic) for statistic, words in STATISTICS.items()
        }
    table = pd.DataFrame.from_dict(rows, orient="index").round(0)
    table.index.names = [*KEYS, "statistic"]
    return table.sort_index()


def tabulate_stages(forks: pd.DataFrame) -> pd.DataFrame:
    """ns of each hop by itself, where every stage reads the clock: median and 99 %, the median over
    a point's forks.
    """
    own = select_one_wait(
        select_baseline(forks, "latency", ("stages", "wait"), recording="EVERY_STAGE")
    )
    columns = [
        f"stage{i}_{name}"
        for i in (1, 2, 3)
        for name in ("p50", "p99")
        if f"stage{i}_{name}" in own
    ]
    if own.empty or not columns:
        return pd.DataFrame()
    return add_labels(own).groupby(KEYS)[columns].median().round(0).dropna(axis=1, how="all")


def tabulate_omission(forks: pd.DataFrame) -> pd.DataFrame:
    """Both views of the same events, ns: from publication, and from when each was due; the median
    over a point's forks.

    `met` is the share of the offered rate that was reached; only the second view has what the
    producer was held up by.
    """
    forks = select_rates(forks)
    if forks.empty:
        return forks
    text = add_labels(forks).assign(
        met=forks["reached"] / forks["offered"], rate=forks["offered"].round().astype(int)
    )
    columns = ["met", "total_p50", "due_p50", "total_p99", "due_p99", "total_p9999", "due_p9999"]
    return (
        text.groupby([*KEYS, "rate"])[columns]
        .median()
        .round({"met": 2} | dict.fromkeys(columns[1:], 0))
    )


def describe_clock(forks: pd.DataFrame) -> str:
    """What timed the events, and whether it can be trusted on all cores, in sentences."""
    if forks.empty:
        return "No fork of this study is there."
    sources = sorted(str(name) for name in forks["clock"].dropna().unique())
    sure = forks["clock"].eq("tsc").all() and forks["clock_invariant"].eq(True).all()
    trusted = (
        "It is the time stamp counter, said to run at one speed in all power states, and the kernel"
        " trusts it on all cores."
        if sure
        else (
            "It is NOT known to be an invariant time stamp counter: these latencies may be the"
            " clock's."
        )
    )
    cost = forks["clock_ns"]
    read = (
        f"Reading it costs {cost.median():.0f} ns ({cost.min():.0f} to {cost.max():.0f} over the"
        " forks)."
    )
    return f"Clock source: {', '.join(sources) or 'unknown'}. {trusted} {read}"


def describe_recorder(forks: pd.DataFrame) -> str:
    """What recording a latency costs, and what it holds, in a sentence."""
    if forks.empty:
        return "No fork of this study is there."
    both, size = forks["recorder_ns"].median(), forks["recorder_bytes"].max() / 1024
    return (
        f"A reading and its record take {both:.0f} ns together; a histogram holds {size:.0f} KiB,"
        " whatever is recorded."
    )


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """What timed the events, and what recording them costs."""
    return [describe_clock(forks), describe_recorder(forks)]
