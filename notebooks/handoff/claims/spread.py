"""What forks of a point are believed to vary by at the least."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

VARIANCE_FLOOR_SHARE = 0.5
"""Of the variance of a setting's points: see `Observations.least`."""

LEAST_SPREAD, LEAST_CPU_SPREAD = 0.06, 0.03
"""Forks are believed to differ by so much at the least, in time and in CPU usage. Some are of a
slow kind that is so rare that five or ten of them may hold none, and then agree by far too well:
see tests/calibration.py. Forks of the shipped runs differ by 7 to 15 % and by 1 to 5 % (medians of
points).
"""


def find_setting(rows: pd.DataFrame, parameters: Iterable[str]) -> tuple:
    """The words of a point's parameters; numbers, such as a load or threads, are left out."""
    first = rows.iloc[0]
    return tuple(sorted((n, first[n]) for n in parameters if isinstance(first[n], str)))


def compute_least_variance(quantity: str, groups: list[np.ndarray]) -> float:
    """What a point's forks vary by at the least, from the logarithms of its setting's points."""
    least = LEAST_CPU_SPREAD if quantity.startswith("cpu") else LEAST_SPREAD
    return max(VARIANCE_FLOOR_SHARE * pool_variance(groups), least**2)


def pool_variance(groups: list[np.ndarray]) -> float:
    """The variance within groups; 0 without any."""
    free = sum(len(group) - 1 for group in groups)
    return sum(((group - group.mean()) ** 2).sum() for group in groups) / free if free else 0.0
