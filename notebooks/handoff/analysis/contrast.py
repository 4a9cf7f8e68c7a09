"""Contrasts: weighted sums of the mean logarithms of forks.

Every ratio, change and trend that a claim states is a contrast.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from handoff.analysis.session_variance import SessionVariance

MAX_FORKS = 1000
"""Forks per point beyond which no number of needed forks is given."""


class Term(NamedTuple):
    """One cell of a contrast: its weight and the logarithms of its forks' values.

    `least` is the smallest variance that these are assumed to have. `sessions` holds the session of
    each fork, None where all forks are from one. `between` is the variance between sessions in the
    cell's study, None where only the cells themselves show it.
    """

    weight: float
    logs: np.ndarray
    least: float = 0.0
    sessions: np.ndarray | None = None
    between: SessionVariance | None = None

    def labels(self) -> list[int]:
        """Return the sessions in order, or a single 0 where they are unknown."""
        return [0] if self.sessions is None else sorted(set(self.sessions.tolist()))

    def within(self, session: int) -> "Term":
        """Return the part of one session."""
        if self.sessions is None:
            return self
        return self._replace(logs=self.logs[self.sessions == session], sessions=None)


class Estimate(NamedTuple):
    """The value of a contrast in logarithms, its standard error and its degrees of freedom.

    The error is Welch's, the freedom Satterthwaite's; both are nan where a cell has fewer than two
    forks. `forks` is the smallest number of forks of a cell.
    """

    log: float
    error: float
    freedom: float
    forks: int

    @property
    def ratio(self) -> float:
        return math.exp(self.log)

    def interval(self, level: float = 0.90) -> tuple[float, float] | None:
        """Return the confidence interval as ratios, or None where the error is unknown.

        The ends of the 90 % interval are the two one-sided 95 % bounds.
        """
        if math.isnan(self.error):
            return None
        half = stdtrit(self.freedom, (1 + level) / 2) * self.error if self.error else 0.0
        return math.exp(self.log - half), math.exp(self.log + half)

    def p_above(self, bound: float) -> float:
        """Return the p value for a true ratio above `bound`: small values support it."""
        return float(stdtr(self.freedom, -self._steps(bound)))

    def p_below(self, bound: float) -> float:
        """Return the p value for a true ratio below `bound`: small values support it."""
        return float(stdtr(self.freedom, self._steps(bound)))

    def _steps(self, bound: float) -> float:
        distance = self.log - (math.log(bound) if bound > 0 else -math.inf)
        if self.error:
            return distance / self.error
        return math.copysign(math.inf, distance) if distance else 0.0


def estimate_contrast(terms: Iterable[Term]) -> Estimate:
    """Return the sum of weight times mean logarithm over the cells."""
    kept = [term for term in terms if term.weight]
    value = sum(term.weight * term.logs.mean() for term in kept)
    forks = min(len(term.logs) for term in kept)
    if forks < 2:
        return Estimate(value, math.nan, math.nan, forks)
    variances = [
        term.weight**2 * max(term.logs.var(ddof=1), term.least) / len(term.logs) for term in kept
    ]
    total = sum(variances)
    parts = sum(
        variance**2 / (len(term.logs) - 1) for variance, term in zip(variances, kept, strict=True)
    )
    return Estimate(value, math.sqrt(total), total**2 / parts if parts else math.inf, forks)


def find_forks_to_decide(estimate: Estimate, bound: float, alpha: float) -> int | None:
    """Return the forks per point with which the one-sided bound would clear `bound`.

    Ratio and spread are assumed to stay as they are. None beyond MAX_FORKS.
    """
    distance = abs(estimate.log - math.log(bound))
    if not estimate.error or not distance:
        return estimate.forks if distance else None

    def decides(forks: int) -> bool:
        more = forks / estimate.forks
        quantile = stdtrit(max(1.0, estimate.freedom * more), alpha)
        return bool(distance + quantile * estimate.error / math.sqrt(more) >= 0)

    numbers = range(estimate.forks, MAX_FORKS + 1)
    place = bisect_left(numbers, True, key=decides)
    return numbers[place] if place < len(numbers) else None


def combine_p_values(p_values: list[float], needed: int) -> float:
    """Return the p value for a statement that holds in at least `needed` of these cases.

    This is Benjamini and Heller's partial conjunction with Bonferroni's correction: the largest p
    value, uncorrected, where all cases are needed; Bonferroni's where one is enough.
    """
    return min(1.0, (len(p_values) - needed + 1) * sorted(p_values)[needed - 1])


def adjust_holm(p_values: list[float]) -> list[float]:
    """Return Holm's adjusted p values, in the order given."""
    adjusted, running = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(np.argsort(p_values, kind="stable")):
        running = max(running, (len(p_values) - rank) * p_values[place])
        adjusted[place] = min(1.0, running)
    return adjusted
