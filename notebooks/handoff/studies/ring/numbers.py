"""Numbers of the ring: cost of a hop relative to a pool of one thread, here and in the posts."""

import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.baseline import mask_irrelevant
from handoff.analysis.forks import compare_times, mean_level
from handoff.analysis.one_factor import OneFactorDesign
from handoff.paths import PUBLISHED
from handoff.studies.ring import STUDY
from handoff.text import pluralize

UNPINNED = "UNPINNED"
REFERENCE = ("SHARED_POOL", 1)
"""Mechanism and threads of the reference of all ratios, the pool of one thread."""

NODES, SINGLE_HOPS = 100, 100_000_000
"""Nodes of the posts' ring, and hops of their measurement with one token."""

LOADS = ((1, 0), (4, 0), (16, 0), (4, 1), (4, 10), (4, 100))
"""Tokens, and Monte Carlo iterations per hop, in the order of the posts."""

ONE_FACTOR = OneFactorDesign(
    "ring", ("threads", "tokens", "work"), ("generator", "serialisation", "placement")
)


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Return forks of any threads, load and placement, as published otherwise, without PI_TASKS."""
    kept = baseline.select_baseline(forks, "ring", ("threads", "tokens", "work", "placement"))
    return kept if kept.empty else kept[kept["mechanism"] != "PI_TASKS"]


def describe_row(mechanism: str, threads: float | None, placement: str) -> str:
    """Return a row's name, such as 'shared pool, 2 threads' or 'a thread for each node, pinned'."""
    parts = [STUDY.look(mechanism).label]
    if mechanism != "THREAD_PER_NODE" and threads is not None and not pd.isna(threads):
        parts.append(pluralize(int(threads), "thread"))
    return ", ".join(parts + ([] if placement == UNPINNED else ["pinned"]))


def select_one(forks: pd.DataFrame, tokens: int, work: int, placement: str) -> pd.DataFrame:
    """Return the forks of the pool of one thread at this load.

    They have this placement if it was measured, else that of the posts, else any.
    """
    ones = forks[
        (forks["mechanism"] == REFERENCE[0])
        & (forks["threads"] == REFERENCE[1])
        & (forks["tokens"] == tokens)
        & (forks["work"] == work)
    ]
    for preferred in (placement, UNPINNED):
        if (ones["placement"] == preferred).any():
            return ones[ones["placement"] == preferred]
    return ones


def compute_ratios_to_one(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the ratio to the pool of one thread, with its interval, for each way and load.

    `row` names the way; `ns` is per hop, `one_ns` that of the pool of one thread; `cpu` is the CPU
    usage.
    """
    rows = []
    keys = ["mechanism", "threads", "tokens", "work", "placement"]
    shown = mask_irrelevant(forks, "ring")
    for (mechanism, threads, tokens, work, placement), group in (
        shown.groupby(keys, dropna=False) if len(forks) else ()
    ):
        point = forks.loc[group.index]
        one = select_one(forks, tokens, work, point["placement"].iloc[0])
        if len(one):
            row = describe_row(mechanism, threads, placement)
            costs = [mean_level(some) for some in (point, one)]
            costs.append(point["cpu_process"].mean())
            rows.append([row, mechanism, tokens, work, *compare_times(point, one), *costs])
    return pd.DataFrame(
        rows,
        columns=[
            "row",
            "mechanism",
            "tokens",
            "work",
            "ratio",
            "low",
            "high",
            "oversubscribed",
            "ns",
            "one_ns",
            "cpu",
        ],
    )


def load_published() -> pd.DataFrame:
    """Return the posts' tables, with `ratio` to the pool of one thread on the same machine.

    `one_ns` is that pool's time of a hop.
    """
    tables = [
        pd.read_csv(PUBLISHED / name) for name in ("ring_single_token.csv", "ring_montecarlo.csv")
    ]
    hops = tables[1]["rounds"] * NODES * tables[1]["tokens"]
    times = [tables[0]["ms"] * 1e6 / SINGLE_HOPS, tables[1]["s"] * 1e9 / hops]
    both = pd.concat(
        [table.assign(time=time) for table, time in zip(tables, times, strict=True)],
        ignore_index=True,
    )
    # The original actors chose their number of threads, which is about that of the cores.
    pooled = both["threads"].where(both["mechanism"] != "SCALA_ACTORS", both["cores"])
    keys = ["machine", "tokens", "work"]
    one = (
        both[(both["mechanism"] == REFERENCE[0]) & (both["threads"] == 1)]
        .set_index(keys)["time"]
        .rename("one")
    )
    rows = both.assign(threads=pooled).join(one, on=keys)
    names = [describe_row(r.mechanism, r.threads, UNPINNED) for r in rows.itertuples()]
    return rows.assign(row=names, ratio=rows["time"] / rows["one"], one_ns=rows["one"])[
        ["machine", "row", "mechanism", *keys[1:], "ratio", "one_ns"]
    ]


def describe_load(tokens: int, work: int) -> str:
    return (
        f"{pluralize(tokens, 'token')}, {pluralize(work, 'iteration')}"
        if work
        else f"{pluralize(tokens, 'token')}, no work"
    )


def tabulate_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """Return a table for people: ratios to the pool of one thread, here and in the posts."""
    ours, posts = compute_ratios_to_one(forks), load_published()
    cells: dict[str, dict] = {}
    for r in ours.itertuples():
        cells.setdefault(r.row, {})[describe_load(r.tokens, r.work), "here"] = (
            f"{r.ratio:.2f}{' (shared)' if r.oversubscribed else ''}"
        )
    measured = set(zip(ours["tokens"], ours["work"], strict=True))
    for r in posts.itertuples():
        if (r.tokens, r.work) in measured:
            cells.setdefault(r.row, {})[describe_load(r.tokens, r.work), r.machine] = (
                f"{r.ratio:.2f}"
            )
    table = pd.DataFrame.from_dict(cells, orient="index").fillna("")
    if cells:
        order = [describe_load(*load) for load in LOADS]
        columns = sorted(
            table.columns,
            key=lambda c: (
                order.index(c[0]) if c[0] in order else len(order),
                c[1] != "here",
                c[1],
            ),
        )
        table = table[columns].sort_index()
        table.columns = pd.MultiIndex.from_tuples(columns, names=["load", ""])
    return table


def describe_hops(forks: pd.DataFrame) -> list[str]:
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


list_sentences = describe_hops
