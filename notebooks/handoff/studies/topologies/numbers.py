"""Numbers of the five wirings: the Disruptor's lead over the queue, and the accounting's part."""

import numpy as np
import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.forks import compare_times, estimate_ratio, round_table
from handoff.paths import PUBLISHED
from handoff.studies.ratios import RATIO
from handoff.studies.topologies import STUDY
from handoff.text import format_range

TOPOLOGIES = {
    "UNICAST": "1P–1C",
    "PIPELINE": "1P–1C–1C–1C",
    "SEQUENCER": "3P–1C",
    "MULTICAST": "1P–3C",
    "DIAMOND": "1P–2C–1C",
}
ACCOUNTINGS = {
    "AS_PUBLISHED": "queues boxed and fenced",
    "FAIR": "neither side pays for what the other does not",
}
QUEUE = "ARRAY_BLOCKING_QUEUE"
DISRUPTORS = ("DISRUPTOR_3", "DISRUPTOR_4")
ACCOUNTS = ["as published", "fair", "accounting", "low", "high", "share"]


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks under the run's choices; `accounting` is missing for a Disruptor."""
    if forks.empty:
        return forks
    kept = baseline.select_baseline(forks, STUDY.name, ("topology", "accounting"))
    return kept.assign(accounting=baseline.mask_irrelevant(kept, STUDY.name)["accounting"])


def select_point(
    forks: pd.DataFrame, topology: str, mechanism: str, accounting: str
) -> pd.DataFrame:
    """Return the forks of one point; accounting makes no difference to a Disruptor."""
    rows = forks[(forks["topology"] == topology) & (forks["mechanism"] == mechanism)]
    return rows[rows["accounting"].isna() | (rows["accounting"] == accounting)]


def compute_ratios_to_queue(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the throughput over the array blocking queue's, with its interval, of each point."""
    rows = []
    for topology in TOPOLOGIES if len(forks) else ():
        for accounting in ACCOUNTINGS:
            queue = select_point(forks, topology, QUEUE, accounting)
            for mechanism in sorted(set(forks["mechanism"]) - {QUEUE}):
                point = select_point(forks, topology, mechanism, accounting)
                if len(queue) and len(point):
                    rows.append([topology, accounting, mechanism, *compare_times(queue, point)])
    return pd.DataFrame(rows, columns=["topology", "accounting", "mechanism", *RATIO])


def load_published() -> pd.DataFrame:
    """Return the published throughputs, with `ratio` to the array blocking queue's."""
    table = pd.read_csv(PUBLISHED / "topologies.csv")
    queue = table[table["mechanism"] == QUEUE]
    others = table[table["mechanism"] != QUEUE]
    rows = others.merge(queue, on=["machine", "topology"], suffixes=("", "_queue"))
    return rows.assign(ratio=rows["ops_per_s"] / rows["ops_per_s_queue"])


def tabulate_accounting(forks: pd.DataFrame) -> pd.DataFrame:
    """Return one row per topology and Disruptor on how much of its lead is accounting.

    `as published` and `fair` are the leads (throughput over the array blocking queue's),
    `accounting` is the factor that boxing and fences cost the queue, with its 95 % interval,
    and `share` its part of the lead's logarithm.
    """
    rows = []
    for topology in TOPOLOGIES if len(forks) else ():
        boxed, fair = (select_point(forks, topology, QUEUE, name) for name in ACCOUNTINGS)
        for mechanism in DISRUPTORS:
            ring = select_point(forks, topology, mechanism, "FAIR")
            if len(boxed) and len(fair) and len(ring):
                factor, low, high, _ = compare_times(boxed, fair)
                leads = [estimate_ratio(queue, ring).ratio for queue in (boxed, fair)]
                share = np.log(factor) / np.log(leads[0]) if leads[0] > 1 else np.nan
                shared = bool(ring["oversubscribed"].any())
                label = STUDY.look(mechanism).label
                rows.append([topology, label, *leads, factor, low, high, share, shared])
    table = pd.DataFrame(rows, columns=["topology", "mechanism", *ACCOUNTS, "oversubscribed"])
    return round_table(table, dict.fromkeys(ACCOUNTS, 2)).set_index(["topology", "mechanism"])


def describe_accounting(table: pd.DataFrame) -> list[str]:
    """Return a sentence on each lead with a core for each thread and an interval."""
    if table.empty:
        return []
    parts, fitting = [], table[~table["oversubscribed"].astype(bool)]
    for (topology, mechanism), row in fitting.dropna(subset=["low"]).iterrows():
        known = not pd.isna(row["share"]) and not row["low"] < 1 < row["high"]
        share = f", {max(0, row['share']):.0%} of that lead" if known else ""
        parts.append(
            f"{topology.capitalize()}, {mechanism}: here {row['as published']:.1f} times the"
            " throughput of the array blocking queue under the published accounting; boxing and"
            f" fences are a factor of {row['accounting']:.2f}"
            f" ({format_range(row['low'], row['high'])}){share}; without them"
            f" {row['fair']:.1f} times."
        )
    return parts


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return sentences on how much of the Disruptor's lead is accounting."""
    return describe_accounting(tabulate_accounting(select_baseline(forks)))
