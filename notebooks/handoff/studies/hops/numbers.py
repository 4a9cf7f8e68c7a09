"""The numbers of the hops: a matrix of CPUs, what lies between two of them, and the primitives."""

import numpy as np
import pandas as pd

from handoff.run.host.machine import find_places

RELATIONS = ("same core", "same cache", "other cache", "other socket", "not told")
"""What two CPUs share, from the nearest."""

PRIMITIVES = {
    "volatile_store_ns": "volatile store",
    "cas_ns": "compare and set",
    "lock_ns": "lock and unlock, nobody else there",
    "sort_ns": "sort of a sorted int[100]",
    "yield_ns": "yield",
    "unpark_ns": "unpark: what it costs the caller",
    "park_unpark_ns": "park and unpark, there and back",
    "park_1ns_ns": "park for 1 ns: how long it takes",
    "park_1ns_cpu_ns": "park for 1 ns: CPU time of it",
}


def build_matrix(hops: pd.DataFrame, order: list[int]) -> pd.DataFrame:
    """Median ns of a hop over forks and shots, CPU by CPU in this order; missing on the
    diagonal.
    """
    medians = hops.groupby(["from_cpu", "to_cpu"])["value"].median().unstack()
    return medians.reindex(index=order, columns=order)


def relate_cpus(machine: dict, one: int, other: int) -> str:
    """What two CPUs share; see `RELATIONS`."""
    for place, name in (("core", RELATIONS[0]), ("cache", RELATIONS[1]), ("socket", RELATIONS[2])):
        found = find_places(machine, (one, other), place)
        if None in found:
            return RELATIONS[4]
        if len(found) == 1:
            return name
    return RELATIONS[3]


def label_relations(hops: pd.DataFrame, machine: dict) -> pd.Series:
    """What the two CPUs of each row share."""
    pairs = hops[["from_cpu", "to_cpu"]].drop_duplicates()
    named = {
        (one, other): relate_cpus(machine, one, other)
        for one, other in pairs.itertuples(index=False)
    }
    found = [named[pair] for pair in zip(hops["from_cpu"], hops["to_cpu"], strict=True)]
    return pd.Series(found, index=hops.index, dtype=object)


def tabulate_relations(hops: pd.DataFrame, machine: dict) -> pd.DataFrame:
    """One row a relation: pairs, and ns of a hop: least, median and greatest over pairs, forks and
    shots.
    """
    once = hops[hops["from_cpu"] < hops["to_cpu"]]
    groups = once.assign(between=label_relations(once, machine)).groupby("between")
    pairs = groups.apply(lambda rows: len(rows[["from_cpu", "to_cpu"]].drop_duplicates()))
    table = groups["value"].agg(["min", "median", "max"]).round(1)
    found = pd.concat([pairs.rename("pairs"), table], axis=1)
    return found.reindex([name for name in RELATIONS if name in found.index])


def tabulate_primitives(forks: pd.DataFrame) -> pd.DataFrame:
    """One row a primitive: forks, and ns: least, median and greatest fork."""
    own = forks[forks["mechanism"] == "PRIMITIVES"] if len(forks) else forks
    rows = {
        label: {
            "forks": len(own),
            "least": own[name].min(),
            "median": own[name].median(),
            "greatest": own[name].max(),
        }
        for name, label in PRIMITIVES.items()
        if len(own)
    }
    return pd.DataFrame.from_dict(rows, orient="index").round(1)


def find_borders(order: list[int], machine: dict, place: str) -> list[int]:
    """Where in this order of CPUs another cache or socket begins."""
    there = [next(iter(find_places(machine, [cpu], place))) for cpu in order]
    return [i for i in range(1, len(there)) if there[i] != there[i - 1]]


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Whether a hop had one cost in this run."""
    own = forks[forks["mechanism"] == "CACHE_LINE"]
    if own.empty:
        return []
    low, high = own["hop_min"].min(), own["hop_max"].max()
    middle = np.median(own["hop_p50"])
    return [
        f"A hop of a cache line took {middle:.0f} ns (median of {len(own)} forks), from {low:.0f}"
        f" to {high:.0f} ns over pairs and shots."
    ]
