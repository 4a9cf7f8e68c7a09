"""The rule for intervals as docs/concepts.md has it, formula by formula.

It is independent of the product, of which it imports nothing.
"""

import math
from collections.abc import Sequence
from statistics import fmean, variance
from typing import NamedTuple

from scipy import stats


class Point(NamedTuple):
    """A point of a comparison: the logarithms of its forks' values by session."""

    weight: float
    mechanism: str
    forks: dict[int, list[float]]
    floor: float = 0.0


class Candidate(NamedTuple):
    """A variance that may count, with its degrees of freedom."""

    name: str
    variance: float
    freedom: float

    def half(self, confidence: float) -> float:
        return float(stats.t.ppf((1 + confidence) / 2, self.freedom)) * math.sqrt(self.variance)


Row = tuple[str, dict[int, float]]
"""A point of the study that fits: its mechanism and its means by session."""


def sum_up(name: str, parts: Sequence[tuple[float, float]]) -> Candidate:
    total = sum(part for part, _ in parts)
    return Candidate(name, total, total**2 / sum(part**2 / free for part, free in parts))


def sum_forks(points: Sequence[Point], sessions: Sequence[int]) -> Candidate:
    parts = []
    for point in points:
        for logs in (point.forks[session] for session in sessions):
            squared = max(variance(logs), point.floor) / len(logs)
            parts.append((point.weight**2 * squared / len(sessions) ** 2, len(logs) - 1))
    return sum_up("forks", parts)


def bound(squares: float, freedom: int) -> float:
    return squares / float(stats.chi2.ppf(0.25, freedom))


def pool(points: Sequence[Point], rows: Sequence[Row], sessions: Sequence[int]) -> Candidate:
    table = [(name, means) for name, means in rows if all(s in means for s in sessions)]
    mechanisms = sorted({name for name, _ in table})
    levels = {s: fmean(means[s] for _, means in table) for s in sessions}
    middle = fmean(levels.values())
    shared = rest = 0.0
    for mechanism in mechanisms:
        residuals = []
        for means in (means for name, means in table if name == mechanism):
            level = fmean(means[s] for s in sessions)
            residuals.append([means[s] - level - levels[s] + middle for s in sessions])
        for column in zip(*residuals, strict=True):
            shared += len(column) * fmean(column) ** 2
            rest += sum((value - fmean(column)) ** 2 for value in column)
    weights = {m: sum(p.weight for p in points if p.mechanism == m) for m in mechanisms}
    compared = [m for m in mechanisms if abs(weights[m]) > 1e-12]
    sizes = [1 / sum(name == m for name, _ in table) for m in compared]
    a = sum(weights[m] ** 2 for m in compared) * fmean(sizes or [0.0])
    b = sum(point.weight**2 for point in points) - a
    more = len(sessions) - 1
    frees = (len(mechanisms) - 1) * more, (len(table) - len(mechanisms)) * more
    parts = [
        (factor * bound(squares, free) / len(sessions), free)
        for factor, squares, free in zip((a, b), (shared, rest), frees, strict=True)
        if factor > 1e-12
    ]
    return sum_up("pooled", parts)


def list_candidates(points: Sequence[Point], rows: Sequence[Row]) -> list[Candidate]:
    """Return what may count: one variance, or one of the sessions and one of the forks."""
    sessions = sorted(set.intersection(*(set(point.forks) for point in points)))
    sums = [sum(p.weight * fmean(p.forks[s]) for p in points) for s in sessions]
    if len(sessions) == 1:
        return [sum_forks(points, sessions)]
    if len(sessions) > 2:
        own = Candidate("own", variance(sums) / len(sums), len(sums) - 1)
    if abs(sum(point.weight for point in points)) > 1e-12:
        assert len(sessions) > 2, "a level of two sessions has an interval for each"
        return [own]
    between = pool(points, rows, sessions)
    if len(sessions) > 2 and own.variance > between.variance:
        between = own
    return [between, sum_forks(points, sessions)]


def widest(points: Sequence[Point], rows: Sequence[Row], confidence: float) -> Candidate:
    return max(list_candidates(points, rows), key=lambda candidate: candidate.half(confidence))
