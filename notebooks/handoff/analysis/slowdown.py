"""Judge whether one side of a comparison is slower than the other, point by point.

All that it knows is forks: two sets per point, before and after a change. Whatever cannot be judged
is an outcome of its own, so that nothing passes for want of forks.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from handoff.analysis.intervals import MIN_FORKS, Estimate, Term, estimate
from handoff.analysis.sessions import combine_variances
from handoff.errors import COMPLETE, INCOMPLETE, REGRESSION, UNJUDGED
from handoff.text import pluralize

ERROR = 0.05
"""Chance that any point of a comparison counts as slower although none is, at most."""

MARGIN, DETECT = 0.05, 1.0
"""Slowdown that a point must exceed to count, and the one that it must be able to show."""

SESSION_SPREAD, SESSION_FREEDOM = 0.07, 18
"""Spread of one point's level between sessions, in logarithms, and what is known of it.

It is the root mean square, less what forks vary, over the 151 points of the shipped run that fit
the cores, in nine studies and three sessions. What a comparison's own sessions show is pooled with
it.
"""

SLOWER, NOT_SLOWER, NOT_JUDGED = "slower", "not slower", "not judged"


class Pair(NamedTuple):
    """The forks of one point before and after; None where the point has none.

    `flaw` says why they cannot be judged, '' otherwise.
    """

    point: str
    before: Term | None
    after: Term | None
    flaw: str = ""


class Outcome(NamedTuple):
    """What a point shows: after ÷ before with its simultaneous interval, and the outcome's word.

    `why` names the reason where the word is NOT_JUDGED. `visible` is the smallest ratio that these
    forks would have shown to be slower.
    """

    point: str
    word: str
    why: str = ""
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    visible: float | None = None


def judge_pairs(
    pairs: Sequence[Pair], margin: float = MARGIN, detect: float = DETECT, together: bool = True
) -> list[Outcome]:
    """Return one outcome per pair, with intervals that hold for all judged points at once.

    `together`: both sides were measured in the same blocks, so that what a session does to both
    cancels. Otherwise the spread between sessions is part of every interval.
    """
    combine = estimate if together else estimate_apart
    made = []
    for pair in pairs:
        terms = weigh_sides(pair)
        made.append((pair.point, find_flaw(pair), combine(terms) if terms else None))
    able = sum(not flaw and bool(e and e.interval()) for _, flaw, e in made)
    confidence = 1 - 2 * ERROR / max(1, able)
    return [
        judge_point(point, flaw, estimated, confidence, (margin, detect))
        for point, flaw, estimated in made
    ]


def weigh_sides(pair: Pair) -> list[Term]:
    """Return the terms of a ratio, after ÷ before; [] unless both sides have positive values."""
    terms = [
        side._replace(weight=sign)
        for side, sign in ((pair.after, 1.0), (pair.before, -1.0))
        if side is not None and len(side.logs) and np.isfinite(side.logs).all()
    ]
    return terms if len(terms) == 2 else []


def find_flaw(pair: Pair) -> str:
    """Return why no forks of this kind can be judged, or ''."""
    if pair.flaw:
        return pair.flaw
    sides = {"before": pair.before, "after": pair.after}
    forks = {when: len(side.logs) if side else 0 for when, side in sides.items()}
    for when, number in forks.items():
        if not number:
            return f"not measured {when}"
    if not weigh_sides(pair):
        return "a value is not a positive number"
    fewest = min(forks.values())
    return f"{pluralize(fewest, 'fork')}, {MIN_FORKS} needed" if fewest < MIN_FORKS else ""


def judge_point(
    point: str,
    flaw: str,
    estimated: Estimate | None,
    confidence: float,
    limits: tuple[float, float],
) -> Outcome:
    """Return a point's outcome from its estimate, at the confidence that all points share."""
    margin, detect = limits
    if estimated is None:
        return Outcome(point, NOT_JUDGED, flaw)
    bounds = None if flaw else estimated.interval(confidence)
    if bounds is None:
        why = flaw or "no session has both sides"
        return Outcome(point, NOT_JUDGED, why, estimated.ratio)
    low, high = bounds
    visible = (1 + margin) * estimated.ratio / low
    word, why = NOT_SLOWER, ""
    if low > 1 + margin:
        word = SLOWER
    elif visible > 1 + detect:
        word, why = NOT_JUDGED, f"a slowdown of {detect:.0%} would not have shown"
    return Outcome(point, word, why, estimated.ratio, low, high, visible)


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


def find_code(outcomes: Sequence[Outcome], missing: int = 0) -> int:
    """Return the exit code; `missing` forks were planned and not measured.

    A point that is slower weighs most, then one that could not be judged.
    """
    words = Counter(outcome.word for outcome in outcomes)
    if words[SLOWER]:
        return REGRESSION
    if words[NOT_JUDGED] or not words[NOT_SLOWER]:
        return UNJUDGED
    return INCOMPLETE if missing else COMPLETE


def describe_outcomes(
    outcomes: Sequence[Outcome], margin: float = MARGIN, missing: int = 0
) -> list[str]:
    """Describe all outcomes in sentences: what is slower, what was not judged, what was unseen."""
    slower = sum(outcome.word == SLOWER for outcome in outcomes)
    judged = sum(outcome.word != NOT_JUDGED for outcome in outcomes)
    verb = "is" if slower == 1 else "are"
    of = f"{slower} of {pluralize(judged, 'judged point')}"
    lines = [f"{of} {verb} slower by more than {margin:.0%}."]
    if not outcomes:
        lines.append("NOT JUDGED: the two sides have no point in common.")
    elif judged < len(outcomes):
        reasons = Counter(outcome.why for outcome in outcomes if outcome.word == NOT_JUDGED)
        listed = "; ".join(f"{why} ({number})" for why, number in reasons.most_common())
        lines.append(f"NOT JUDGED: {len(outcomes) - judged} of {len(outcomes)} points: {listed}.")
    if missing:
        lines.append(f"INCOMPLETE: {pluralize(missing, 'fork')} missing.")
    seen = sorted(o.visible - 1 for o in outcomes if o.visible and o.word != NOT_JUDGED)
    if seen:
        lines.append(
            f"Smallest slowdown that would have shown: {seen[0]:.0%} at the steadiest judged point,"
            f" {seen[-1]:.0%} at the least steady; smaller ones may have passed."
        )
    return lines
