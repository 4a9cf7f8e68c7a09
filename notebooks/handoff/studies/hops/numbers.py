"""Numbers of the hops: a matrix of CPUs, the relation of two CPUs, and the primitives."""

import numpy as np
import pandas as pd

from handoff.run.host.machine import find_places
from handoff.studies.hops import MOST_PAIRS, count_pairs

RELATIONS = ("same core", "same cache", "other cache", "other socket", "unknown")
"""Relations of two CPUs, the nearest first."""

PRIMITIVES = {
    "volatile_store_ns": "volatile store",
    "cas_ns": "compare and set",
    "lock_ns": "lock and unlock, uncontended",
    "sort_ns": "sort of a sorted int[100]",
    "yield_ns": "yield",
    "unpark_ns": "unpark: cost to the caller",
    "park_unpark_ns": "park and unpark, there and back",
    "park_1ns_ns": "park for 1 ns: how long it takes",
    "park_1ns_cpu_ns": "park for 1 ns: its CPU time",
}


def build_matrix(hops: pd.DataFrame, order: list[int]) -> pd.DataFrame:
    """Return the median ns of a hop over forks and shots, by pair of CPUs in this order."""
    medians = hops.groupby(["from_cpu", "to_cpu"])["value"].median().unstack()
    return medians.reindex(index=order, columns=order)


def relate_cpus(machine: dict, one: int, other: int) -> str:
    """Return the one of `RELATIONS` that two CPUs have."""
    for place, name in (("core", RELATIONS[0]), ("cache", RELATIONS[1]), ("socket", RELATIONS[2])):
        places = find_places(machine, (one, other), place)
        if None in places:
            return RELATIONS[4]
        if len(places) == 1:
            return name
    return RELATIONS[3]


def tabulate_relations(hops: pd.DataFrame, machine: dict) -> pd.DataFrame:
    """Return pairs and ns per hop by relation: least, median and greatest of all hops."""
    once = hops[hops["from_cpu"] < hops["to_cpu"]]
    pairs = once[["from_cpu", "to_cpu"]].drop_duplicates()
    relations = [relate_cpus(machine, *pair) for pair in pairs.itertuples(index=False)]
    pairs = pairs.assign(between=relations)
    times = once.merge(pairs).groupby("between")["value"].agg(["min", "median", "max"]).round(1)
    table = pd.concat([pairs["between"].value_counts().rename("pairs"), times], axis=1)
    return table.reindex([name for name in RELATIONS if name in table.index])


def find_borders(order: list[int], machine: dict, place: str) -> list[int]:
    """Return the indices in this order of CPUs at which another cache or socket starts."""
    places = [next(iter(find_places(machine, [cpu], place))) for cpu in order]
    return [i for i in range(1, len(places)) if places[i] != places[i - 1]]


def describe_sample(threads: int) -> str:
    """Return which pairs of these threads were measured, or '' where all were."""
    pairs = count_pairs(threads)
    if pairs <= MOST_PAIRS:
        return ""
    return f"Measured: a random sample of {MOST_PAIRS:,} of {pairs:,} pairs of CPUs."


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return sentences on the cost of a hop, its range, and the pairs that were measured."""
    hops = forks[forks["mechanism"] == "CACHE_LINE"]
    if hops.empty:
        return []
    low, high = hops["hop_min"].min(), hops["hop_max"].max()
    middle = np.median(hops["hop_p50"])
    return [
        f"A hop of a cache line took {middle:.0f} ns (median of {len(hops)} forks), from {low:.0f}"
        f" to {high:.0f} ns over pairs and shots.",
        *filter(None, map(describe_sample, sorted(hops["threads"].unique()))),
    ]
