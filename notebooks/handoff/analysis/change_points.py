"""Change points: from which shot on a fork is steady, and how many shots all forks need until they
are.
"""

import math

import numpy as np

SAME_LEVEL = 0.05
"""Stretches between change points whose means differ by less than this count as the same level."""


LATEST_START = 2 / 3
"""A fork whose last level begins later than this share of its shots is not steady."""


def find_steady_start(times: np.ndarray) -> int | None:
    """The first shot, from 0, from which on the level stays; None for a fork that does not become
    steady.

    Change points of the mean of log times (PELT with every place allowed, penalty 3 ln n in units
    of the noise between neighbours).
    """
    # It loads signal processing, which no other figure needs.
    import ruptures

    logs = np.log(times)
    # The median difference of neighbours tells the noise, whatever the level does.
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
    """Shots before the median over forks first lies where it lies in the later half (within 5 % at
    the least).

    Each fork is divided by its own later half. What all forks have in common is warm-up; what each
    has by itself is the machine.
    """
    middle = np.median([t / np.median(t[len(t) // 2 :]) for t in times], axis=0)
    later = middle[len(middle) // 2 :]
    low, high = min(later.min(), 1 / (1 + SAME_LEVEL)), max(later.max(), 1 + SAME_LEVEL)
    return int(np.argmax((low <= middle) & (middle <= high)))
