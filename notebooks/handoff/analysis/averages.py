"""Means of several contrasts of points, each formed within sessions that its points share."""

import math
from collections.abc import Sequence

import numpy as np

from handoff.analysis.contrast import Estimate, Term, estimate_contrast
from handoff.analysis.session_variance import MIN_SESSIONS
from handoff.analysis.sessions import estimate_over_sessions

LEAST_FORKS = 2
"""Forks of a point that a session must have for an interval."""

Setting = tuple[object, ...]
"""The values of the varied parameters at a point."""

Cells = dict[Setting, Term]
Group = tuple[Setting, ...]


def keep_comparable(cells: Cells, groups: Sequence[Group]) -> list[Group]:
    """Return the groups whose points share a session with enough forks, or all if none do."""
    kept = [
        group for group, shared in zip(groups, share_sessions(cells, groups), strict=True) if shared
    ]
    return kept or list(groups)


def average_contrasts(cells: Cells, groups: Sequence[Group], signs: Sequence[int]) -> Estimate:
    """Return the mean, over comparable groups of points, of the sum of sign times mean logarithm.

    A point that is in several groups counts once, with its total weight. Where all groups share the
    same sessions, the error includes what differs between three or more of them. Otherwise each
    group is compared within its own sessions, and the error does not include it. The error is nan
    where the points of a group share no session.
    """
    groups = keep_comparable(cells, groups)
    shared = share_sessions(cells, groups)
    weights = sum_weights([(group, 1.0) for group in groups], signs, len(groups))
    terms = [cells[setting]._replace(weight=weight) for setting, weight in weights.items()]
    if not all(shared):
        pooled = [term._replace(sessions=None) for term in terms]
        return estimate_contrast(pooled)._replace(error=math.nan, freedom=math.nan)
    if len({frozenset(sessions) for sessions in shared}) == 1:
        return estimate_over_sessions([restrict(term, set(shared[0])) for term in terms])
    return average_within_sessions(cells, groups, signs)


def restrict(term: Term, sessions: set[int]) -> Term:
    """Return the part of the term that was measured in these sessions."""
    if term.sessions is None:
        return term
    kept = np.isin(term.sessions, list(sessions))
    return term._replace(logs=term.logs[kept], sessions=term.sessions[kept])


def average_within_sessions(
    cells: Cells, groups: Sequence[Group], signs: Sequence[int]
) -> Estimate:
    """Average each group's sessions with the weights that their numbers of forks suggest."""
    parts: list[tuple[Group, float]] = []
    split: Cells = {}
    for group in groups:
        for session, share in weigh_sessions(cells, group).items():
            keys = tuple((*setting, session) for setting in group)
            split |= {
                key: cells[setting].within(session)
                for key, setting in zip(keys, group, strict=True)
            }
            parts.append((keys, share))
    weights = sum_weights(parts, signs, len(groups))
    return estimate_contrast(split[key]._replace(weight=w) for key, w in weights.items())


def share_sessions(cells: Cells, groups: Sequence[Group]) -> list[dict[int, float]]:
    """Return the shares of the sessions of each group.

    Where all groups have three or more sessions in common, one fork of every point per session is
    enough, and only the common sessions count.
    """
    enough = [weigh_sessions(cells, group) for group in groups]
    single = [weigh_sessions(cells, group, 1) for group in groups]
    common = set.intersection(*map(set, single)) if single else set()
    twice = set.intersection(*map(set, enough)) if enough else set()
    if len(common) >= MIN_SESSIONS and len(common) > len(twice):
        return [dict.fromkeys(sorted(common), 1 / len(common)) for _ in groups]
    return enough


def weigh_sessions(cells: Cells, group: Group, least: int = LEAST_FORKS) -> dict[int, float]:
    """Return the share of each session with at least `least` forks of every point of the group."""
    common = set.intersection(*(set(cells[setting].labels()) for setting in group))
    counts = {
        session: [len(cells[setting].within(session).logs) for setting in group]
        for session in sorted(common)
    }
    rates = {
        session: 1 / sum(1 / forks for forks in numbers)
        for session, numbers in counts.items()
        if min(numbers) >= least
    }
    return {session: rate / sum(rates.values()) for session, rate in rates.items()}


def sum_weights(
    parts: Sequence[tuple[Group, float]], signs: Sequence[int], number: int
) -> dict[Setting, float]:
    """Return the weight of each point in the mean of `number` groups, given parts with shares."""
    weights: dict[Setting, float] = {}
    for group, share in parts:
        for sign, setting in zip(signs, group, strict=True):
            weights[setting] = weights.get(setting, 0.0) + sign * share / number
    return weights
