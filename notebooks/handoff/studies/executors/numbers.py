"""Numbers of the executors: times over the fixed pool's, and results of the model checker."""

import json

import numpy as np
import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.forks import compare_times
from handoff.analysis.one_factor import OneFactorDesign
from handoff.paths import CHECKS, PUBLISHED
from handoff.studies.ratios import RATIO

POOL = "FIXED_THREAD_POOL"
INTENDED_CAPACITY = 262_144
"""Capacity that the post's code intended; its literal 2^18 is 16 in Java."""

ONE_FACTOR = OneFactorDesign(
    "executors",
    ("threads",),
    ("reduction", "capacity", "idle", "index", "separation", "start", "placement"),
)
"""Choices that are varied one at a time."""


def select_baseline(forks: pd.DataFrame, capacity: int = INTENDED_CAPACITY) -> pd.DataFrame:
    """Return forks of any number of threads, as published except for the rings' capacity.

    Without forks of that capacity, return those of the one that stands for the run.
    """
    known = len(forks) and (forks["capacity"] == capacity).any()
    fixed = {"capacity": capacity} if known else {}
    return baseline.select_baseline(forks, "executors", ("threads",), **fixed)


def compute_ratios_to_pool(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the time over the fixed pool's for each mechanism and number of workers."""
    rows = []
    groups = forks.groupby(["mechanism", "threads"]) if len(forks) else ()
    for (mechanism, threads), point in groups:
        pool = forks[(forks["mechanism"] == POOL) & (forks["threads"] == threads)]
        shared = bool(point["oversubscribed"].any())
        ratio = compare_times(point, pool) if len(pool) else (np.nan, None, None, shared)
        rows.append([mechanism, threads, *ratio, int(point["path_threads"].iloc[0])])
    return pd.DataFrame(rows, columns=["mechanism", "threads", *RATIO, "threads used"])


def load_published() -> pd.DataFrame:
    """Return the post's table, with `ratio` to the fixed pool with as many threads."""
    table = pd.read_csv(PUBLISHED / "executors_pi.csv")
    pool = table[table["mechanism"] == POOL].set_index("threads")["ms"]
    return table.assign(ratio=table["ms"] / table["threads"].map(pool))


def load_checks() -> dict[str, str | None]:
    """Return the model checker's trace per 'stage, producers', None for no fault.

    data/README.md says how the file is made.
    """
    return json.loads((CHECKS / "executors.json").read_text(encoding="utf-8"))


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return sentences on the choices that change the time by themselves."""
    return ONE_FACTOR.in_words(forks)
