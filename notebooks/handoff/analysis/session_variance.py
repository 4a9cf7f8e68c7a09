"""Variance between sessions, pooled over all points of a study.

Three sessions say almost nothing about how one comparison differs between hours: two degrees of
freedom. All points of a study were measured in the same hours, so together they show it: what a
session does to all points alike, and what it does to each point in addition (an analysis of
variance by points and sessions). The part that comes from forks within a session is subtracted.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import chi2

MIN_SESSIONS = 3
CAUTION = 0.25
"""Chance that a variance is underestimated: the upper bound is used, not the estimate."""


class SessionVariance(NamedTuple):
    """Variances between sessions of the logarithm of a point's value, with degrees of freedom.

    `each` is the variance of one point against the others; `all_alike` that of all points together,
    which cancels in ratios.
    """

    each: float
    each_freedom: int
    all_alike: float
    all_freedom: int

    def of_contrast(self, weights: Sequence[float]) -> tuple[tuple[float, int], tuple[float, int]]:
        """Return the two parts of a weighted sum's variance in one session, with their freedom."""
        return (
            (self.each * sum(weight**2 for weight in weights), self.each_freedom),
            (self.all_alike * sum(weights) ** 2, self.all_freedom),
        )


def estimate_session_variance(
    points: Iterable[tuple[np.ndarray, np.ndarray]],
) -> SessionVariance | None:
    """Estimate the variance from the logarithms of each point's forks and their sessions.

    None without three sessions in which two points have at least two forks each.
    """
    split = [split_sessions(logs, sessions) for logs, sessions in points]
    most = max((len(parts) for parts in split), default=0)
    whole = [parts for parts in split if len(parts) == most and min(map(len, parts)) > 1]
    if most < MIN_SESSIONS or len(whole) < 2:
        return None
    means = np.array([[part.mean() for part in parts] for parts in whole])
    errors = np.array([compute_errors(parts) for parts in whole])
    apart = means - means.mean(axis=1, keepdims=True)
    alike = apart.mean(axis=0)
    freedom = (len(whole) - 1) * (most - 1)
    each = bound_variance(((apart - alike) ** 2).sum(), freedom) - errors.mean()
    together = bound_variance((alike**2).sum(), most - 1) - errors.mean() / len(whole)
    return SessionVariance(max(0.0, each), freedom, max(0.0, together), most - 1)


def split_sessions(logs: np.ndarray, sessions: np.ndarray) -> list[np.ndarray]:
    return [logs[sessions == session] for session in np.unique(sessions)]


def compute_errors(parts: Sequence[np.ndarray]) -> list[float]:
    """Return the squared error of each session's mean, with the variance pooled over sessions."""
    free = sum(len(part) - 1 for part in parts)
    within = sum(part.var() * len(part) for part in parts) / free
    return [within / len(part) for part in parts]


def bound_variance(squares: float, freedom: int) -> float:
    """Return the upper bound of the variance behind a sum of squares, exceeded with `CAUTION`."""
    return squares / chi2.ppf(CAUTION, freedom)
