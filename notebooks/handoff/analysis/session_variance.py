"""By how much sessions of a machine differ, from all points of a study together.

Three sessions tell next to nothing of one comparison's own difference between hours: two degrees of
freedom. All points of a study were measured in the same hours, so that together they tell it: what
sessions do to all points alike, and what they do to each besides (an analysis of variance by points
and sessions). What forks differ by within a session is taken off.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import chi2

MIN_SESSIONS = 3
CAUTION = 0.25
"""How likely the variance is underestimated: the bound above it is taken, not the estimate."""


class SessionVariance(NamedTuple):
    """Variances between sessions of logarithms of a point's value, and their degrees of freedom:
    `each`, of one point against the others, and `all_alike`, of all points together, which cancels
    in ratios.
    """

    each: float
    each_freedom: int
    all_alike: float
    all_freedom: int

    def of_contrast(self, weights: Sequence[float]) -> tuple[tuple[float, int], tuple[float, int]]:
        """The two parts of a weighted sum's variance in one session, with their freedom."""
        return (
            (self.each * sum(weight**2 for weight in weights), self.each_freedom),
            (self.all_alike * sum(weights) ** 2, self.all_freedom),
        )


def estimate_session_variance(
    points: Iterable[tuple[np.ndarray, np.ndarray]],
) -> SessionVariance | None:
    """From the logarithms of each point's forks and their sessions. None without three sessions in
    which two points have two forks or more each.
    """
    found = [split_sessions(logs, sessions) for logs, sessions in points]
    most = max((len(parts) for parts in found), default=0)
    parts = [own for own in found if len(own) == most and min(map(len, own)) > 1]
    if most < MIN_SESSIONS or len(parts) < 2:
        return None
    means = np.array([[part.mean() for part in own] for own in parts])
    errors = np.array([compute_errors(own) for own in parts])
    apart = means - means.mean(axis=1, keepdims=True)
    alike = apart.mean(axis=0)
    freedom = (len(parts) - 1) * (most - 1)
    each = bound_variance(((apart - alike) ** 2).sum(), freedom) - errors.mean()
    together = bound_variance((alike**2).sum(), most - 1) - errors.mean() / len(parts)
    return SessionVariance(max(0.0, each), freedom, max(0.0, together), most - 1)


def split_sessions(logs: np.ndarray, sessions: np.ndarray) -> list[np.ndarray]:
    return [logs[sessions == session] for session in np.unique(sessions)]


def compute_errors(parts: Sequence[np.ndarray]) -> list[float]:
    """The squared error of each session's mean, from the variance within all of them."""
    free = sum(len(part) - 1 for part in parts)
    within = sum(part.var() * len(part) for part in parts) / free
    return [within / len(part) for part in parts]


def bound_variance(squares: float, freedom: int) -> float:
    """A sum of squares' variance, at most: it is larger in `CAUTION` of all cases."""
    return squares / chi2.ppf(CAUTION, freedom)
