"""Contrasts of points of a sweep, such as pairs that differ in one parameter alone."""

import itertools
from collections.abc import Sequence

import numpy as np

from handoff.analysis.intervals import Estimate, Term, estimate, find_common

Setting = tuple[object, ...]
"""The values of the varied parameters at a point."""

Cells = dict[Setting, Term]
Group = tuple[Setting, ...]


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
