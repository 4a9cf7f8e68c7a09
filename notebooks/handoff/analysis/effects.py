"""What one change of a sweep does by itself, and what depends on what."""

from itertools import combinations

import numpy as np
import pandas as pd

from handoff.analysis.averages import (
    LEAST_FORKS,
    Cells,
    Group,
    average_contrasts,
    keep_comparable,
)
from handoff.analysis.contrast import Estimate, Term
from handoff.analysis.loglinear import Setting, estimate_change
from handoff.analysis.swept import Swept, make_setting

RATIOS = ("ratio", "low", "high", "least", "greatest")
"""The columns of effects and interactions that are ratios."""


def collect_cells(swept: Swept, column: str) -> Cells:
    """Setting of the varied parameters to the logarithms of its forks' values, with their sessions;
    only points whose threads have a core each, and forks enough.
    """
    if not swept.varied:
        return {}
    fit = swept.forks[~swept.forks["oversubscribed"].astype(bool) & (swept.forks[column] > 0)]
    cells: Cells = {}
    for key, own in fit.groupby(swept.varied, dropna=False, sort=False):
        if len(own) >= LEAST_FORKS:
            setting = make_setting(key)
            sessions = own["session"].to_numpy() if "session" in own else None
            cells[setting] = Term(1.0, np.log(own[column].to_numpy(float)), 0.0, sessions)
    return cells


def tabulate_effects(swept: Swept, column: str) -> pd.DataFrame:
    """One row a change of one parameter from its base: the geometric mean of its ratio over all
    pairs of points that differ in it alone (`pairs`), with the 95 % interval of that mean, and the
    least and greatest pair; where there is no such pair, what a log-linear model of all points says
    (`pairs` 0). Mechanisms are compared where they agree in what both have.
    """
    cells, rows = collect_cells(swept, column), []
    for place, name in enumerate(swept.varied):
        base = swept.base(name)
        for value in swept.values(name):
            if value == base:
                continue
            pairs = keep_comparable(cells, find_pairs(list(cells), place, base, value))
            found = (
                summarize_pairs(cells, pairs)
                if pairs
                else summarize_model(cells, place, base, value)
            )
            if found:
                row = {"parameter": name, "from": base, "to": value, "pairs": len(pairs)}
                rows.append(row | found)
    return pd.DataFrame(rows)


def find_pairs(settings: list[Setting], place: int, base: object, value: object) -> list[Group]:
    """(changed, before): settings that differ in one parameter alone; what one of them does not
    have is no difference.
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
    """Ratio, its interval, and the least and greatest of the pairs."""
    found = average_contrasts(cells, pairs, (1, -1))
    each = [average_contrasts(cells, [pair], (1, -1)).ratio for pair in pairs]
    low, high = found.interval(0.95) or (None, None)
    return {
        "ratio": found.ratio,
        "low": low,
        "high": high,
        "least": min(each),
        "greatest": max(each),
    }


def summarize_model(
    cells: Cells, place: int, base: object, value: object
) -> dict[str, float | None] | None:
    """The same from a model in which each parameter's change, and each session, is a factor; None
    where the points do not tell it from another one.
    """
    means = {
        (*setting, session): cell.within(session).logs.mean()
        for setting, cell in cells.items()
        for session in cell.labels()
    }
    found = estimate_change(means, place, base, value)
    if found is None:
        return None
    low, high = found.interval(0.95) or (None, None)
    return {"ratio": found.ratio, "low": low, "high": high, "least": None, "greatest": None}


def tabulate_interactions(swept: Swept, column: str) -> pd.DataFrame:
    """One row a change of one parameter that another one alters: its ratio where the other is
    changed over its ratio where it is at its base, averaged over the settings of all others, with
    the 95 % interval. The strongest first; only those whose interval excludes 1.
    """
    cells, rows = collect_cells(swept, column), []
    for (i, one), (j, other) in combinations(enumerate(swept.varied), 2):
        for value in swept.values(one):
            for beside in swept.values(other):
                found = contrast_changes(cells, swept, (i, value), (j, beside))
                bounds = found.interval(0.95) if found else None
                if found and bounds and not bounds[0] <= 1 <= bounds[1]:
                    row = {"parameter": one, "from": swept.base(one), "to": value}
                    row |= {"where": other, "is": beside, "instead of": swept.base(other)}
                    rows.append(row | {"ratio": found.ratio, "low": bounds[0], "high": bounds[1]})
    table = pd.DataFrame(rows)
    if table.empty:
        return table
    return table.sort_values("ratio", key=lambda ratio: -np.log(ratio).abs(), kind="stable")


def contrast_changes(
    cells: Cells,
    swept: Swept,
    changed: tuple[int, object],
    beside: tuple[int, object],
) -> Estimate | None:
    """The ratio of two ratios; None where no four points are there for it."""
    (i, value), (j, other) = changed, beside
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
    whole = [
        (pair, there)
        for pair in pairs[other]
        if (there := (put(pair[0], j, bases[1]), put(pair[1], j, bases[1]))) in before
    ]
    groups = [(*at, *there) for at, there in whole]
    return average_contrasts(cells, groups, (1, -1, -1, 1)) if groups else None


def describe_effects(effects: pd.DataFrame, label: str) -> list[str]:
    """The changes whose whole interval lies 5 % and more from no change, a sentence each."""
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
