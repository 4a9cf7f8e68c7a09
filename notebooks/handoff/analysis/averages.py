"""The mean of several contrasts of points, each within sessions that its points share."""

import math
from collections.abc import Sequence

import numpy as np

from handoff.analysis.contrast import Estimate, Term, estimate_contrast
from handoff.analysis.loglinear import Setting
from handoff.analysis.session_variance import MIN_SESSIONS
from handoff.analysis.sessions import estimate_over_sessions

LEAST_FORKS = 2
"""Of a point in a session, for an interval."""

Cells = dict[Setting, Term]
Group = tuple[Setting, ...]


def keep_comparable(cells: Cells, groups: Sequence[Group]) -> list[Group]:
    """Those groups whose points share a session with forks enough; all, where none do."""
    kept = [
        group for group, shared in zip(groups, share_sessions(cells, groups), strict=True) if shared
    ]
    return kept or list(groups)


def average_contrasts(cells: Cells, groups: Sequence[Group], signs: Sequence[int]) -> Estimate:
    """The mean over comparable groups of points of their sum of sign times mean logarithm; a point
    that is in several groups counts once, with its whole weight.

    Where all groups share the same sessions, what differs between these is in the error, from three
    on; else each group is compared in its own, and it is not. Where points share none, the error
    is nan.
    """
    groups = keep_comparable(cells, groups)
    shared = share_sessions(cells, groups)
    weights = sum_weights([(group, 1.0) for group in groups], signs, len(groups))
    terms = [cells[setting]._replace(weight=weight) for setting, weight in weights.items()]
    if not all(shared):
        pooled = [term._replace(sessions=None) for term in terms]
        return estimate_contrast(pooled)._replace(error=math.nan, freedom=math.nan)
    if len({frozenset(each) for each in shared}) == 1:
        return estimate_over_sessions([restrict(term, set(shared[0])) for term in terms])
    return average_within_sessions(cells, groups, signs)


def restrict(term: Term, sessions: set[int]) -> Term:
    """The part of these sessions."""
    if term.sessions is None:
        return term
    kept = np.isin(term.sessions, list(sessions))
    return term._replace(logs=term.logs[kept], sessions=term.sessions[kept])


def average_within_sessions(
    cells: Cells, groups: Sequence[Group], signs: Sequence[int]
) -> Estimate:
    """A group's sessions weigh as forks would have it: by the inverse of its error there."""
    parts: list[tuple[Group, float]] = []
    split: Cells = {}
    for group in groups:
        for session, share in weigh_sessions(cells, group).items():
            at = tuple((*setting, session) for setting in group)
            split |= {
                key: cells[setting].within(session) for key, setting in zip(at, group, strict=True)
            }
            parts.append((at, share))
    weights = sum_weights(parts, signs, len(groups))
    return estimate_contrast(split[key]._replace(weight=w) for key, w in weights.items())


def share_sessions(cells: Cells, groups: Sequence[Group]) -> list[dict[int, float]]:
    """For each group the shares of its sessions. Where all groups have three or more in common, one
    fork of every point in a session will do, and only these sessions count.
    """
    enough = [weigh_sessions(cells, group) for group in groups]
    single = [weigh_sessions(cells, group, 1) for group in groups]
    common = set.intersection(*map(set, single)) if single else set()
    twice = set.intersection(*map(set, enough)) if enough else set()
    if len(common) >= MIN_SESSIONS and len(common) > len(twice):
        return [dict.fromkeys(sorted(common), 1 / len(common)) for _ in groups]
    return enough


def weigh_sessions(cells: Cells, group: Group, least: int = LEAST_FORKS) -> dict[int, float]:
    """The share of each session that has forks enough of every point; none where no session has."""
    common = set.intersection(*(set(cells[setting].labels()) for setting in group))
    counts = {
        session: [len(cells[setting].within(session).logs) for setting in group]
        for session in sorted(common)
    }
    rates = {
        session: 1 / sum(1 / count for count in each)
        for session, each in counts.items()
        if min(each) >= least
    }
    return {session: rate / sum(rates.values()) for session, rate in rates.items()}


def sum_weights(
    parts: Sequence[tuple[Group, float]], signs: Sequence[int], number: int
) -> dict[Setting, float]:
    """What each point weighs in the mean of so many groups, each part of which has a share."""
    weights: dict[Setting, float] = {}
    for group, share in parts:
        for sign, setting in zip(signs, group, strict=True):
            weights[setting] = weights.get(setting, 0.0) + sign * share / number
    return weights
