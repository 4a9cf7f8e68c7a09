"""Weighted sums of mean logarithms of forks: every ratio, change and trend that a claim speaks of
is one.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from handoff.analysis.session_variance import SessionVariance


class Term(NamedTuple):
    """A cell's weight, the logarithms of its forks' values, the least variance that these are
    believed to have, the session of each fork, None where all are of one, and by how much sessions
    differ in the cell's study, None where only the cells themselves tell.
    """

    weight: float
    logs: np.ndarray
    least: float = 0.0
    sessions: np.ndarray | None = None
    between: SessionVariance | None = None

    def labels(self) -> list[int]:
        return [0] if self.sessions is None else sorted(set(self.sessions.tolist()))

    def within(self, session: int) -> "Term":
        """The part of one session."""
        if self.sessions is None:
            return self
        return self._replace(logs=self.logs[self.sessions == session], sessions=None)


class Estimate(NamedTuple):
    """A contrast of cells, in logarithms: its value, standard error and degrees of freedom (Welch,
    Satterthwaite).

    Without two forks in every cell, `error` and `freedom` are nan. `forks` is the fewest of a cell.
    """

    log: float
    error: float
    freedom: float
    forks: int

    @property
    def ratio(self) -> float:
        return math.exp(self.log)

    def interval(self, level: float = 0.90) -> tuple[float, float] | None:
        """As a ratio. At 90 % its ends are the two one-sided 95 % bounds. None under two forks."""
        if math.isnan(self.error):
            return None
        half = stdtrit(self.freedom, (1 + level) / 2) * self.error if self.error else 0.0
        return math.exp(self.log - half), math.exp(self.log + half)

    def p_above(self, bound: float) -> float:
        """How likely an estimate this high is, if the truth is at most `bound` (a ratio): small
        speaks for 'above'.
        """
        return float(stdtr(self.freedom, -self._steps(bound)))

    def p_below(self, bound: float) -> float:
        """How likely an estimate this low is, if the truth is at least `bound`: small speaks for
        'below'.
        """
        return float(stdtr(self.freedom, self._steps(bound)))

    def _steps(self, bound: float) -> float:
        distance = self.log - (math.log(bound) if bound > 0 else -math.inf)
        return (
            distance / self.error
            if self.error
            else math.copysign(math.inf, distance)
            if distance
            else 0.0
        )


def estimate_contrast(terms: Iterable[Term]) -> Estimate:
    """The sum of weight times mean logarithm over the cells."""
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


def combine_p_values(p_values: list[float], needed: int) -> float:
    """P value for 'the statement holds in at least `needed` of these cases' (Benjamini and Heller's
    partial conjunction).

    With all needed it is the largest, uncorrected; with one it is Bonferroni's.
    """
    return min(1.0, (len(p_values) - needed + 1) * sorted(p_values)[needed - 1])


def adjust_holm(p_values: list[float]) -> list[float]:
    """Holm's adjustment, in the order given."""
    adjusted, running = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(np.argsort(p_values, kind="stable")):
        running = max(running, (len(p_values) - rank) * p_values[place])
        adjusted[place] = min(1.0, running)
    return adjusted
