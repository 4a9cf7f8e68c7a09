"""Contrasts over sessions: formed within each session, then combined.

Every node of a cluster has sessions of its own. A machine changes from hour to hour by more than
the forks of one hour show. From three sessions on, that change enters the interval as a random
effect: its variance is the larger of what the compared cells show (DerSimonian and Laird) and what
all points of the study show. Where only the cells show it, the error is Hartung and Knapp's, but
never less than without it. Two sessions are combined by a mean weighted by precision.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from handoff.analysis.contrast import Estimate, Term, estimate_contrast
from handoff.analysis.session_variance import MIN_SESSIONS

TINY = 1e-300


def describe_sessions(number: int, nodes: int = 1) -> str:
    """Say what the intervals of a run of `number` sessions, on `nodes` machines, include."""
    if nodes > 1:
        inside = "" if nodes >= MIN_SESSIONS else "not "
        return f"{nodes} nodes of one kind: what differs between them is {inside}in the intervals."
    if number < MIN_SESSIONS:
        forks = "one session" if number == 1 else f"{number} sessions"
        return f"Forks of {forks}: what the machine does at other hours is not in the intervals."
    return f"{number} sessions, hours apart: what differs between them is in the intervals."


def find_common(terms: Sequence[Term]) -> list[int]:
    """Return the sessions in which every cell was measured."""
    sets = [set(term.labels()) for term in terms]
    return sorted(set.intersection(*sets)) if sets else []


def estimate_over_sessions(terms: Sequence[Term]) -> Estimate:
    """Estimate a contrast within the sessions in which every cell was measured.

    The error is nan where the cells share no session.
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
    """Return the Welch ratio of two cells' times per event, from tables with one row per fork.

    All figures, tables and comparisons use this ratio. Where the tables have a column `session`, it
    is formed within sessions.
    """
    return estimate_over_sessions([make_term(1.0, numerator), make_term(-1.0, denominator)])


def make_term(weight: float, forks: pd.DataFrame) -> Term:
    sessions = forks["session"].to_numpy() if "session" in forks else None
    return Term(weight, np.log(forks["ns_per_event"].to_numpy(float)), 0.0, sessions)


def combine_sessions(split: Sequence[Sequence[Term]]) -> Estimate:
    """Combine the sessions of a contrast; `split` holds the part of each cell in each session."""
    forks = min(sum(len(part.logs) for part in parts) for parts in split)
    free = [sum(len(part.logs) - 1 for part in parts) for parts in split]
    values = np.array(
        [sum(p.weight * p.logs.mean() for p in session) for session in zip(*split, strict=True)]
    )
    if not all(free):
        return pair_sessions(values, forks)
    # Per cell: squared weight times variance within sessions; divided by forks, a squared error.
    spread = np.array(
        [
            parts[0].weight ** 2
            * max(sum(part.logs.var() * len(part.logs) for part in parts) / n, parts[0].least)
            for parts, n in zip(split, free, strict=True)
        ]
    )
    counts = np.array([[len(part.logs) for part in parts] for parts in split])
    # Forks that agree to the last digit would have infinite weight.
    errors = np.maximum((spread[:, None] / counts).sum(axis=0), TINY)
    shares = (1 / errors) / (1 / errors).sum()
    parts = spread * (shares**2 / counts).sum(axis=1)
    fixed = parts.sum()
    freedom = float(fixed**2 / (parts**2 / free).sum()) if fixed else math.inf
    within = Estimate(float((shares * values).sum()), math.sqrt(fixed), freedom, forks)
    if len(values) < MIN_SESSIONS:
        return within
    between = split[0][0].between
    if between is None:
        return add_random_effect(values, errors, forks)
    known = between.of_contrast([parts[0].weight for parts in split])
    return add_known_effect(values, errors, within, known)


def pair_sessions(values: np.ndarray, forks: int) -> Estimate:
    """Estimate a contrast of which some cell has only one fork in each session.

    Every node of a cluster may have measured one block, for instance. Only the differences between
    sessions show the error, from three sessions on.
    """
    if len(values) < MIN_SESSIONS:
        return Estimate(float(values.mean()), math.nan, math.nan, forks)
    error = values.std(ddof=1) / math.sqrt(len(values))
    return Estimate(float(values.mean()), float(error), float(len(values) - 1), forks)


def add_random_effect(values: np.ndarray, errors: np.ndarray, forks: int) -> Estimate:
    """Combine each session's value and squared error, with a random effect of the session."""
    weights = 1 / (errors + find_excess(values, errors))
    log = (weights * values).sum() / weights.sum()
    scale = max(1.0, (weights * (values - log) ** 2).sum() / (len(values) - 1))
    error = math.sqrt(scale / weights.sum())
    return Estimate(float(log), error, float(len(values) - 1), forks)


def find_excess(values: np.ndarray, errors: np.ndarray) -> float:
    """Return DerSimonian and Laird's variance between sessions."""
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
    """Combine sessions like `add_random_effect`, with the variance that all points show.

    `known` holds variances of `values` and their degrees of freedom; `within` is the estimate
    without any variance between sessions.
    """
    excess = find_excess(values, errors)
    between = sum(variance for variance, _ in known)
    if excess > between:
        known, between = [(excess, len(values) - 1)], excess
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
