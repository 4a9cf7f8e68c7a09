"""One rule for every interval that is printed, drawn or judged.

An estimate is a weighted sum of means of logarithms: a ratio, a level, a change or a trend. The
fork is the unit within a session; from two sessions on, a ratio has the wider of the intervals that
its sessions and its forks show. docs/concepts.md, "Intervals", has the formulas.
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


class Error(NamedTuple):
    """The variance of an estimate, with its degrees of freedom.

    `between` is the part that more forks do not shrink; None where forks alone show the variance.
    """

    variance: float
    freedom: float
    between: float | None = None

    def reach(self, confidence: float) -> float:
        """Return half of the width of the two-sided interval, in logarithms."""
        if not self.variance:
            return 0.0
        quantile = float(stdtrit(self.freedom, (1 + confidence) / 2))
        # Few degrees of freedom at a high confidence leave the range of numbers.
        return min(quantile * math.sqrt(self.variance), MOST_LOG)

    def with_forks(self, more: float) -> "Error":
        """Return the error with so many times the forks."""
        if self.between is None:
            return Error(self.variance / more, self.freedom * more)
        within = self.variance - self.between
        return self._replace(variance=self.between + within / more)

    def with_sessions(self, more: float) -> "Error":
        """Return the error with so many times the sessions."""
        return Error(self.variance / more, self.freedom * more)


class Estimate(NamedTuple):
    """A weighted sum of mean logarithms, with its errors; there is none where nothing shows it.

    The error with the widest interval counts. `forks` is the smallest number of forks of a point,
    `sessions` the number of sessions that it rests on. `apart` has the estimates of single sessions
    where these are not combined: the interval then covers all of theirs.
    """

    log: float
    errors: tuple[Error, ...]
    forks: int
    sessions: int = 1
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
        if not self.errors or not math.isfinite(self.log):
            return None
        half = max(error.reach(confidence) for error in self.errors)
        return math.exp(self.log - half), math.exp(self.log + half)


def estimate(terms: Iterable[Term]) -> Estimate:
    """Return the sum of weight times mean logarithm, over the sessions that all points share.

    Weights that add up to 0 make a contrast: what a session does to all points cancels. Otherwise
    it is a level, whose sessions are combined from three on.
    """
    kept = [term for term in terms if term.weight]
    common = find_common(kept)
    if not common:
        return estimate_within(kept)._replace(errors=())
    parts = [estimate_within([term.within(session) for term in kept]) for session in common]
    if len(parts) == 1:
        return parts[0]
    forks = min(sum(len(term.within(session).logs) for session in common) for term in kept)
    mean = Estimate(float(np.mean([part.log for part in parts])), (), forks, len(parts))
    if abs(sum(term.weight for term in kept)) <= TINY:
        return mean._replace(errors=find_contrast_errors(kept, common, parts))
    if len(parts) < OWN_SESSIONS:
        return mean._replace(apart=tuple(parts))
    return mean._replace(errors=(find_level_error(parts),))


def estimate_within(terms: Sequence[Term]) -> Estimate:
    """Return the estimate of one session: Welch's error, Satterthwaite's degrees of freedom."""
    value = float(sum(term.weight * term.logs.mean() for term in terms))
    forks = min(len(term.logs) for term in terms)
    if forks < 2:
        return Estimate(value, (), forks)
    parts = [(term.weight**2 * term.variance, len(term.logs) - 1) for term in terms]
    return Estimate(value, (Error(*combine_variances(parts)),), forks)


def find_level_error(parts: Sequence[Estimate]) -> Error:
    """Return the error of a level, from the estimates of three sessions or more."""
    return separate(measure_spread(parts), add_forks(parts))


def find_contrast_errors(
    terms: Sequence[Term], sessions: Sequence[int], parts: Sequence[Estimate]
) -> tuple[Error, ...]:
    """Return the error of a contrast that its sessions show, and that which its forks show.

    `parts` are the estimates of the sessions. What all points of the study show gives way to what
    the contrast's own sessions show where that is larger.
    """
    shown = pool_sessions(terms, sessions)
    if len(parts) >= OWN_SESSIONS:
        own = measure_spread(parts)
        shown = own if shown is None or own.variance > shown.variance else shown
    if shown is None:
        return ()
    forks = add_forks(parts)
    between = separate(shown, forks)
    return (between, forks) if forks else (between,)


def measure_spread(parts: Sequence[Estimate]) -> Error:
    """Return the error of the sessions' mean from how they differ."""
    return Error(float(np.var([part.log for part in parts], ddof=1)) / len(parts), len(parts) - 1)


def pool_sessions(terms: Sequence[Term], sessions: Sequence[int]) -> Error | None:
    """Return the error from how all points of the study differ, None where they do not show it."""
    study = terms[0].study
    spread = study.measure_spread(sessions) if study else None
    pooled = spread.bound_variance([(t.mechanism, t.weight) for t in terms]) if spread else None
    return Error(pooled[0] / len(sessions), pooled[1]) if pooled else None


def add_forks(parts: Sequence[Estimate]) -> Error | None:
    """Return the error of the sessions' mean from the forks in each, None where one shows none."""
    errors = [part.errors[0] for part in parts if part.errors]
    if len(errors) < len(parts):
        return None
    total, freedom = combine_variances((error.variance, error.freedom) for error in errors)
    return Error(total / len(parts) ** 2, freedom)


def separate(error: Error, forks: Error | None) -> Error:
    """Return an error of sessions with the part that is not from forks."""
    within = forks.variance if forks else 0.0
    return error._replace(between=max(0.0, error.variance - within))


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

    Value and spread are assumed to stay. More forks shrink only the part of an error that comes
    from forks, more sessions all of it. All errors must become small enough.
    """
    distance = abs(made.log - math.log(bound))
    if not made.errors or not distance:
        return UNREASONABLE

    def with_forks(forks: int) -> bool:
        more = forks / made.forks
        return all(e.with_forks(more).reach(confidence) <= distance for e in made.errors)

    def with_sessions(sessions: int) -> bool:
        more = sessions / made.sessions
        return all(e.with_sessions(more).reach(confidence) <= distance for e in made.errors)

    forks = first_true(range(made.forks, MAX_FORKS + 1), with_forks)
    if made.sessions == 1:
        return Effort(forks, math.inf)
    return Effort(forks, first_true(range(made.sessions, MAX_SESSIONS + 1), with_sessions))


def first_true(numbers: range, test: Callable[[int], bool]) -> float:
    """Return the first number that passes a test which all larger ones pass too, or infinity."""
    place = bisect_left(numbers, True, key=test)
    return numbers[place] if place < len(numbers) else math.inf
