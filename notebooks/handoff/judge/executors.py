"""The executors' numbers: times over the fixed pool's beside the post's, what one choice changes, and what the checkers found."""

import json

import numpy as np
import pandas as pd

from handoff.judge.choices import relevant, standing
from handoff.judge.forks import times
from handoff.names import look
from handoff.paths import CHECKS, PUBLISHED
from handoff.run.studies import studies

POOL = "FIXED_THREAD_POOL"
MEANT = 262_144
"""The capacity that the post's code meant; its literal 2^18 is 16 in Java."""

CHOICES = ("reduction", "capacity", "idle", "index", "separation", "start", "placement")
"""What is varied one at a time."""


def order() -> list[str]:
    """The mechanisms, the post's columns first."""
    return list(studies()["executors"].mechanisms)


def baseline(forks: pd.DataFrame, capacity: int) -> pd.DataFrame:
    """Any number of threads, everything else as published but the rings' capacity."""
    return standing(forks, "executors", ("threads",), capacity=capacity)


def over_pool(forks: pd.DataFrame) -> pd.DataFrame:
    """One row a mechanism and number of workers: time over the fixed pool's, `low`, `high`, `ms` for a million tasks, `oversubscribed`."""
    rows = []
    for (mechanism, threads), own in forks.groupby(["mechanism", "threads"]) if len(forks) else ():
        pool = forks[(forks["mechanism"] == POOL) & (forks["threads"] == threads)]
        found = times(own, pool) if len(pool) else (np.nan, None, None, bool(own["oversubscribed"].any()))
        rows.append([mechanism, threads, *found, own["ns_per_event"].mean(), int(own["path_threads"].iloc[0])])
    return pd.DataFrame(rows, columns=["mechanism", "threads", "ratio", "low", "high", "oversubscribed", "ms", "threads used"])


def theirs() -> pd.DataFrame:
    """The post's table: `mechanism`, `threads`, `ms`, and `ratio` to the fixed pool with as many threads."""
    table = pd.read_csv(PUBLISHED / "executors_pi.csv", comment="#")
    pool = table[table["mechanism"] == POOL].set_index("threads")["ms"]
    return table.assign(ratio=table["ms"] / table["threads"].map(pool))


def table(forks: pd.DataFrame) -> pd.DataFrame:
    """A row a mechanism; for each number of workers the time over the fixed pool's, here and in the post, and the threads used."""
    ours, post = over_pool(forks), theirs()
    rows: dict[str, dict] = {}
    for mechanism in order() if len(ours) else ():
        own = ours[ours["mechanism"] == mechanism].set_index("threads")
        published = post[post["mechanism"] == mechanism].set_index("threads")["ratio"]
        row = {}
        for threads in sorted(ours["threads"].unique()):
            there = threads in own.index
            shared = there and own.loc[threads, "oversubscribed"]
            ratioed = there and not pd.isna(own.loc[threads, "ratio"])
            row[threads, "here"] = f"{own.loc[threads, 'ratio']:.2f}{' (shared)' if shared else ''}" if ratioed else ""
            row[threads, "post"] = f"{published[threads]:.2f}" if threads in published.index else ""
            row[threads, "threads used"] = str(own.loc[threads, "threads used"]) if there else ""
        rows[look(mechanism).label] = row
    found = pd.DataFrame.from_dict(rows, orient="index")
    if rows:
        found.columns = pd.MultiIndex.from_tuples(found.columns, names=["workers", ""])
    return found


def changes(forks: pd.DataFrame) -> pd.DataFrame:
    """What one choice changes by itself: pairs of points that differ in it alone (and perhaps in their number of tasks), where the first
    has its default.

    One row a pair: `mechanism`, `threads`, `choice`, `from`, `to`, `beside` (the other choices that are not at their default), `ratio` of
    times (to ÷ from) with `low` and `high` (95 %, none where threads share cores), `cpu_from`, `cpu_to`, `oversubscribed`.
    """
    if forks.empty:
        return forks
    known = studies()["executors"].standards()
    # Of several numbers of events the largest of each point; terms and collector as they stand for the run.
    kept = standing(forks, "executors", ("threads", *CHOICES))
    shown = relevant(kept, "executors")
    keys = ["mechanism", "threads", *CHOICES]
    told = shown.astype({"capacity": "Int64"})
    points = [(dict(zip(keys, key, strict=True)), forks.loc[own.index]) for key, own in told.groupby(keys, dropna=False)]
    return pd.DataFrame(
        pair(choice, known, one, other)
        for choice in CHOICES
        for one in points
        if str(one[0][choice]) == known[choice]
        for other in points
        if differ_only_in(choice, one[0], other[0])
    )


def differ_only_in(choice: str, one: dict, other: dict) -> bool:
    return not pd.isna(other[choice]) and {name for name in one if str(one[name]) != str(other[name])} == {choice}


def pair(choice: str, known: dict[str, str], one: tuple[dict, pd.DataFrame], other: tuple[dict, pd.DataFrame]) -> dict:
    (params, before), (_, after) = one, other
    middle, low, high, shared = times(after, before)
    beside = [f"{name} {params[name]}" for name in CHOICES if not pd.isna(params[name]) and str(params[name]) != known[name]]
    return {
        "mechanism": params["mechanism"],
        "threads": params["threads"],
        "choice": choice,
        "from": str(params[choice]),
        "to": str(other[0][choice]),
        "beside": ", ".join(beside),
        "ratio": middle,
        "low": low,
        "high": high,
        "cpu_from": before["cpu_process"].mean(),
        "cpu_to": after["cpu_process"].mean(),
        "oversubscribed": shared,
    }


def changes_table(forks: pd.DataFrame) -> pd.DataFrame:
    """The same for people."""
    rows = changes(forks)
    if rows.empty:
        return rows
    told = rows.assign(mechanism=rows["mechanism"].map(lambda name: look(name).label))
    told = told.rename(columns={"cpu_from": "CPU before", "cpu_to": "CPU after", "ratio": "time ratio", "oversubscribed": "share cores"})
    digits = {"time ratio": 2, "low": 2, "high": 2, "CPU before": 2, "CPU after": 2}
    index = ["choice", "mechanism", "threads", "beside", "from", "to"]
    return told.astype({"low": float, "high": float}).set_index(index).sort_index().round(digits)


def in_words(forks: pd.DataFrame) -> list[str]:
    """The choices whose whole interval lies 10 % and more from no change, a sentence each."""
    rows = changes(forks)
    told = []
    sure = rows.dropna(subset=["low"]) if len(rows) else rows
    for row in sure.rename(columns={"from": "was"}).itertuples():
        if row.low > 1.1 or row.high < 0.9:
            beside = f" with {row.beside}" if row.beside else ""
            there = f"{look(row.mechanism).label}{beside}, {row.choice} {row.to.lower()} in place of {row.was.lower()}"
            told.append(f"{there}: {row.ratio:.2f} times the time ({row.low:.2f} to {row.high:.2f}).")
    return told


def checks() -> dict[str, str | None]:
    """What the model checker found: 'stage, producers' to its trace, None where it found no fault; data/README.md says how it is made."""
    return json.loads((CHECKS / "executors.json").read_text(encoding="utf-8"))


def safety() -> pd.DataFrame:
    """A row a stage, a column for one producer and for two."""
    rows: dict[str, dict[str, str]] = {}
    for what, trace in checks().items():
        stage, producers = what.rsplit(", ", 1)
        rows.setdefault(look(stage).label, {})[producers] = "no fault found" if trace is None else "FAULT"
    return pd.DataFrame.from_dict(rows, orient="index").fillna("")
