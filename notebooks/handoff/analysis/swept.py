"""What a sweep varies, and what each change does by itself: for any study and any parameters."""

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.baseline import mask_irrelevant
from handoff.analysis.contrast import Estimate, Term, estimate_contrast
from handoff.analysis.forks import compute_interval
from handoff.catalog import load_catalog
from handoff.study import Response, Study

MECHANISM, EVENTS = "mechanism", "events"
LEAST_FORKS = 2
"""Of a point, for an interval."""

RATIOS = ("ratio", "low", "high", "least", "greatest")
"""The columns of effects and interactions that are ratios."""

Setting = tuple[object, ...]


class Swept(NamedTuple):
    """The forks of one study, with each parameter missing that makes no difference to them; the
    parameters that the sweep `varied`, the mechanism first, in the study's order; and what was
    measured.
    """

    study: Study
    forks: pd.DataFrame
    varied: list[str]
    responses: list[Response]

    def values(self, name: str) -> list:
        """What a parameter was, in its order: numbers by size, words as the study lists them."""
        there = set(self.forks[name].dropna())
        words = next(
            (p.values for p in load_catalog()[self.study.name].parameters if p.name == name), None
        )
        known = [word for word in words or [] if word in there]
        return known + sorted(there - set(known))

    def base(self, name: str) -> object:
        """What a change is counted from: the parameter's default, else its first value."""
        default = load_catalog()[self.study.name].defaults()[name]
        values = self.values(name)
        return next((value for value in values if str(value) == default), values[0])


def find_swept(study: Study, forks: pd.DataFrame) -> Swept:
    """From `analysis.forks.compute_fork_means` of a run."""
    responses = [r for r in study.responses if r.column in forks and forks[r.column].notna().any()]
    if forks.empty:
        return Swept(study, forks, [], [])
    rows = mask_irrelevant(forks, study.name)
    names = [name for name in load_catalog()[study.name].defaults() if name != EVENTS]
    varied = [name for name in names if rows[name].dropna().nunique() > 1]
    # Events only scale a shot, unless points differ in nothing else.
    alone = rows.groupby(varied, dropna=False)[EVENTS].nunique() if varied else rows[EVENTS]
    if (varied and alone.max() > 1) or (not varied and rows[EVENTS].nunique() > 1):
        varied.append(EVENTS)
    return Swept(study, rows, varied, responses)


def tabulate_points(swept: Swept) -> pd.DataFrame:
    """One row a point: what was varied, forks, and of each response the mean with its 95 % interval
    (none under three forks); `note` names what is weak.
    """
    rows = []
    for _, own in swept.forks.groupby("point", sort=False):
        first = own.iloc[0]
        row = {name: first[name] for name in swept.varied} | {"forks": len(own)}
        for response in swept.responses:
            values = own[response.column].dropna()
            low, high = (compute_interval(values) if len(values) else None) or (None, None)
            column = response.column
            row |= {column: values.mean(), f"{column}_low": low, f"{column}_high": high}
        rows.append(row | {"note": describe_weakness(own)})
    table = pd.DataFrame(rows)
    if table.empty or not swept.varied:
        return table
    return table.sort_values(swept.varied, kind="stable", key=order_key)


def order_key(column: pd.Series) -> pd.Series:
    """Numbers by size and words by letter, also in one column; what is missing first."""
    return column.map(
        lambda value: (
            (0, 0.0, "")
            if pd.isna(value)
            else (1, float(value), "")
            if isinstance(value, int | float)
            else (2, 0.0, str(value))
        )
    )


def describe_weakness(own: pd.DataFrame) -> str:
    """'threads share cores; 2 of 5 forks disturbed'; '' where nothing is weak."""
    told = own["settled"].dropna() if "settled" in own else pd.Series(dtype=bool)
    counts = {
        "disturbed": int((own["disturbed"] != "").sum()),
        "unsettled": int((~told.astype(bool)).sum()),
    }
    kinds = own["kinds"].dropna().astype(str) if "kinds" in own else pd.Series(dtype=str)
    parts = ["threads share cores"] if own["oversubscribed"].any() else []
    parts += ["unlike kinds of core"] if kinds.str.contains(",").any() else []
    parts += ["shots below 50 ms"] if own["too_short"].any() else []
    parts += [f"{n} of {len(own)} forks {what}" for what, n in counts.items() if n]
    return "; ".join(parts)


