"""Differences of session means, beyond what all points of a session have in common."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri

CAUTION = 0.75
"""Confidence of the upper bound that stands in for a mean square between sessions."""

TINY = 1e-12


class MeanSquare(NamedTuple):
    """A mean square of session means, with its degrees of freedom; 0 of these if it is unknown."""

    value: float
    freedom: int

    @property
    def bound(self) -> float:
        """The upper bound of the variance, exceeded once in four times."""
        return self.value * self.freedom / float(chdtri(self.freedom, CAUTION))


class SessionSpread(NamedTuple):
    """Differences of session means, beyond what all points of a session have in common.

    `mechanisms` is what the points of one mechanism share in a session, `rest` what each point has
    by itself. `sizes` is the number of points per mechanism.
    """

    mechanisms: MeanSquare
    rest: MeanSquare
    sizes: Mapping[str, int]

    def bound_variance(self, weights: Sequence[tuple[str, float]]) -> tuple[float, float] | None:
        """Return the variance of a contrast in one session, and its degrees of freedom.

        `weights` are by mechanism, one entry per point. None where the study's points do not show
        a part of the variance that the contrast has.
        """
        total: dict[str, float] = {}
        for mechanism, weight in weights:
            total[mechanism] = total.get(mechanism, 0.0) + weight
        compared = [mechanism for mechanism, weight in total.items() if abs(weight) > TINY]
        if not all(self.sizes.get(mechanism) for mechanism in total):
            return None
        size = len(compared) / sum(1 / self.sizes[m] for m in compared) if compared else 1.0
        between = sum(total[mechanism] ** 2 for mechanism in compared) / size
        rest = max(0.0, sum(weight**2 for _, weight in weights) - between)
        parts = [(between, self.mechanisms), (rest, self.rest)]
        used = [(factor, square) for factor, square in parts if factor > TINY]
        if any(not square.freedom for _, square in used):
            return None
        variances = [(factor * square.bound, square.freedom) for factor, square in used]
        return combine_variances(variances)


def combine_variances(parts: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Return the sum of variances, and its degrees of freedom by Satterthwaite."""
    listed = list(parts)
    total = sum(variance for variance, _ in listed)
    shares = sum(variance**2 / freedom for variance, freedom in listed if variance)
    return total, total**2 / shares if shares else math.inf


class SessionMeans:
    """The means of a study's points in each session, which show how sessions differ."""

    def __init__(self, points: Iterable[tuple[str, np.ndarray, np.ndarray]]) -> None:
        """`points` yields the mechanism, the logarithms and their sessions, by point."""
        self.points = [
            (mechanism, {s: float(logs[sessions == s].mean()) for s in set(sessions.tolist())})
            for mechanism, logs, sessions in points
        ]
        self.known: dict[tuple[int, ...], SessionSpread | None] = {}

    @property
    def usual(self) -> tuple[int, ...]:
        """The sessions that most points have; not every point is in each of a run's sessions."""
        counts = Counter(tuple(sorted(means)) for _, means in self.points)
        return max(counts, key=counts.__getitem__, default=())

    def measure_spread(self, sessions: Sequence[int]) -> SessionSpread | None:
        """Return how these sessions differ; None with fewer than two of them or of points."""
        chosen = tuple(sessions)
        if chosen not in self.known:
            rows = [
                (mechanism, [means[session] for session in chosen])
                for mechanism, means in self.points
                if means.keys() >= set(chosen)
            ]
            known = len(rows) >= 2 and len(chosen) >= 2
            self.known[chosen] = measure_table(rows) if known else None
        return self.known[chosen]


def measure_table(rows: Sequence[tuple[str, Sequence[float]]]) -> SessionSpread:
    """Return the spread of a table with the mechanism of each row and a column per session."""
    table = np.array([means for _, means in rows])
    residuals = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    names = [mechanism for mechanism, _ in rows]
    groups = {name: residuals[[other == name for other in names]] for name in dict.fromkeys(names)}
    between = sum(len(group) * (group.mean(axis=0) ** 2).sum() for group in groups.values())
    rest = sum(((group - group.mean(axis=0)) ** 2).sum() for group in groups.values())
    more = table.shape[1] - 1
    return SessionSpread(
        divide(between, (len(groups) - 1) * more),
        divide(rest, (len(rows) - len(groups)) * more),
        {name: len(group) for name, group in groups.items()},
    )


def divide(squares: float, freedom: int) -> MeanSquare:
    return MeanSquare(float(squares) / freedom if freedom else 0.0, freedom)


OWN_SESSIONS = 3
"""Sessions from which on the differences between a comparison's own sessions count."""


def describe_sessions(number: int, nodes: int = 1) -> str:
    """Say what the intervals of a run of `number` sessions, on `nodes` machines, include."""
    if nodes > 1:
        return (
            f"{nodes} nodes of one kind: what differs between them is in the intervals of ratios."
        )
    if number == 1:
        return "One session: what the machine does at other hours is not in the intervals."
    levels = (
        "ratios and levels" if number >= OWN_SESSIONS else "ratios; levels have one per session"
    )
    return f"{number} sessions, hours apart: what differs is in the intervals of {levels}."
