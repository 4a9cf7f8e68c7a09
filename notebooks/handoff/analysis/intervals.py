"""One rule for every interval that is printed, drawn or judged.

An estimate is a weighted sum of means of logarithms: a ratio, a level, a change or a trend. The
fork is the unit within a session; from two sessions on, a ratio's error comes from the sessions.
docs/concepts.md, "Intervals", has the formulas; a spreadsheet can follow them.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from handoff.analysis.sessions import OWN_SESSIONS, TINY, SessionMeans, combine_variances

MIN_FORKS = 5
"""Forks of a point, over all sessions, below which nothing has an interval."""

MOST_LOG = 300.0

Interval = tuple[float, float]

MAX_FORKS = 1000
MAX_SESSIONS = 50
"""Efforts beyond which a comparison counts as undecidable."""


SESSION_SPREAD, SESSION_FREEDOM = 0.07, 18
"""Spread of one point's level between sessions, in logarithms, and what is known of it.

It is the root mean square, less what forks vary, over the 151 points of the shipped run that fit
the cores, in nine studies and three sessions. What a comparison's own sessions show is pooled with
it.
"""


class Term(NamedTuple):
    """One point of an estimate: its weight and the logarithms of its forks' values.

    `floor` is the smallest variance that these are assumed to have. `sessions` holds the session of
    each fork, None where all forks are of one. `study` has the session means of the point's study.
    """

    weight: float
    logs: np.ndarray
    floor: float = 0.0
    sessions: np.ndarray | None = None
    mechanism: str = ""
    study: SessionMeans | None = None

    def labels(self) -> list[int]:
        """Return the sessions in order, or a single 0 where they are unknown."""
        return [0] if self.sessions is None else sorted(set(self.sessions.tolist()))

    def within(self, session: int) -> "Term":
        """Return the part of one session."""
        if self.sessions is None:
            return self
        return self._replace(logs=self.logs[self.sessions == session], sessions=None)

    @property
    def variance(self) -> float:
        """The squared error of the mean within one session, without the weight."""
        return max(self.logs.var(ddof=1), self.floor) / len(self.logs)


class Estimate(NamedTuple):
    """A weighted sum of mean logarithms, with its standard error and degrees of freedom.

    Both are nan where the forks do not show them. `forks` is the smallest number of forks of a
    point, `sessions` the number of sessions that it rests on, and `within` the part of the squared
    error that more forks would shrink. `apart` has the estimates of single sessions where these are
    not combined: the interval then covers all of theirs.
    """

    log: float
    error: float
    freedom: float
    forks: int
    sessions: int = 1
    within: float = math.nan
    apart: tuple["Estimate", ...] = ()

    @property
    def ratio(self) -> float:
        return math.exp(self.log)

    def interval(self, confidence: float = 0.95, fewest: int = MIN_FORKS) -> Interval | None:
        """Return the two-sided interval, or None where it is unknown or below `fewest` forks."""
        if self.forks < fewest:
            return None
        if self.apart:
            parts = [part.interval(confidence, 2) for part in self.apart]
            known = [part for part in parts if part]
            if len(known) < len(parts):
                return None
            return min(low for low, _ in known), max(high for _, high in known)
        if math.isnan(self.error):
            return None
        quantile = float(stdtrit(self.freedom, (1 + confidence) / 2)) if self.error else 0.0
        # Few degrees of freedom at a high confidence leave the range of numbers.
        half = min(quantile * self.error, MOST_LOG)
        return math.exp(self.log - half), math.exp(self.log + half)


def estimate(terms: Iterable[Term]) -> Estimate:
    """Return the sum of weight times mean logarithm, over the sessions that all points share.

    Weights that add up to 0 make a contrast: what a session does to all points cancels. Otherwise
    it is a level, whose sessions are combined from three on.
    """
    kept = [term for term in terms if term.weight]
    common = find_common(kept)
    if not common:
        return estimate_within(kept)._replace(error=math.nan, freedom=math.nan)
    parts = [estimate_within([term.within(session) for term in kept]) for session in common]
    if len(parts) == 1:
        return parts[0]
    forks = min(sum(len(term.within(session).logs) for session in common) for term in kept)
    values = np.array([part.log for part in parts])
    within = sum(part.within for part in parts) / len(parts) ** 2
    mean = Estimate(float(values.mean()), math.nan, math.nan, forks, len(parts), within)
    if abs(sum(term.weight for term in kept)) > TINY:
        if len(parts) < OWN_SESSIONS:
            return mean._replace(apart=tuple(parts))
        error, freedom = describe_spread(values)
        return mean._replace(error=error, freedom=freedom)
    candidates = [describe_spread(values)] if len(parts) >= OWN_SESSIONS else []
    study = kept[0].study
    spread = study.measure_spread(common) if study else None
    weights = [(term.mechanism, term.weight) for term in kept]
    pooled = spread.bound_variance(weights) if spread else None
    if pooled:
        variance, freedom = pooled
        candidates.append((math.sqrt(variance / len(parts)), freedom))
    error, freedom = max(candidates, default=(math.nan, math.nan))
    return mean._replace(error=error, freedom=freedom)


def describe_spread(values: np.ndarray) -> tuple[float, float]:
    """Return the error of the sessions' mean and its degrees of freedom, from how they differ."""
    return float(values.std(ddof=1)) / math.sqrt(len(values)), float(len(values) - 1)


