"""Numbers of the ring: cost of a hop relative to a pool of one thread, here and in the posts."""

import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.baseline import mask_irrelevant
from handoff.analysis.forks import compare_times, mean_level
from handoff.analysis.one_factor import OneFactorDesign
from handoff.paths import PUBLISHED
from handoff.studies.ratios import RATIO
from handoff.studies.ring import STUDY
from handoff.text import pluralize

UNPINNED = "UNPINNED"
POOL = "SHARED_POOL"
"""The mechanism whose one thread is the reference of all ratios."""

NODES, SINGLE_HOPS = 100, 100_000_000
"""Nodes of the posts' ring, and hops of their measurement with one token."""

ONE_FACTOR = OneFactorDesign(
    "ring", ("threads", "tokens", "work"), ("generator", "serialisation", "placement")
)


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Return forks of any threads, load and placement, as published otherwise, without PI_TASKS."""
    kept = baseline.select_baseline(forks, "ring", ("threads", "tokens", "work", "placement"))
    return kept if kept.empty else kept[kept["mechanism"] != "PI_TASKS"]


def describe_row(mechanism: str, threads: float | None, placement: str) -> str:
    """Return a row's name: 'shared pool, 2 threads' or 'a thread for each node, pinned compact'."""
    parts = [STUDY.look(mechanism).label]
    if mechanism != "THREAD_PER_NODE" and threads is not None and not pd.isna(threads):
        parts.append(pluralize(int(threads), "thread"))
    if placement != UNPINNED:
        parts.append(f"pinned {placement.lower().replace('_', ' ')}")
    return ", ".join(parts)


def select_one(forks: pd.DataFrame, tokens: int, work: int, placement: str) -> pd.DataFrame:
    """Return the forks of the pool of one thread at this load.

    They have this placement if it was measured, else that of the posts, else any.
    """
    alone = forks[(forks["mechanism"] == POOL) & (forks["threads"] == 1)]
    ones = alone[(alone["tokens"] == tokens) & (alone["work"] == work)]
    for preferred in (placement, UNPINNED):
        if (ones["placement"] == preferred).any():
            return ones[ones["placement"] == preferred]
    return ones


def compute_ratios_to_one(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the ratio to the pool of one thread, with its interval, for each way and load.

    `row` names the way; `point` and `one` are keys of the point and of the pool of one thread; `ns`
    and `one_ns` are their times of a hop.
    """
    rows = []
    keys = ["mechanism", "threads", "tokens", "work", "placement"]
    shown = mask_irrelevant(forks, "ring").groupby(keys, dropna=False) if len(forks) else ()
    for (mechanism, threads, tokens, work, placement), group in shown:
        point = forks.loc[group.index]
        one = select_one(forks, tokens, work, point["placement"].iloc[0])
        if len(one):
            row = describe_row(mechanism, threads, placement)
            costs = mean_level(point), mean_level(one)
            load = [mechanism, placement, tokens, work]
            names = point["point"].iloc[0], one["point"].iloc[0]
            rows.append([row, *load, *compare_times(point, one), *costs, *names])
    columns = ["row", "mechanism", "placement", "tokens", "work", *RATIO]
    columns += ["ns", "one_ns", "point", "one"]
    return pd.DataFrame(rows, columns=columns)


def load_published() -> pd.DataFrame:
    """Return the posts' tables, with `ratio` to the pool of one thread on the same machine.

    `one_ns` is that pool's time of a hop.
    """
    single = pd.read_csv(PUBLISHED / "ring_single_token.csv")
    darts = pd.read_csv(PUBLISHED / "ring_montecarlo.csv")
    hops = darts["rounds"] * NODES * darts["tokens"]
    single = single.assign(time=single["ms"] * 1e6 / SINGLE_HOPS)
    both = pd.concat([single, darts.assign(time=darts["s"] * 1e9 / hops)], ignore_index=True)
    # The original actors chose their number of threads, which is about that of the cores.
    pooled = both["threads"].where(both["mechanism"] != "SCALA_ACTORS", both["cores"])
    names = [describe_row(*way, UNPINNED) for way in zip(both["mechanism"], pooled, strict=True)]
    load = ["machine", "tokens", "work"]
    one = both[(both["mechanism"] == POOL) & (both["threads"] == 1)]
    rows = both.assign(row=names).join(one.set_index(load)["time"].rename("one_ns"), on=load)
    columns = [*load, "row", "mechanism", "ratio", "one_ns"]
    return rows.assign(ratio=rows["time"] / rows["one_ns"])[columns]


def describe_load(tokens: int, work: int) -> str:
    iterations = pluralize(work, "iteration") if work else "no work"
    return f"{pluralize(tokens, 'token')}, {iterations}"


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return sentences on the cheapest and dearest hop, and on the choices that matter."""
    rows = compute_ratios_to_one(select_baseline(forks))
    alone = rows[(rows["tokens"] == 1) & (rows["work"] == 0)] if len(rows) else rows
    parts = []
    if len(alone) > 1:
        least, most = alone.loc[alone["ns"].idxmin()], alone.loc[alone["ns"].idxmax()]
        parts.append(
            f"With one token and no work a hop costs {least['ns']:,.0f} ns ({least['row']}) to"
            f" {most['ns']:,.0f} ns ({most['row']})."
        )
    return parts + ONE_FACTOR.in_words(forks)