def collect_cells(swept: Swept, column: str) -> dict[Setting, np.ndarray]:
    """Setting of the varied parameters to the logarithms of its forks' values; only points whose
    threads have a core each, and forks enough.
    """
    if not swept.varied:
        return {}
    fit = swept.forks[~swept.forks["oversubscribed"].astype(bool) & (swept.forks[column] > 0)]
    cells = {}
    for key, own in fit.groupby(swept.varied, dropna=False, sort=False):
        if len(own) >= LEAST_FORKS:
            setting = tuple(None if pd.isna(value) else value for value in key)
            cells[setting] = np.log(own[column].to_numpy(float))
    return cells


def tabulate_effects(swept: Swept, column: str) -> pd.DataFrame:
    """One row a change of one parameter from its base: the geometric mean of its ratio over all
    pairs of points that differ in it alone (`pairs`), with the 95 % interval of that mean, and the
    least and greatest pair. Mechanisms are compared where they agree in what both have.
    """
    cells, rows = collect_cells(swept, column), []
    for place, name in enumerate(swept.varied):
        base = swept.base(name)
        for value in swept.values(name):
            pairs = find_pairs(list(cells), place, base, value) if value != base else []
            if pairs:
                row = {"parameter": name, "from": base, "to": value, "pairs": len(pairs)}
                rows.append(row | summarize_pairs(cells, pairs))
    return pd.DataFrame(rows)


def find_pairs(
    settings: list[Setting], place: int, base: object, value: object
) -> list[tuple[Setting, Setting]]:
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


def summarize_pairs(
    cells: dict[Setting, np.ndarray], pairs: list[tuple[Setting, Setting]]
) -> dict[str, float | None]:
    """Ratio, its interval, and the least and greatest of the pairs; a point that is in several
    pairs counts once, with its whole weight.
    """
    weights: dict[Setting, float] = {}
    for pair in pairs:
        for sign, setting in zip((1, -1), pair, strict=True):
            weights[setting] = weights.get(setting, 0.0) + sign / len(pairs)
    found = estimate_contrast(Term(weight, cells[s]) for s, weight in weights.items())
    each = [math.exp(cells[after].mean() - cells[before].mean()) for after, before in pairs]
    low, high = found.interval(0.95) or (None, None)
    return {
        "ratio": found.ratio,
        "low": low,
        "high": high,
        "least": min(each),
        "greatest": max(each),
    }


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
    cells: dict[Setting, np.ndarray],
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
    weights: dict[Setting, float] = {}
    for at, there in whole:
        for sign, setting in zip((1, -1, -1, 1), (*at, *there), strict=True):
            weights[setting] = weights.get(setting, 0.0) + sign / len(whole)
    if not whole:
        return None
    return estimate_contrast(Term(weight, cells[s]) for s, weight in weights.items())


def describe_effects(effects: pd.DataFrame, label: str) -> list[str]:
    """The changes whose whole interval lies 5 % and more from no change, a sentence each."""
    sure = effects.dropna(subset=["low"]) if len(effects) else effects
    return [
        f"{row['parameter']} {row['to']} in place of {row['from']}: {row['ratio']:.2f} times the"
        f" {label} ({row['low']:.2f} to {row['high']:.2f}), mean of {count_pairs(row['pairs'])}."
        for row in sure.to_dict("records")
        if row["low"] > 1.05 or row["high"] < 0.95
    ]


def count_pairs(number: int) -> str:
    return "one pair of points" if number == 1 else f"{number} pairs of points"


def list_constant(swept: Swept) -> dict[str, object]:
    """What the sweep did not vary, by name."""
    names = [n for n in load_catalog()[swept.study.name].defaults() if n not in swept.varied]
    there = {name: set(swept.forks[name].dropna()) for name in names}
    return {name: next(iter(values)) for name, values in there.items() if len(values) == 1}
