"""Warm-up of forks: where the jar's rule would end it, and where change points say it ended.

The rule is that of `handoff.measure.WarmUpRule`, for forks whose shots were all recorded.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

WINDOW = 4
GAIN = 0.03
QUIET_CORES = 0.05

SAME_LEVEL = 0.05
"""Difference of means below which stretches between change points are on the same level."""

LATEST_START = 2 / 3
"""Share of a fork's shots after which its last level starts too late for a steady fork."""


def count_warm_up(wall_ns: Sequence[float], compiler_ns: Sequence[float | None]) -> int | None:
    """Return the number of shots after which the rule ends a fork's warm-up, or None if never."""
    ends = range(WINDOW + 1, len(wall_ns) + 1)
    return next((end for end in ends if has_settled(wall_ns[:end], compiler_ns[:end])), None)


def has_settled(wall_ns: Sequence[float], compiler_ns: Sequence[float | None]) -> bool:
    """Return whether the last shots brought no gain and the compilers were quiet during them.

    No gain: none of the last shots is faster than the fastest shot before them by more than GAIN.
    Where the compilers' time is unknown, the shots alone decide.
    """
    if len(wall_ns) <= WINDOW:
        return False
    last, compilers = wall_ns[-WINDOW:], [ns for ns in compiler_ns[-WINDOW:] if ns is not None]
    quiet = len(compilers) < WINDOW or sum(compilers) <= QUIET_CORES * sum(last)
    return quiet and min(last) >= (1 - GAIN) * min(wall_ns[:-WINDOW])


def tabulate_settling(shots: pd.DataFrame) -> pd.DataFrame:
    """Tabulate how the forks that count warmed up, one row per study.

    Columns: the number of forks, how many `warmed up` by the rule, how many of these `settled`, the
    median `shots` and `seconds` that it took, and `first / last`, the ratio of the first to the
    last counted shot's time (median of forks).
    """
    rows = []
    counted = shots[shots["counted"]] if len(shots) else shots
    for study, studied in counted.groupby("study", sort=False) if len(counted) else []:
        forks = studied.sort_values("shot").groupby(["point", "fork"], sort=False)
        first, last = forks["wall_ns"].first(), forks["wall_ns"].last()
        warmed = forks[["settled", "warmup_shots", "warmup_ns"]].first().dropna()
        rows.append(
            {
                "study": study,
                "forks": len(first),
                "warmed up": len(warmed),
                "settled": int(warmed["settled"].astype(bool).sum()),
                "shots": warmed["warmup_shots"].median(),
                "seconds": warmed["warmup_ns"].median() / 1e9,
                "first / last": (first / last).median(),
            }
        )
    return pd.DataFrame(rows).round({"seconds": 2, "first / last": 3})


def find_steady_start(times: np.ndarray) -> int | None:
    """Return the first shot, from 0, after which the level stays; None if the fork is not steady.

    Levels are separated by change points of the mean of log times (PELT, every place allowed,
    penalty 3 ln n in units of the noise between neighbours).
    """
    # Importing ruptures loads signal processing, which no other figure needs.
    import ruptures

    logs = np.log(times)
    # The median difference of neighbours estimates the noise, whatever the level does.
    noise = np.median(np.abs(np.diff(logs))) / (0.6745 * math.sqrt(2)) or 1e-9
    ends = (
        ruptures.Pelt(model="l2", jump=1, min_size=2)
        .fit(logs / noise)
        .predict(pen=3 * math.log(len(logs)))
    )
    starts = [0, *ends[:-1]]
    levels = [logs[start:end].mean() for start, end in zip(starts, ends, strict=True)]
    first = len(levels) - 1
    while first and abs(levels[first - 1] - levels[-1]) < math.log(1 + SAME_LEVEL):
        first -= 1
    return starts[first] if starts[first] <= LATEST_START * len(times) else None


def count_unsettled(times: list[np.ndarray]) -> int:
    """Return the number of shots before the median over forks reaches its later range.

    The later range is that of the second half, and at least 5 % wide on both sides. Each fork is
    divided by its own second half: what is common to all forks is warm-up, the rest is the
    machine.
    """
    middle = np.median([t / np.median(t[len(t) // 2 :]) for t in times], axis=0)
    later = middle[len(middle) // 2 :]
    low, high = min(later.min(), 1 / (1 + SAME_LEVEL)), max(later.max(), 1 + SAME_LEVEL)
    return int(np.argmax((low <= middle) & (middle <= high)))