def estimate_within(terms: Sequence[Term]) -> Estimate:
    """Return the estimate of one session: Welch's error, Satterthwaite's degrees of freedom."""
    value = float(sum(term.weight * term.logs.mean() for term in terms))
    forks = min(len(term.logs) for term in terms)
    if forks < 2:
        return Estimate(value, math.nan, math.nan, forks)
    parts = [(term.weight**2 * term.variance, len(term.logs) - 1) for term in terms]
    total, freedom = combine_variances(parts)
    return Estimate(value, math.sqrt(total), freedom, forks, within=total)


def estimate_apart(terms: Iterable[Term]) -> Estimate:
    """Return the ratio of two levels that share no session.

    The variance of a level has the forks' part and the sessions' part. The latter is pooled from
    SESSION_SPREAD and from what the sides' own sessions show.
    """
    squares, freedom = SESSION_FREEDOM * SESSION_SPREAD**2, float(SESSION_FREEDOM)
    log, shares, variances, forks = 0.0, 0.0, [], []
    for term in terms:
        parts = [term.within(session) for session in term.labels()]
        means = np.array([part.logs.mean() for part in parts])
        log += term.weight * float(means.mean())
        squares += float(((means - means.mean()) ** 2).sum())
        freedom += len(parts) - 1
        shares += 1 / len(parts)
        variances += [
            (part.variance / len(parts) ** 2, len(part.logs) - 1)
            for part in parts
            if len(part.logs) > 1
        ]
        forks.append(len(term.logs))
    within = sum(variance for variance, _ in variances)
    total, free = combine_variances([*variances, (squares / freedom * shares, freedom)])
    return Estimate(log, math.sqrt(total), free, min(forks), within=within)


def find_common(terms: Sequence[Term]) -> list[int]:
    """Return the sessions in which every point was measured."""
    sets = [set(term.labels()) for term in terms]
    return sorted(set.intersection(*sets)) if sets else []


class Effort(NamedTuple):
    """Forks per point, or sessions, in total, that would decide; infinite where none would."""

    forks: float
    sessions: float


UNREASONABLE = Effort(math.inf, math.inf)


def find_effort(made: Estimate, bound: float, confidence: float) -> Effort:
    """Return the effort with which the interval would clear `bound`.

    Value and spread are assumed to stay. More forks shrink only the part of the error that comes
    from forks, more sessions all of it.
    """
    distance = abs(made.log - math.log(bound))
    if math.isnan(made.error) or not distance:
        return UNREASONABLE
    variance = made.error**2
    between = max(0.0, variance - made.within) if made.sessions > 1 else 0.0

    def decides(squared: float, freedom: float) -> bool:
        quantile = float(stdtrit(max(1.0, freedom), (1 + confidence) / 2))
        return quantile * math.sqrt(squared) <= distance

    def with_forks(forks: int) -> bool:
        more = forks / made.forks
        freedom = made.freedom * more if made.sessions == 1 else made.freedom
        return decides(between + (variance - between) / more, freedom)

    def with_sessions(sessions: int) -> bool:
        more = sessions / made.sessions
        return decides(variance / more, made.freedom * more)

    forks = first_true(range(made.forks, MAX_FORKS + 1), with_forks)
    if made.sessions == 1:
        return Effort(forks, math.inf)
    return Effort(forks, first_true(range(made.sessions, MAX_SESSIONS + 1), with_sessions))


def first_true(numbers: range, test: Callable[[int], bool]) -> float:
    """Return the first number that passes a test which all larger ones pass too, or infinity."""
    place = bisect_left(numbers, True, key=test)
    return numbers[place] if place < len(numbers) else math.inf
