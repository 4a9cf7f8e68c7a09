"""Sessions, and nodes of a cluster, of which each has its own: contrasts are formed within each,
and combined.

What a machine does differs from hour to hour by more than forks of one hour tell. From three
sessions on, that difference enters the interval: a random effect, with the larger of what the
compared cells tell of it (DerSimonian and Laird) and what all points of the study do. Where only
the cells tell it, the error is Hartung and Knapp's, never less than without it. Of two sessions, a
mean weighted by precision is formed.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from handoff.analysis.contrast import Estimate, Term, estimate_contrast
from handoff.analysis.session_variance import MIN_SESSIONS

TINY = 1e-300


def describe_sessions(number: int, nodes: int = 1) -> str:
    """What the intervals of a run of so many sessions hold; those of a node are its own."""
    if nodes > 1:
        inside = "" if nodes >= MIN_SESSIONS else "not "
        return f"{nodes} nodes of one kind: what differs between them is {inside}in the intervals."
    if number < MIN_SESSIONS:
        forks = "one session" if number == 1 else f"{number} sessions"
        return f"Forks of {forks}: what the machine does at other hours is not in the intervals."
    return f"{number} sessions, hours apart: what differs between them is in the intervals."


def find_common(terms: Sequence[Term]) -> list[int]:
    """The sessions in which every cell was measured."""
    sets = [set(term.labels()) for term in terms]
    return sorted(set.intersection(*sets)) if sets else []


def estimate_over_sessions(terms: Sequence[Term]) -> Estimate:
    """As `estimate_contrast`, within those sessions in which every cell was measured. Of none in
    common the error is nan.
    """
    kept = [term for term in terms if term.weight]
    if len({session for term in kept for session in term.labels()}) < 2:
        return estimate_contrast(kept)
    common = find_common(kept)
    if not common:
        return estimate_contrast(kept)._replace(error=math.nan, freedom=math.nan)
    split = [[term.within(session) for session in common] for term in kept]
    if len(common) == 1:
        return estimate_contrast([cells[0] for cells in split])
    return combine_sessions(split)


def compare_forks(numerator: pd.DataFrame, denominator: pd.DataFrame) -> Estimate:
    """The one Welch ratio of figures, tables and comparisons: of two cells' times an event, a row a
    fork, within their `session`s where there is such a column.
    """
    return estimate_over_sessions([make_term(1.0, numerator), make_term(-1.0, denominator)])


def make_term(weight: float, forks: pd.DataFrame) -> Term:
    sessions = forks["session"].to_numpy() if "session" in forks else None
    return Term(weight, np.log(forks["ns_per_event"].to_numpy(float)), 0.0, sessions)


def combine_sessions(split: Sequence[Sequence[Term]]) -> Estimate:
    """`split`: for each cell its part in each session."""
    forks = min(sum(len(part.logs) for part in parts) for parts in split)
    free = [sum(len(part.logs) - 1 for part in parts) for parts in split]
    values = np.array(
        [sum(p.weight * p.logs.mean() for p in at) for at in zip(*split, strict=True)]
    )
    if not all(free):
        return pair_sessions(values, forks)
    # Each cell's weight squared times its variance within sessions; divided by forks, the error's.
    spread = np.array(
        [
            parts[0].weight ** 2
            * max(sum(part.logs.var() * len(part.logs) for part in parts) / n, parts[0].least)
            for parts, n in zip(split, free, strict=True)
        ]
    )
    counts = np.array([[len(part.logs) for part in parts] for parts in split])
    # Forks that agree to the last digit would weigh infinitely.
    errors = np.maximum((spread[:, None] / counts).sum(axis=0), TINY)
    shares = (1 / errors) / (1 / errors).sum()
    log = float((shares * values).sum())
    parts = spread * (shares**2 / counts).sum(axis=1)
    fixed = parts.sum()
    freedom = float(fixed**2 / (parts**2 / free).sum()) if fixed else math.inf
    if len(values) < MIN_SESSIONS:
        return Estimate(log, math.sqrt(fixed), freedom, forks)
    between = split[0][0].between
    if between is None:
        return add_random_effect(values, errors, forks)
    known = between.of_contrast([parts[0].weight for parts in split])
    return add_known_effect(values, errors, Estimate(log, math.sqrt(fixed), freedom, forks), known)


def pair_sessions(values: np.ndarray, forks: int) -> Estimate:
    """Of sessions with one fork of a cell each, as where every node of a cluster measured one
    block: only how the sessions differ tells the error, from three on.
    """
    if len(values) < MIN_SESSIONS:
        return Estimate(float(values.mean()), math.nan, math.nan, forks)
    error = values.std(ddof=1) / math.sqrt(len(values))
    return Estimate(float(values.mean()), float(error), float(len(values) - 1), forks)


def add_random_effect(values: np.ndarray, errors: np.ndarray, forks: int) -> Estimate:
    """From each session's value and the square of its error."""
    weights = 1 / (errors + find_excess(values, errors))
    log = (weights * values).sum() / weights.sum()
    scale = max(1.0, (weights * (values - log) ** 2).sum() / (len(values) - 1))
    error = math.sqrt(scale / weights.sum())
    return Estimate(float(log), error, float(len(values) - 1), forks)


def find_excess(values: np.ndarray, errors: np.ndarray) -> float:
    """DerSimonian and Laird's variance between sessions."""
    weights = 1 / errors
    fixed = (weights * values).sum() / weights.sum()
    excess = (weights * (values - fixed) ** 2).sum() - (len(values) - 1)
    return max(0.0, excess / (weights.sum() - (weights**2).sum() / weights.sum()))


def add_known_effect(
    values: np.ndarray,
    errors: np.ndarray,
    within: Estimate,
    known: Sequence[tuple[float, int]],
) -> Estimate:
    """As `add_random_effect`, with what all points of the study tell of sessions: variances of
    `values` and their degrees of freedom. `within` is the estimate without any.
    """
    own = find_excess(values, errors)
    between = sum(variance for variance, _ in known)
    if own > between:
        known, between = [(own, len(values) - 1)], own
    weights = 1 / (errors + between)
    shares = weights / weights.sum()
    # Satterthwaite's freedom of a sum of variances.
    parts = [((shares**2 * errors).sum(), within.freedom)] + [
        (variance * (shares**2).sum(), freedom) for variance, freedom in known
    ]
    total = sum(variance for variance, _ in parts)
    freedom = total**2 / sum(variance**2 / free for variance, free in parts)
    log = float((shares * values).sum())
    return Estimate(log, math.sqrt(total), float(freedom), within.forks)
