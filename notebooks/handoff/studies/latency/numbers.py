"""Numbers of the latency study: which forks are compared, and the tables of the notebook."""

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
    """Return the forks of one wait strategy per point: the published one, or else the first.

    Plans leave out the published one where threads would share cores.
    """
    if forks.empty:
        return forks
    (wait,) = (p for p in load_catalog()["latency"].parameters if p.name == "wait")
    rank = forks["wait"].map([wait.default, *(wait.values or [])].index)
    points = [forks[name] for name in ("mechanism", "stages", "gap")]
    return forks[rank == rank.groupby(points).transform("min")]


def select_forks(forks: pd.DataFrame, *free: str, **fixed: str) -> pd.DataFrame:
    """Return the baseline's forks of one wait strategy, of any stages and `free` parameters."""
    return select_one_wait(select_baseline(forks, "latency", ("stages", "wait", *free), **fixed))


def select_published(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks like the original test: gap after each event, clock at the last stage."""
    return select_forks(forks, pacing="AFTER_PUBLISH", recording="LAST_STAGE")


def select_rates(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks on schedule, with `offered` and `reached` in events per second."""
    if forks.empty:
        return forks
    kept = select_forks(forks, "gap", pacing="SCHEDULE", recording="LAST_STAGE")
    kept = kept[kept["gap"] > 0]
    return kept.assign(offered=1e9 / kept["gap"], reached=1e9 / kept["ns_per_event"])


def compute_fork_curves(curves: pd.DataFrame, forks: pd.DataFrame) -> pd.DataFrame:
    """Return the median over a fork's shots of each curve at each quantile."""
    middle = curves.groupby(["point", "fork", "curve", "quantile"], as_index=False)["ns"].median()
    columns = ["point", "fork", "mechanism", "stages", "clock_ns", "oversubscribed"]
    return middle.merge(forks[columns], on=["point", "fork"])


def load_published() -> pd.DataFrame:
    """Return the published statistics of a hop in ns, one row per mechanism."""
    table = pd.read_csv(PUBLISHED / "latency_pipeline.csv")
    return table.pivot(index="mechanism", columns="statistic", values="ns")


def add_labels(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks with labels as `mechanism`, `wait` (blank for a queue), `share cores`."""
    ring = forks["mechanism"].str.startswith("DISRUPTOR")
    names = forks["mechanism"].map(lambda name: STUDY.look(name).label)
    return forks.assign(
        mechanism=names,
        wait=forks["wait"].where(ring, ""),
        **{"share cores": forks["oversubscribed"].astype(bool)},
    )


KEYS = ["stages", "mechanism", "wait", "share cores"]


def tabulate_statistics(forks: pd.DataFrame) -> pd.DataFrame:
    """Return ns per hop: exact, by the published statistic, and as published.

    Values are the median over a point's forks.
    """
    forks = select_published(forks)
    if forks.empty:
        return forks
    points, words = add_labels(forks).groupby(KEYS), list(STATISTICS.values())
    parts = {}
    for name, way in (("exact", "hop"), ("published statistic", "published")):
        medians = points[[statistic.replace("hop", way) for statistic in STATISTICS]].median()
        parts[name] = medians.set_axis(words, axis="columns")
    theirs = load_published().reindex(columns=STATISTICS).set_axis(words, axis="columns")
    theirs.index = [(3, STUDY.look(mechanism).label, "", False) for mechanism in theirs.index]
    table = pd.concat(parts | {"as published": theirs}, names=["statistic", *KEYS])
    return table.round().reorder_levels([*KEYS, "statistic"]).sort_index()


def describe_clock(forks: pd.DataFrame) -> str:
    """Return sentences on the clock that timed the events, and its reliability on all cores."""
    sources = sorted(str(name) for name in forks["clock"].dropna().unique())
    trusted = (
        "NOT known to be an invariant time stamp counter, so these latencies may be artefacts of"
        " the clock."
    )
    if forks["clock"].eq("tsc").all() and forks["clock_invariant"].eq(True).all():
        trusted = (
            "the time stamp counter, which by the CPU's flags runs at one speed in all power"
            " states, and which the kernel trusts on all cores."
        )
    cost = forks["clock_ns"]
    return (
        f"Clock source: {', '.join(sources) or 'unknown'}. It is {trusted} Reading it costs"
        f" {cost.median():.0f} ns ({cost.min():.0f} to {cost.max():.0f} over the forks)."
    )


def describe_recorder(forks: pd.DataFrame) -> str:
    """Return a sentence on the cost and size of recording latencies."""
    both, size = forks["recorder_ns"].median(), forks["recorder_bytes"].max() / 1024
    return (
        f"A reading of the clock and its recording take {both:.0f} ns together; a histogram has a"
        f" fixed size of {size:.0f} KiB."
    )


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return sentences on the clock and on the cost of recording."""
    return [describe_clock(forks), describe_recorder(forks)]
