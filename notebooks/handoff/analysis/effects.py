"""Effects of the parameters that a sweep varies, and interactions between them."""

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from handoff.analysis.averages import (
    LEAST_FORKS,
    Cells,
    Group,
    Setting,
    average_contrasts,
    keep_comparable,
)
from handoff.analysis.contrast import Estimate, Term
from handoff.analysis.swept import Swept, make_setting

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
            sessions = rows["session"].to_numpy() if "session" in rows else None
            logs = np.log(rows[column].to_numpy(float))
            cells[make_setting(key)] = Term(1.0, logs, 0.0, sessions)
    return cells


def tabulate_effects(swept: Swept, column: str) -> pd.DataFrame:
    """Tabulate the effect of each change of one parameter from its base, one row per change.

    `ratio` is the geometric mean over all pairs of points that differ in this parameter alone
    (`pairs`), `low` to `high` the 95 % interval of that mean, `least` and `greatest` the extreme
    pairs. Without such a pair, a log-linear model of all points gives the ratio (`pairs` is 0).
    Mechanisms are compared where they agree in the parameters that both have.
    """
    cells, rows = collect_cells(swept, column), []
    for place, name in enumerate(swept.varied):
        base = swept.base(name)
        for value in swept.values(name):
            if value == base:
                continue
            pairs = keep_comparable(cells, find_pairs(list(cells), place, base, value))
            summary = (
                summarize_pairs(cells, pairs)
                if pairs
                else summarize_model(cells, place, base, value)
            )
            if summary:
                row = {"parameter": name, "from": base, "to": value, "pairs": len(pairs)}
                rows.append(row | summary)
    return pd.DataFrame(rows)


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


def summarize_pairs(cells: Cells, pairs: list[Group]) -> dict[str, float | None]:
    """Return the mean ratio of the pairs, its interval, and the extreme ratios."""
    mean = average_contrasts(cells, pairs, (1, -1))
    ratios = [average_contrasts(cells, [pair], (1, -1)).ratio for pair in pairs]
    return summarize_estimate(mean) | {"least": min(ratios), "greatest": max(ratios)}


def summarize_model(
    cells: Cells, place: int, base: object, value: object
) -> dict[str, float | None] | None:
    """Return the same from a model in which each parameter's value and each session is a factor.

    None where the points do not separate this change from another one.
    """
    means = {
        (*setting, session): cell.within(session).logs.mean()
        for setting, cell in cells.items()
        for session in cell.labels()
    }
    estimate = estimate_change(means, place, base, value)
    if estimate is None:
        return None
    return summarize_estimate(estimate) | {"least": None, "greatest": None}


def summarize_estimate(estimate: Estimate) -> dict[str, float | None]:
    low, high = estimate.interval(0.95) or (None, None)
    return {"ratio": estimate.ratio, "low": low, "high": high}


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
    `high` is its 95 % interval. Only rows whose interval excludes 1, the strongest first.
    """
    cells, rows = collect_cells(swept, column), []
    for (i, one), (j, other) in combinations(enumerate(swept.varied), 2):
        for value in swept.values(one):
            for condition in swept.values(other):
                estimate = contrast_changes(cells, swept, (i, value), (j, condition))
                bounds = estimate.interval(0.95) if estimate else None
                if estimate and bounds and not bounds[0] <= 1 <= bounds[1]:
                    row = {"parameter": one, "from": swept.base(one), "to": value}
                    row |= {"where": other, "is": condition, "instead of": swept.base(other)}
                    row |= {"ratio": estimate.ratio, "low": bounds[0], "high": bounds[1]}
                    rows.append(row)
    table = pd.DataFrame(rows)
    if table.empty:
        return table
    return table.sort_values("ratio", key=lambda ratio: -np.log(ratio).abs(), kind="stable")


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
        f" {label} ({row['low']:.2f} to {row['high']:.2f}), {count_pairs(row['pairs'])}."
        for row in sure.to_dict("records")
        if row["low"] > 1.05 or row["high"] < 0.95
    ]


def count_pairs(number: int) -> str:
    if not number:
        return "by a log-linear model of all points"
    return "mean of one pair of points" if number == 1 else f"mean of {number} pairs of points"
