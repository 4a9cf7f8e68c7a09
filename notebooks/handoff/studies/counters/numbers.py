"""The counters' numbers: what an increment costs, beside the published table."""

import pandas as pd

from handoff.analysis.forks import compute_interval
from handoff.paths import PUBLISHED
from handoff.studies.counters import STUDY

ORDER = [("PLAIN", 1), ("VOLATILE", 1), ("CAS", 1), ("LOCK", 1), ("CAS", 2), ("LOCK", 2)]
"""As the claim puts them, the cheapest first."""


PUBLISHED_INCREMENTS = 500_000_000


def load_published() -> pd.Series:
    """Published nanoseconds an increment by mechanism and threads."""
    read = pd.read_csv(PUBLISHED / "counters.csv")
    return read.set_index(["mechanism", "threads"])["ms"] * 1e6 / PUBLISHED_INCREMENTS


def select_point(forks: pd.DataFrame, mechanism: str, threads: int) -> pd.DataFrame:
    return forks[(forks["mechanism"] == mechanism) & (forks["threads"] == threads)]


def tabulate_increments(forks: pd.DataFrame) -> pd.DataFrame:
    """One row a way to increment: forks, ns with its 95 % interval, times the plain loop, the same
    as published.
    """
    rows, published = {}, load_published()
    for mechanism, threads in ORDER if len(forks) else ():
        own = select_point(forks, mechanism, threads)["ns_per_event"]
        plain = select_point(forks, "PLAIN", 1)["ns_per_event"].mean()
        low, high = compute_interval(own) or (None, None)
        rows[STUDY.look(mechanism).label, threads] = {
            "forks": len(own),
            "ns": own.mean(),
            "low": low,
            "high": high,
            "times plain": own.mean() / plain,
            "published ns": published[mechanism, threads],
            "published times plain": published[mechanism, threads] / published["PLAIN", 1],
        }
    found = pd.DataFrame.from_dict(rows, orient="index")
    found.index.names = ["counter", "threads"] if rows else [None]
    return found.round(
        {
            "ns": 2,
            "low": 2,
            "high": 2,
            "times plain": 1,
            "published ns": 1,
            "published times plain": 1,
        }
    )
