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
    """One row a fork: `shots`, `steady_from` (missing: not steady), `enough` shots to tell, and `bias` for the sweeps' warm-up counts."""
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


def table(forks: pd.DataFrame, counts: dict[int, tuple[int, int]]) -> pd.DataFrame:
    """One row a point: forks, those steady, the median and latest first steady shot, and what a sweep with `counts` would have measured.

    `counts`: sorts to (warm-up shots, shots) of that sweep; `bias`: its measured shots' mean over the steady level, less 1, median.
    """
    rows = []
    for (sorts, mechanism), own in forks[forks["enough"]].groupby(["sorts", "mechanism"]):
        steady = own[own["steady_from"].notna()]
        warmup, shots = counts.get(sorts, (None, None))
        biases = (
            [t[warmup:shots].mean() / t[int(s) :].mean() - 1 for t, s in zip(steady["times"], steady["steady_from"], strict=True)]
            if shots
            else []
        )
        rows.append(
            {
                "sorts": sorts,
                "mechanism": look(mechanism).label,
                "forks": len(own),
                "steady": len(steady),
                "median": steady["steady_from"].median() if len(steady) else None,
                "latest": steady["steady_from"].max() if len(steady) else None,
                "warm-up": warmup,
                "bias": float(np.median(biases)) if biases else None,
            }
        )
    return pd.DataFrame(rows, columns=["sorts", "mechanism", "forks", "steady", "median", "latest", "warm-up", "bias"])


def in_words(forks: pd.DataFrame) -> str:
    """One sentence: whether these forks can tell, and how many became steady."""
    if forks.empty or not forks["enough"].any():
        most = forks["shots"].max() if len(forks) else 0
        return f"Steadiness: {TOO_FEW} (a fork has {most}; {FEWEST_SHOTS} are needed)."
    judged = forks[forks["enough"]]
    steady, latest = judged["steady_from"].notna().sum(), judged["steady_from"].max()
    return f"Steadiness: {steady} of {len(judged)} forks reach a level that lasts, the latest after {counted(latest, 'shot')}."


def quick_counts() -> dict[int, tuple[int, int]]:
    """Sorts to (warm-up shots, shots) of the default sweep."""
    entries = sweepfile.load(sweepfile.find("quick")).entries()
    return {sorts: (entry.warmup, entry.shots) for study, entry in entries if study == "scaling" for sorts in entry.sorts}
