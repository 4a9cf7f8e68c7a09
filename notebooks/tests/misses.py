"""How often intervals miss where one point's forks are of two kinds, and where none are."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from handoff.analysis.forks import compute_floor
from handoff.analysis.intervals import Term, estimate
from handoff.analysis.sessions import SessionMeans
from handoff.claims.judging import LEVEL

Noise = Callable[[np.random.Generator, int, bool], np.ndarray]

BIMODAL = 0.55
"""Spread of the forks of a bimodal point, as of two locks at one sort in the shipped ladder."""

MECHANISMS, POINTS = 7, 6
"""Mechanisms of the simulated study, and points of each."""

FORKS = 5
"""Forks of a point in each session."""

PLAIN = 0.10
"""Spread of the forks of other points, which are normal."""

HOURS = 0.03
"""Spread of a point's level between sessions."""

CONFIDENCES = (0.95, 1 - 2 * LEVEL / 9)
"""Those of figures, and of verdicts about nine claims, as many as the ladder's study has."""


def make_bimodal(share: float) -> Noise:
    """Return noise of two kinds of forks, of which this share is slow."""
    step = 0.95 / (share * (1 - share)) ** 0.5
    return lambda random, forks, _: (
        ((random.random(forks) < share) - share) * step + random.normal(0, 0.31, forks)
    )


KINDS = {
    "none": None,
    "one fork in two": make_bimodal(1 / 2),
    "one fork in four": make_bimodal(1 / 4),
    "one fork in five": make_bimodal(1 / 5),
}
"""Slow forks of the first point."""


class Misses(NamedTuple):
    """Shares of runs in which the interval misses, by the sessions alone and by the rule."""

    sessions: float
    rule: float


def draw_terms(random: np.random.Generator, sessions: int, odd: Noise | None) -> list[Term]:
    """Return the first points of two mechanisms, whose ratio is 1 in truth."""
    labels = np.repeat(np.arange(sessions), FORKS)
    drawn: list[tuple[str, np.ndarray]] = []
    for number in range(MECHANISMS * POINTS):
        logs = PLAIN * random.normal(0, 1, len(labels))
        if odd and not drawn:
            logs = BIMODAL * odd(random, len(labels), True)
        logs += random.normal(0, HOURS, sessions)[labels]
        drawn.append((str(number // POINTS), logs))
    means = SessionMeans((mechanism, logs, labels) for mechanism, logs in drawn)
    terms = []
    for weight, start in ((1.0, 0), (-1.0, POINTS)):
        mechanism, logs = drawn[start]
        alike = [other for _, other in drawn[start : start + POINTS]]
        parts = [part for other in alike for part in np.split(other, sessions)]
        floor = compute_floor("time", parts)
        terms.append(Term(weight, logs, floor, labels, mechanism, means))
    return terms


def count_misses(repeats: int, sessions: int, odd: Noise | None) -> dict[float, Misses]:
    """Return the shares by confidence."""
    random = np.random.default_rng(2015)
    missed = {confidence: np.zeros(2) for confidence in CONFIDENCES}
    for _ in range(repeats):
        made = estimate(draw_terms(random, sessions, odd))
        alone = made._replace(errors=made.errors[:1])
        for confidence, counts in missed.items():
            for place, each in enumerate((alone, made)):
                low, high = each.interval(confidence)
                counts[place] += not low <= 1 <= high
    return {confidence: Misses(*counts / repeats) for confidence, counts in missed.items()}


def print_table(repeats: int) -> None:
    """Print the shares as a table, in a pair of columns for each confidence."""
    heads = [f"{c:.1%}, sessions alone | {c:.1%}, the rule" for c in CONFIDENCES]
    print(f"\n| slow forks of one point | sessions | {' | '.join(heads)} |")
    print("|---|---|---|---|---|---|")
    for name, odd in KINDS.items():
        for sessions in (2, 3):
            missed = count_misses(repeats, sessions, odd)
            shown = " | ".join(f"{share:.1%}" for misses in missed.values() for share in misses)
            print(f"| {name} | {sessions} | {shown} |", flush=True)
