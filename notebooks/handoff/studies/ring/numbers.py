"""The ring's numbers: what a hop costs beside a pool of one thread, here and in the posts, and what
one choice changes.
"""

import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.baseline import mask_irrelevant
from handoff.analysis.forks import compare_times
from handoff.analysis.one_factor import OneFactorDesign
from handoff.paths import PUBLISHED
from handoff.studies.ring import STUDY
from handoff.text import pluralize

UNPINNED = "UNPINNED"
REFERENCE = ("SHARED_POOL", 1)
"""What all is divided by: the pool of one thread."""

LOADS = ((1, 0), (4, 0), (16, 0), (4, 1), (4, 10), (4, 100))
"""(tokens, Monte-Carlo iterations a hop), in the order in which the posts come to them."""

ONE_FACTOR = OneFactorDesign(
    "ring", ("threads", "tokens", "work"), ("generator", "serialisation", "placement")
)


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Any mechanism, threads, load and placement, the rest as published. Without the two tasks for
    pi.
    """
    kept = baseline.select_baseline(forks, "ring", ("threads", "tokens", "work", "placement"))
    return kept if kept.empty else kept[kept["mechanism"] != "PI_TASKS"]


def describe_row(mechanism: str, threads: float | None, placement: str) -> str:
    """'shared pool, 2 threads', 'a thread for each node, pinned'; the posts pinned nothing."""
    parts = [STUDY.look(mechanism).label]
    if mechanism != "THREAD_PER_NODE" and threads is not None and not pd.isna(threads):
        parts.append(pluralize(int(threads), "thread"))
    return ", ".join(parts + ([] if placement == UNPINNED else ["pinned"]))


def select_one(forks: pd.DataFrame, tokens: int, work: int, placement: str) -> pd.DataFrame:
    """The forks of the pool of one thread at this load: placed alike or, where there are none, as
    the posts' were or else as they are.
    """
    ones = forks[
        (forks["mechanism"] == REFERENCE[0])
        & (forks["threads"] == REFERENCE[1])
        & (forks["tokens"] == tokens)
        & (forks["work"] == work)
    ]
    for own in (placement, UNPINNED):
        if (ones["placement"] == own).any():
            return ones[ones["placement"] == own]
    return ones


def compute_ratios_to_one(forks: pd.DataFrame) -> pd.DataFrame:
    """One row a way and load: `row`, `mechanism`, `tokens`, `work`, `ratio` to the pool of one
    thread with `low`, `high`, `ns` a hop, `cpu`, `oversubscribed`.
    """
    rows = []
    keys = ["mechanism", "threads", "tokens", "work", "placement"]
    shown = mask_irrelevant(forks, "ring")
    for (mechanism, threads, tokens, work, placement), own in (
        shown.groupby(keys, dropna=False) if len(forks) else ()
    ):
        own = forks.loc[own.index]
        one = select_one(forks, tokens, work, own["placement"].iloc[0])
        if len(one):
            costs = own["ns_per_event"].mean(), own["cpu_process"].mean()
            rows.append(
                [
                    describe_row(mechanism, threads, placement),
                    mechanism,
                    tokens,
                    work,
                    *compare_times(own, one),
                    *costs,
                ]
            )
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
            "cpu",
        ],
    )


def load_published() -> pd.DataFrame:
    """The posts' tables: `machine`, `row`, `mechanism`, `tokens`, `work`, `ratio` to the pool of
    one thread on the same machine.
    """
    tables = [
        pd.read_csv(PUBLISHED / name) for name in ("ring_single_token.csv", "ring_montecarlo.csv")
    ]
    both = pd.concat(
        [tables[0].assign(time=tables[0]["ms"]), tables[1].assign(time=tables[1]["s"])],
        ignore_index=True,
    )
    # The original actors had as many threads as they liked, which is about the cores.
    pooled = both["threads"].where(both["mechanism"] != "SCALA_ACTORS", both["cores"])
    keys = ["machine", "tokens", "work"]
    one = (
        both[(both["mechanism"] == REFERENCE[0]) & (both["threads"] == 1)]
        .set_index(keys)["time"]
        .rename("one")
    )
    rows = both.assign(threads=pooled).join(one, on=keys)
    named = [describe_row(r.mechanism, r.threads, "UNPINNED") for r in rows.itertuples()]
    return rows.assign(row=named, ratio=rows["time"] / rows["one"])[
        ["machine", "row", "mechanism", *keys[1:], "ratio"]
    ]


def describe_load(tokens: int, work: int) -> str:
    return (
        f"{pluralize(tokens, 'token')}, {pluralize(work, 'iteration')}"
        if work
        else f"{pluralize(tokens, 'token')}, no work"
    )


def tabulate_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """A row a way; for each load the time over the pool of one thread, here and in the posts."""
    ours, posts = compute_ratios_to_one(forks), load_published()
    cells: dict[str, dict] = {}
    for r in ours.itertuples():
        cells.setdefault(r.row, {})[describe_load(r.tokens, r.work), "here"] = (
            f"{r.ratio:.2f}{' (shared)' if r.oversubscribed else ''}"
        )
    there = set(zip(ours["tokens"], ours["work"], strict=True))
    for r in posts.itertuples():
        if (r.tokens, r.work) in there:
            cells.setdefault(r.row, {})[describe_load(r.tokens, r.work), r.machine] = (
                f"{r.ratio:.2f}"
            )
    found = pd.DataFrame.from_dict(cells, orient="index").fillna("")
    if cells:
        order = [describe_load(*each) for each in LOADS]
        columns = sorted(
            found.columns,
            key=lambda c: (
                order.index(c[0]) if c[0] in order else len(order),
                c[1] != "here",
                c[1],
            ),
        )
        found = found[columns].sort_index()
        found.columns = pd.MultiIndex.from_tuples(columns, names=["load", ""])
    return found


def describe_hops(forks: pd.DataFrame) -> list[str]:
    """What a hop costs at the least and the most, and the choices that matter."""
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


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """What a hop costs, and the choices that matter."""
    return describe_hops(forks)
