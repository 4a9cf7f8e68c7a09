"""Effects of the parameters that a sweep varies."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from handoff.analysis.forks import make_term, select_fit
from handoff.analysis.intervals import Estimate, Term, estimate, find_common
from handoff.analysis.swept import Swept, make_setting
from handoff.text import format_range, pluralize

LEAST_FORKS = 2
"""Forks of a point that takes part in a mean."""

FAMILY_ERROR = 0.05
"""Chance that any interval of a table misses, all of its intervals together."""

RATIOS = ("least", "greatest", "ratio", "low", "high")
"""Columns of effects that hold ratios."""

Setting = tuple[object, ...]
"""The values of the varied parameters at a point."""

Cells = dict[Setting, Term]
Pair = tuple[Setting, Setting]
SIGNS = (1, -1)
"""Weights of the points of a pair: changed, before."""


def collect_cells(swept: Swept, column: str) -> Cells:
    """Return the logarithms of the forks by setting, of points that fit the cores."""
    if not swept.varied:
        return {}
    fit = select_fit(swept.forks, column)
    cells: Cells = {}
    for key, rows in fit.groupby(swept.varied, dropna=False, sort=False):
        if len(rows) >= LEAST_FORKS:
            cells[make_setting(key)] = make_term(1.0, rows, column)
    return cells


def tabulate_effects(swept: Swept, column: str) -> pd.DataFrame:
    """Tabulate the effect of each change of one parameter from its base, one row per change.

    `ratio` is the geometric mean over all pairs of points that differ in this parameter alone
    (`pairs`), `low` to `high` its interval, `least` and `greatest` the extreme pairs. All intervals
    of the table together miss once in twenty. A change without such a pair has no row. Mechanisms
    are compared where they agree in the parameters that both have.
    """
    cells, rows = collect_cells(swept, column), []
    for place, name in enumerate(swept.varied):
        base = swept.base(name)
        known = find_pairs(list(cells), place, base)
        for value in (value for value in swept.values(name) if value in known):
            pairs = known[value]
            ends = [math.exp(contrast_means(cells, pair)) for pair in pairs]
            row = {"parameter": name, "from": base, "to": value, "pairs": len(pairs)}
            row |= {"least": min(ends), "greatest": max(ends)}
            rows.append((row, average_contrasts(cells, pairs)))
    confidence = 1 - FAMILY_ERROR / max(1, len(rows))
    table = []
    for row, made in rows:
        low, high = made.interval(confidence) or (None, None)
        table.append(row | {"ratio": made.ratio, "low": low, "high": high})
    return pd.DataFrame(table, columns=["parameter", "from", "to", "pairs", *RATIOS])


def average_contrasts(cells: Cells, pairs: Sequence[Pair]) -> Estimate:
    """Return the mean, over pairs of points, of the difference of their mean logarithms.

    Pairs whose points share no session are left out where others do. A point that is in several
    pairs counts once, with its total weight. The error is nan where the pairs share no session.
    """
    together = [pair for pair in pairs if find_common([cells[setting] for setting in pair])]
    used = together or pairs
    weights: dict[Setting, float] = {}
    for pair in used:
        for sign, setting in zip(SIGNS, pair, strict=True):
            weights[setting] = weights.get(setting, 0.0) + sign / len(used)
    terms = [cells[setting]._replace(weight=weight) for setting, weight in weights.items()]
    made = estimate(terms)
    if len(together) > 1 and not find_common(terms):
        return made._replace(log=float(np.mean([contrast_means(cells, pair) for pair in together])))
    return made


def contrast_means(cells: Cells, pair: Pair) -> float:
    """Return the difference of mean logarithms, over the sessions that the points share."""
    signed = zip(SIGNS, pair, strict=True)
    return estimate(cells[setting]._replace(weight=sign) for sign, setting in signed).log


def find_pairs(settings: list[Setting], place: int, base: object) -> dict[object, list[Pair]]:
    """Return the pairs (changed, before) of settings that differ in one parameter alone, by value.

    A parameter that one of them does not have makes no difference.
    """
    befores = [setting for setting in settings if setting[place] == base]
    pairs: dict[object, list[Pair]] = {}
    for changed, before in itertools.product(settings, befores):
        unlike = [i for i in range(len(before)) if differ(changed[i], before[i])]
        if unlike == [place]:
            pairs.setdefault(changed[place], []).append((changed, before))
    return pairs


def differ(one: object, other: object) -> bool:
    return one != other and one is not None and other is not None


def describe_effects(effects: pd.DataFrame, label: str, most: int) -> list[str]:
    """Describe changes whose whole interval lies 5 % or more from no change.

    Of each parameter the strongest ones, at most `most`.
    """
    sure = effects[(effects["low"] > 1.05) | (effects["high"] < 0.95)]
    strength = np.log(sure["ratio"].astype(float)).abs()
    ranks = strength.groupby(sure["parameter"]).rank(ascending=False, method="first")
    sentences = [
        f"{row['parameter']} {row['to']} in place of {row['from']}: {row['ratio']:.2f} times the"
        f" {label} ({format_range(row['low'], row['high'])}), mean of"
        f" {pluralize(row['pairs'], 'pair')} of points."
        for row in sure[ranks <= most].to_dict("records")
    ]
    rest = len(sure) - len(sentences)
    if rest:
        sentences.append(f"And {pluralize(rest, 'weaker change')}: see the table.")
    return sentences
