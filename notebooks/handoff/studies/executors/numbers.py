"""The executors' numbers: times over the fixed pool's beside the post's, what one choice changes,
and what the checkers found.
"""

import json

import numpy as np
import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.forks import compare_times
from handoff.analysis.one_factor import OneFactorDesign
from handoff.catalog import load_catalog
from handoff.paths import CHECKS, PUBLISHED
from handoff.studies.executors import STUDY

POOL = "FIXED_THREAD_POOL"
INTENDED_CAPACITY = 262_144
"""The capacity that the post's code meant; its literal 2^18 is 16 in Java."""

ONE_FACTOR = OneFactorDesign(
    "executors",
    ("threads",),
    ("reduction", "capacity", "idle", "index", "separation", "start", "placement"),
)
"""What is varied one at a time."""


def list_mechanisms() -> list[str]:
    """The mechanisms, the post's columns first."""
    return list(load_catalog()["executors"].mechanisms)


def select_baseline(forks: pd.DataFrame, capacity: int) -> pd.DataFrame:
    """Any number of threads, everything else as published but the rings' capacity."""
    return baseline.select_baseline(forks, "executors", ("threads",), capacity=capacity)


def compute_ratios_to_pool(forks: pd.DataFrame) -> pd.DataFrame:
    """One row a mechanism and number of workers: time over the fixed pool's, `low`, `high`, `ms`
    for a million tasks, `oversubscribed`.
    """
    rows = []
    for (mechanism, threads), own in forks.groupby(["mechanism", "threads"]) if len(forks) else ():
        pool = forks[(forks["mechanism"] == POOL) & (forks["threads"] == threads)]
        found = (
            compare_times(own, pool)
            if len(pool)
            else (np.nan, None, None, bool(own["oversubscribed"].any()))
        )
        rows.append(
            [
                mechanism,
                threads,
                *found,
                own["ns_per_event"].mean(),
                int(own["path_threads"].iloc[0]),
            ]
        )
    return pd.DataFrame(
        rows,
        columns=[
            "mechanism",
            "threads",
            "ratio",
            "low",
            "high",
            "oversubscribed",
            "ms",
            "threads used",
        ],
    )


def load_published() -> pd.DataFrame:
    """The post's table: `mechanism`, `threads`, `ms`, and `ratio` to the fixed pool with as many
    threads.
    """
    table = pd.read_csv(PUBLISHED / "executors_pi.csv")
    pool = table[table["mechanism"] == POOL].set_index("threads")["ms"]
    return table.assign(ratio=table["ms"] / table["threads"].map(pool))


def tabulate_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """A row a mechanism; for each number of workers the time over the fixed pool's, here and in the
    post, and the threads used.
    """
    ours, post = compute_ratios_to_pool(forks), load_published()
    rows: dict[str, dict] = {}
    for mechanism in list_mechanisms() if len(ours) else ():
        own = ours[ours["mechanism"] == mechanism].set_index("threads")
        published = post[post["mechanism"] == mechanism].set_index("threads")["ratio"]
        row = {}
        for threads in sorted(ours["threads"].unique()):
            there = threads in own.index
            shared = there and own.loc[threads, "oversubscribed"]
            ratioed = there and not pd.isna(own.loc[threads, "ratio"])
            row[threads, "here"] = (
                f"{own.loc[threads, 'ratio']:.2f}{' (shared)' if shared else ''}" if ratioed else ""
            )
            row[threads, "post"] = f"{published[threads]:.2f}" if threads in published.index else ""
            row[threads, "threads used"] = str(own.loc[threads, "threads used"]) if there else ""
        rows[STUDY.look(mechanism).label] = row
    found = pd.DataFrame.from_dict(rows, orient="index")
    if rows:
        found.columns = pd.MultiIndex.from_tuples(found.columns, names=["workers", ""])
    return found


def load_checks() -> dict[str, str | None]:
    """What the model checker found: 'stage, producers' to its trace, None where it found no fault;
    data/README.md says how it is made.
    """
    return json.loads((CHECKS / "executors.json").read_text(encoding="utf-8"))


def tabulate_checks() -> pd.DataFrame:
    """A row a stage, a column for one producer and for two."""
    rows: dict[str, dict[str, str]] = {}
    for what, trace in load_checks().items():
        stage, producers = what.rsplit(", ", 1)
        rows.setdefault(STUDY.look(stage).label, {})[producers] = (
            "no fault found" if trace is None else "FAULT"
        )
    return pd.DataFrame.from_dict(rows, orient="index").fillna("")


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """The choices that change the time by themselves."""
    return ONE_FACTOR.in_words(forks)
