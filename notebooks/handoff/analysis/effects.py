"""Effects of the parameters that a sweep varies, and interactions between them."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from handoff.analysis.forks import make_term
from handoff.analysis.intervals import Estimate, Term, estimate, find_common
from handoff.analysis.swept import Swept, make_setting
from handoff.text import format_range, pluralize

LEAST_FORKS = 2
"""Forks of a point that takes part in a mean."""

FAMILY_ERROR = 0.05
"""Chance that any interval of a table misses, all of its intervals together."""

Setting = tuple[object, ...]
"""The values of the varied parameters at a point."""

Cells = dict[Setting, Term]
Group = tuple[Setting, ...]

RATIOS = ("ratio", "low", "high", "least", "greatest")
"""Columns of effects and interactions that hold ratios."""

TOLERANCE = 1e-9
"""Deviation from 0 up to which a change counts as estimable in the log-linear model."""


def collect_cells(swept: Swept, column: str) -> Cells:
    """Return the logarithms of the forks' values, with their sessions, by setting.

    Points whose threads share cores, or with fewer than two forks, are left out.
    """
    if not swept.varied:
        return {}
    fit = swept.forks[~swept.forks["oversubscribed"].astype(bool) & (swept.forks[column] > 0)]
    cells: Cells = {}
    for key, rows in fit.groupby(swept.varied, dropna=False, sort=False):
        if len(rows) >= LEAST_FORKS:
            cells[make_setting(key)] = make_term(1.0, rows, column)
    return cells


def tabulate_effects(swept: Swept, column: str) -> pd.DataFrame:
    """Tabulate the effect of each change of one parameter from its base, one row per change.

    `ratio` is the geometric mean over all pairs of points that differ in this parameter alone
    (`pairs`), `low` to `high` its interval, `least` and `greatest` the extreme pairs. All intervals
    of the table together miss once in twenty. Without such a pair, a log-linear model of all points
    gives the ratio (`pairs` is 0). Mechanisms are compared where they agree in the parameters that
    both have.
    """
    cells, rows = collect_cells(swept, column), []
    for place, name in enumerate(swept.varied):
        base = swept.base(name)
        for value in swept.values(name):
            if value == base:
                continue
            pairs = find_pairs(list(cells), place, base, value)
            made = (
                average_contrasts(cells, pairs, (1, -1))
                if pairs
                else estimate_by_model(cells, place, base, value)
            )
            if made:
                ends = [average_contrasts(cells, [pair], (1, -1)).ratio for pair in pairs]
                row = {"parameter": name, "from": base, "to": value, "pairs": len(pairs)}
                row |= {"least": min(ends, default=None), "greatest": max(ends, default=None)}
                rows.append((row, made))
    return bound_together(rows)


def bound_together(rows: Sequence[tuple[dict, Estimate]]) -> pd.DataFrame:
    """Return the rows with `ratio`, `low` and `high`, of which all together miss once in twenty."""
    confidence = 1 - FAMILY_ERROR / max(1, len(rows))
    table = []
    for row, made in rows:
        low, high = made.interval(confidence) or (None, None)
        table.append(row | {"ratio": made.ratio, "low": low, "high": high})
    return pd.DataFrame(table)


def average_contrasts(cells: Cells, groups: Sequence[Group], signs: Sequence[int]) -> Estimate:
    """Return the mean, over groups of points, of the sum of sign times mean logarithm.

    Groups whose points share no session are left out where others do. A point that is in several
    groups counts once, with its total weight. The error is nan where the groups share no session.
    """
    together = [group for group in groups if find_common([cells[setting] for setting in group])]
    weights: dict[Setting, float] = {}
    for group in together or groups:
        for sign, setting in zip(signs, group, strict=True):
            weights[setting] = weights.get(setting, 0.0) + sign / len(together or groups)
    terms = [cells[setting]._replace(weight=weight) for setting, weight in weights.items()]
    made = estimate(terms)
    if len(together) > 1 and not find_common(terms):
        parts = [average_contrasts(cells, [group], signs) for group in together]
        return made._replace(log=float(np.mean([part.log for part in parts])))
    return made


def find_pairs(settings: list[Setting], place: int, base: object, value: object) -> list[Group]:
    """Return the pairs (changed, before) of settings that differ in one parameter alone.

    A parameter that one of them does not have makes no difference.
    """
    return [
        (changed, before)
        for before in settings
        if before[place] == base
        for changed in settings
        if changed[place] == value
        and all(
            one == other or None in (one, other)
            for i, (one, other) in enumerate(zip(changed, before, strict=True))
            if i != place
        )
    ]


def put(setting: Setting, place: int, value: object) -> Setting:
    return (*setting[:place], value, *setting[place + 1 :])


def estimate_by_model(cells: Cells, place: int, base: object, value: object) -> Estimate | None:
    """Return the ratio from a model in which each parameter's value and each session is a factor.

    None where the points do not separate this change from another one.
    """
    means = {
        (*setting, session): cell.within(session).logs.mean()
        for setting, cell in cells.items()
        for session in cell.labels()
    }
    return estimate_change(means, place, base, value)


def estimate_change(
    means: Mapping[Setting, float], place: int, base: object, value: object
) -> Estimate | None:
    """Fit a log-linear model and estimate the factor from `base` to `value` of one parameter.

    Each value of each parameter has a factor of its own, fitted by least squares to the mean
    logarithms of the points. What the factors do not explain, noise and interactions alike, is the
    error, with points minus factors degrees of freedom; it is nan where none is left. None where
    the points do not separate this change from another parameter's.
    """
    settings = list(means)
    levels = [
        (i, level)
        for i in range(len(settings[0]) if settings else 0)
        for level in dict.fromkeys(setting[i] for setting in settings)
    ]
    if not {(place, base), (place, value)} <= set(levels):
        return None
    design = np.array([[setting[i] == level for i, level in levels] for setting in settings], float)
    change = np.array(
        [((place, value) == level) - ((place, base) == level) for level in levels], float
    )
    inverse = np.linalg.pinv(design)
    if np.abs(change @ inverse @ design - change).max() > TOLERANCE:
        return None
    logs = np.array([means[setting] for setting in settings])
    factors = inverse @ logs
    free = len(logs) - int(np.linalg.matrix_rank(design))
    log = float(change @ factors)
    if free == 0:
        return Estimate(log, math.nan, math.nan, len(logs))
    residual = ((logs - design @ factors) ** 2).sum() / free
    error = math.sqrt(residual * float((change @ inverse) @ (change @ inverse)))
    return Estimate(log, error, float(free), len(logs))


def tabulate_interactions(swept: Swept, column: str) -> pd.DataFrame:
    """Tabulate how one parameter alters the effect of another, one row per pair of changes.

    `ratio` is the ratio of a change where the other parameter is changed, divided by its ratio
    where the other is at its base, averaged over the settings of all other parameters; `low` to
    `high` is its interval. All intervals of the table together miss once in twenty.
    """
    cells, rows = collect_cells(swept, column), []
    for (i, one), (j, other) in combinations(enumerate(swept.varied), 2):
        for value in swept.values(one):
            for condition in swept.values(other):
                made = contrast_changes(cells, swept, (i, value), (j, condition))
                if made:
                    row = {"parameter": one, "from": swept.base(one), "to": value}
                    row |= {"where": other, "is": condition, "instead of": swept.base(other)}
                    rows.append((row, made))
    return bound_together(rows)


def select_sure(interactions: pd.DataFrame) -> pd.DataFrame:
    """Return the interactions whose interval excludes no interaction, the strongest first."""
    if interactions.empty:
        return interactions
    sure = interactions[(interactions["low"] > 1) | (interactions["high"] < 1)]
    return sure.sort_values("ratio", key=lambda ratio: -np.log(ratio).abs(), kind="stable")


def count_shown(interactions: pd.DataFrame, shown: int) -> str:
    """Say how many interactions were computed, and how many of them are shown, in a sentence."""
    if interactions.empty:
        return ""
    sure = len(select_sure(interactions))
    rest = f", of which the {shown} strongest are shown" if shown < sure else ""
    return (
        f"Of {pluralize(len(interactions), 'interaction')} computed, {sure} have an interval"
        f" without 1{rest}; all of the intervals together miss once in twenty."
    )


def contrast_changes(
    cells: Cells,
    swept: Swept,
    changed: tuple[int, object],
    condition: tuple[int, object],
) -> Estimate | None:
    """Return the ratio of the two ratios of a change, or None where no four points form it."""
    (i, value), (j, other) = changed, condition
    bases = swept.base(swept.varied[i]), swept.base(swept.varied[j])
    if value == bases[0] or other == bases[1]:
        return None
    pairs = {
        level: [
            pair
            for pair in find_pairs(list(cells), i, bases[0], value)
            if pair[0][j] == pair[1][j] == level
        ]
        for level in (other, bases[1])
    }
    before = set(pairs[bases[1]])
    groups = [
        (*pair, *at_base)
        for pair in pairs[other]
        if (at_base := (put(pair[0], j, bases[1]), put(pair[1], j, bases[1]))) in before
    ]
    return average_contrasts(cells, groups, (1, -1, -1, 1)) if groups else None


def describe_effects(effects: pd.DataFrame, label: str) -> list[str]:
    """Describe each change whose whole interval lies 5 % or more from no change."""
    sure = effects.dropna(subset=["low"]) if len(effects) else effects
    return [
        f"{row['parameter']} {row['to']} in place of {row['from']}: {row['ratio']:.2f} times the"
        f" {label} ({format_range(row['low'], row['high'])}), {count_pairs(row['pairs'])}."
        for row in sure.to_dict("records")
        if row["low"] > 1.05 or row["high"] < 0.95
    ]


def count_pairs(number: int) -> str:
    if not number:
        return "by a log-linear model of all points"
    return "mean of one pair of points" if number == 1 else f"mean of {number} pairs of points"
