"""The mean of several contrasts of points, each within sessions that its points share."""

import math
from collections.abc import Sequence

from handoff.analysis.contrast import Estimate, Term, estimate_contrast
from handoff.analysis.loglinear import Setting
from handoff.analysis.sessions import estimate_over_sessions

LEAST_FORKS = 2
"""Of a point in a session, for an interval."""

Cells = dict[Setting, Term]
Group = tuple[Setting, ...]


def average_contrasts(cells: Cells, groups: Sequence[Group], signs: Sequence[int]) -> Estimate:
    """The mean over groups of points of their sum of sign times mean logarithm; a point that is in
    several groups counts once, with its whole weight.

    Where some points lack a session that others have, each group is compared in those that all of
    its points have, and a group without any is left out; of only such the error is nan.
    """
    there = {setting for group in groups for setting in group}
    sessions = {session for setting in there for session in cells[setting].labels()}
    if all(set(cells[setting].labels()) == sessions for setting in there):
        weights = sum_weights([(group, 1.0) for group in groups], signs, len(groups))
        return estimate_over_sessions([cells[s]._replace(weight=w) for s, w in weights.items()])
    return average_within_sessions(cells, groups, signs)


def average_within_sessions(
    cells: Cells, groups: Sequence[Group], signs: Sequence[int]
) -> Estimate:
    """A group's sessions weigh as forks would have it: by the inverse of its error there."""
    parts: list[tuple[Group, float]] = []
    kept = 0
    split: Cells = {}
    for group in groups:
        shares = weigh_sessions(cells, group)
        kept += bool(shares)
        for session, share in shares.items():
            at = tuple((*setting, session) for setting in group)
            split |= {
                key: cells[setting].within(session) for key, setting in zip(at, group, strict=True)
            }
            parts.append((at, share))
    if not kept:
        weights = sum_weights([(group, 1.0) for group in groups], signs, len(groups))
        pooled = [cells[s]._replace(weight=w, sessions=None) for s, w in weights.items()]
        return estimate_contrast(pooled)._replace(error=math.nan, freedom=math.nan)
    weights = sum_weights(parts, signs, kept)
    return estimate_contrast(split[key]._replace(weight=w) for key, w in weights.items())


def weigh_sessions(cells: Cells, group: Group) -> dict[int, float]:
    """The share of each session that has forks enough of every point; none where no session has."""
    common = set.intersection(*(set(cells[setting].labels()) for setting in group))
    counts = {
        session: [len(cells[setting].within(session).logs) for setting in group]
        for session in sorted(common)
    }
    rates = {
        session: 1 / sum(1 / count for count in each)
        for session, each in counts.items()
        if min(each) >= LEAST_FORKS
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
