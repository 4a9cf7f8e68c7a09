"""Contrasts of points of a sweep: pairs that differ in one parameter alone, and a linear model."""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from handoff.analysis.intervals import Estimate, Term, estimate, find_common

Setting = tuple[object, ...]
"""The values of the varied parameters at a point."""

Cells = dict[Setting, Term]
Group = tuple[Setting, ...]


TOLERANCE = 1e-9
"""Deviation from 0 up to which a change counts as estimable in the log-linear model."""


def average_contrasts(cells: Cells, groups: Sequence[Group], signs: Sequence[int]) -> Estimate:
    """Return the mean, over groups of points, of the sum of sign times mean logarithm.

    Groups whose points share no session are left out where others do. A point that is in several
    groups counts once, with its total weight. The error is nan where the groups share no session.
    """
    together = [group for group in groups if find_common([cells[setting] for setting in group])]
    used = together or groups
    weights: dict[Setting, float] = {}
    for group in used:
        for sign, setting in zip(signs, group, strict=True):
            weights[setting] = weights.get(setting, 0.0) + sign / len(used)
    terms = [cells[setting]._replace(weight=weight) for setting, weight in weights.items()]
    made = estimate(terms)
    if len(together) > 1 and not find_common(terms):
        parts = [contrast_means(cells, group, signs) for group in together]
        return made._replace(log=float(np.mean(parts)))
    return made


def contrast_means(cells: Cells, group: Group, signs: Sequence[int]) -> float:
    """Return the sum of sign times mean logarithm, over the sessions that the points share."""
    signed = zip(signs, group, strict=True)
    return estimate(cells[setting]._replace(weight=sign) for sign, setting in signed).log


def find_pairs(settings: list[Setting], place: int, base: object) -> dict[object, list[Group]]:
    """Return the pairs (changed, before) of settings that differ in one parameter alone, by value.

    A parameter that one of them does not have makes no difference. Settings that have the same
    parameters are looked up by the values that a pair shares.
    """
    changes: dict[frozenset[int], list[Setting]] = {}
    befores: dict[frozenset[int], list[Setting]] = {}
    for setting in settings:
        if setting[place] is not None:
            had = frozenset(i for i, value in enumerate(setting) if value is not None)
            side = befores if setting[place] == base else changes
            side.setdefault(had, []).append(setting)
    pairs: dict[object, list[Group]] = {}
    for (one, changed), (other, before) in itertools.product(changes.items(), befores.items()):
        shared = sorted((one & other) - {place})
        alike: dict[tuple, list[Setting]] = {}
        for setting in before:
            alike.setdefault(tuple(setting[i] for i in shared), []).append(setting)
        for setting in changed:
            for partner in alike.get(tuple(setting[i] for i in shared), []):
                pairs.setdefault(setting[place], []).append((setting, partner))
    return pairs


def find_quadruples(pairs: list[Group], place: int, base: object) -> dict[object, list[Group]]:
    """Return each pair with the one at the base of another parameter, by that one's value."""
    at_base = {pair for pair in pairs if pair[0][place] == pair[1][place] == base}
    groups: dict[object, list[Group]] = {}
    for pair in pairs:
        condition = pair[0][place]
        if condition is None or condition == base or condition != pair[1][place]:
            continue
        partner = tuple((*s[:place], base, *s[place + 1 :]) for s in pair)
        if partner in at_base:
            groups.setdefault(condition, []).append((*pair, *partner))
    return groups


def collect_means(cells: Cells) -> dict[Setting, float]:
    """Return the mean logarithm of each setting in each session, which is its last value."""
    return {
        (*setting, session): cell.within(session).logs.mean()
        for setting, cell in cells.items()
        for session in cell.labels()
    }


class Model(NamedTuple):
    """A log-linear model: each value of each parameter, and each session, has a factor.

    `levels` are the columns of `design`, as place and value; `factors` the logarithms; `freedom`
    and `variance` are those of what the factors do not explain, noise and interactions alike.
    """

    levels: list[tuple[int, object]]
    design: np.ndarray
    inverse: np.ndarray
    factors: np.ndarray
    freedom: int
    variance: float


def fit_model(means: Mapping[Setting, float]) -> Model:
    """Fit the factors by least squares to the mean logarithms of the points."""
    settings = list(means)
    levels = [
        (i, level)
        for i in range(len(settings[0]) if settings else 0)
        for level in dict.fromkeys(setting[i] for setting in settings)
    ]
    rows = [[setting[i] == level for i, level in levels] for setting in settings]
    design = np.array(rows, float).reshape(len(settings), len(levels))
    inverse = np.linalg.pinv(design)
    logs = np.array([means[setting] for setting in settings])
    factors = inverse @ logs
    freedom = len(logs) - int(np.linalg.matrix_rank(design) if settings else 0)
    squares = float(((logs - design @ factors) ** 2).sum())
    return Model(
        levels, design, inverse, factors, freedom, squares / freedom if freedom else math.nan
    )


def estimate_change(model: Model, place: int, base: object, value: object) -> Estimate | None:
    """Return the factor from `base` to `value` of one parameter, by a log-linear model.

    The error is nan where the points leave no degree of freedom. None where they do not separate
    this change from another parameter's.
    """
    if not {(place, base), (place, value)} <= set(model.levels):
        return None
    change = np.array(
        [((place, value) == level) - ((place, base) == level) for level in model.levels], float
    )
    weights = change @ model.inverse
    if np.abs(weights @ model.design - change).max() > TOLERANCE:
        return None
    log, points = float(change @ model.factors), len(model.design)
    if not model.freedom:
        return Estimate(log, math.nan, math.nan, points)
    error = math.sqrt(model.variance * float(weights @ weights))
    return Estimate(log, error, float(model.freedom), points)
