"""Points whose forks fall into two groups, such as fast and slow ones."""

import math

import numpy as np
import pandas as pd

from handoff.analysis.forks import select_fit
from handoff.analysis.intervals import MIN_FORKS

SMALLEST_GROUP = 2
"""Forks of a group; a single one is an outlier."""

LEAST_FACTOR = 1.5
"""Smallest value of the upper group over the largest of the lower one, at least."""

LEAST_GAP = 4.0
"""The same gap, in standard deviations of the logarithms within the groups."""


def fall_apart(logs: np.ndarray) -> bool:
    """Return whether logarithms fall into two groups, at the largest gap that leaves two on a side.

    Normal values whose spread is 15 % do so at most once in a thousand points, see tests.
    """
    if len(logs) < MIN_FORKS:
        return False
    ordered = np.sort(logs)
    gaps = np.diff(ordered)
    place = SMALLEST_GROUP + int(np.argmax(gaps[SMALLEST_GROUP - 1 : 1 - SMALLEST_GROUP]))
    squares = sum(((part - part.mean()) ** 2).sum() for part in np.split(ordered, [place]))
    within = math.sqrt(squares / (len(ordered) - 2))
    return bool(gaps[place - 1] >= max(math.log(LEAST_FACTOR), LEAST_GAP * within))


def list_fallen_apart(forks: pd.DataFrame, column: str) -> list[str]:
    """Return the points that fit the cores and whose forks fall into two groups."""
    fit = select_fit(forks, column)
    logs = np.log(fit[column].astype(float))
    parts = logs.groupby(fit["point"], sort=False)
    return [str(point) for point, values in parts if fall_apart(values.to_numpy())]
