"""Warm-up: from which shot on a fork is steady, by change points (PELT), in sweeps with shots enough to tell."""

import math

import numpy as np
import pandas as pd
import ruptures

from handoff.names import counted, look
from handoff.run import sweepfile

FEWEST_SHOTS = 30
ALIKE = 0.05
"""Stretches between change points whose means differ by less than this count as the same level."""

LATEST = 2 / 3
"""A fork whose last level begins later than this share of its shots is not steady."""

TOO_FEW = "too few shots to tell"


def steady_from(times: np.ndarray) -> int | None:
    """The first shot, from 0, from which on the level stays; None for a fork that does not become steady.

    Change points of the mean of log times (PELT with every place allowed, penalty 3 ln n in units of the noise between neighbours).
    """
    logs = np.log(times)
    # The median difference of neighbours tells the noise, whatever the level does.
    noise = np.median(np.abs(np.diff(logs))) / (0.6745 * math.sqrt(2)) or 1e-9
    ends = ruptures.Pelt(model="l2", jump=1, min_size=2).fit(logs / noise).predict(pen=3 * math.log(len(logs)))
    starts = [0, *ends[:-1]]
    levels = [logs[start:end].mean() for start, end in zip(starts, ends, strict=True)]
    first = len(levels) - 1
    while first and abs(levels[first - 1] - levels[-1]) < math.log(1 + ALIKE):
        first -= 1
    return starts[first] if starts[first] <= LATEST * len(times) else None


def by_fork(shots: pd.DataFrame) -> pd.DataFrame:
    """One row a fork: `shots`, whether they are `enough` to tell, `steady_from` (missing: not steady), and their `times` per event."""
    rows = []
    if shots.empty:
        return pd.DataFrame(columns=["mechanism", "sorts", "consumers", "fork", "shots", "enough", "steady_from"])
    for (point, fork), own in shots[shots["counted"]].groupby(["point", "fork"], sort=False):
        times = own.sort_values("shot")["ns_per_event"].to_numpy()
        enough = len(times) >= FEWEST_SHOTS
        first = own.iloc[0]
        found = steady_from(times) if enough else None
        keys = {name: first[name] for name in ("mechanism", "sorts", "consumers") if name in own}
        rows.append({**keys, "point": point, "fork": fork, "shots": len(times), "enough": enough, "steady_from": found, "times": times})
    return pd.DataFrame(rows).astype({"steady_from": "Int64"})


def settled_after(times: list[np.ndarray]) -> int:
    """Shots before the median over forks first lies where it lies in the later half (within 5 % at the least).

    Each fork is divided by its own later half. What all forks have in common is warm-up; what each has by itself is the machine.
    """
    middle = np.median([t / np.median(t[len(t) // 2 :]) for t in times], axis=0)
    later = middle[len(middle) // 2 :]
    low, high = min(later.min(), 1 / (1 + ALIKE)), max(later.max(), 1 + ALIKE)
    return int(np.argmax((low <= middle) & (middle <= high)))


def table(forks: pd.DataFrame, counts: dict[int, tuple[int, int]]) -> pd.DataFrame:
    """One row a point: `forks`, those `steady`, `settled after` how many shots, and `spread` of a fork's later shots (standard deviation).

    `counts`: sorts to (warm-up shots, shots) of a sweep that is held against it: its `warm-up`, and `bias`, the mean of the shots that it
    would have measured over the fork's later half, less 1, median of forks.
    """
    rows = []
    long = forks[forks["enough"].astype(bool)] if len(forks) else forks
    for (sorts, mechanism), own in long.groupby(["sorts", "mechanism"]):
        times = [t[: min(map(len, own["times"]))] for t in own["times"]]
        later = [t[len(t) // 2 :] for t in times]
        warmup, shots = counts.get(sorts, (None, None))
        biases = [t[warmup:shots].mean() / np.median(half) - 1 for t, half in zip(times, later, strict=True)] if shots else [math.nan]
        rows.append(
            {
                "sorts": sorts,
                "mechanism": look(mechanism).label,
                "forks": len(own),
                "steady": int(own["steady_from"].notna().sum()),
                "settled after": settled_after(times),
                "spread": float(np.median([np.log(half).std(ddof=1) for half in later])),
                "warm-up": warmup,
                "bias": float(np.median(biases)),
            }
        )
    return pd.DataFrame(rows, columns=["sorts", "mechanism", "forks", "steady", "settled after", "spread", "warm-up", "bias"])


def in_words(forks: pd.DataFrame) -> str:
    """One sentence: whether these forks can tell, and how many became steady."""
    if forks.empty or not forks["enough"].any():
        most = forks["shots"].max() if len(forks) else 0
        return f"Steadiness: {TOO_FEW} (a fork has {most}; {FEWEST_SHOTS} are needed)."
    judged = forks[forks["enough"]]
    steady, latest = judged["steady_from"].notna().sum(), judged["steady_from"].max()
    when = f", the latest after {counted(latest, 'shot')}" if steady else ""
    return f"Steadiness: {steady} of {len(judged)} forks reach a level that lasts{when}."


def quick_counts() -> dict[int, tuple[int, int]]:
    """Sorts to (warm-up shots, shots) of the default sweep."""
    entries = sweepfile.load(sweepfile.find("quick")).entries()
    return {sorts: (entry.warmup, entry.shots) for study, entry in entries if study == "scaling" for sorts in entry.sorts}
