"""Effects of the parameters that a sweep varies."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from handoff.analysis.answer import Answer, describe_need, find_answer
from handoff.analysis.baseline import list_values
from handoff.analysis.forks import make_term, select_fit
from handoff.analysis.intervals import Estimate, Term, estimate, find_common
from handoff.analysis.swept import Swept
from handoff.run.plan.pairs import Pair, find_pairs
from handoff.text import format_range, pluralize

FAMILY_ERROR = 0.05
"""Chance that any interval of a table misses, all of its intervals together."""

RATIOS = ("least", "greatest", "ratio", "low", "high")
"""Columns of effects that hold ratios."""

COLUMNS = ("parameter", "from", "to", "pairs", *RATIOS, "answer", "needed")

Terms = Mapping[str, Term]
"""The logarithms of the forks of each point that fits the cores, by its key."""


def tabulate_effects(swept: Swept, column: str) -> pd.DataFrame:
    """Tabulate the effect of each change of one parameter from its base, one row per change.

    `ratio` is the geometric mean over all pairs of points that differ in this parameter alone
    (`pairs`), `low` to `high` its interval, `least` and `greatest` the extreme pairs. All intervals
    of the table together miss once in twenty. `answer` says whether the change makes a difference
    of more than 5 %, and `needed` what would answer it. A change without a pair has no row.
    Mechanisms are compared where they agree in the parameters that both have.
    """
    fit = select_fit(swept.forks, column)
    terms = {
        str(point): make_term(1.0, rows, column) for point, rows in fit.groupby("point", sort=False)
    }
    changes: dict[tuple, list[Pair]] = {}
    for pair in find_pairs(list_values(fit, swept.study.name)):
        changes.setdefault((pair.parameter, pair.value), []).append(pair)
    rows = []
    for name in swept.varied:
        for value in swept.values(name):
            if pairs := changes.get((name, value)):
                rows.append(measure_effect(terms, pairs))
    confidence = 1 - FAMILY_ERROR / max(1, len(rows))
    table = []
    for row, made in rows:
        low, high = made.interval(confidence) or (None, None)
        answer = find_answer(low, high)
        needed = describe_need(made, confidence) if answer is Answer.UNKNOWN else ""
        ratios = {"ratio": made.ratio, "low": low, "high": high}
        table.append(row | ratios | {"answer": str(answer), "needed": needed})
    return pd.DataFrame(table, columns=COLUMNS)


def measure_effect(terms: Terms, pairs: Sequence[Pair]) -> tuple[dict, Estimate]:
    """Return a row of the table so far, and the mean over the pairs of a change."""
    ends = [math.exp(contrast_means(terms, pair)) for pair in pairs]
    first = pairs[0]
    row = {"parameter": first.parameter, "from": first.base, "to": first.value}
    row |= {"pairs": len(pairs), "least": min(ends), "greatest": max(ends)}
    return row, average_contrasts(terms, pairs)


def average_contrasts(terms: Terms, pairs: Sequence[Pair]) -> Estimate:
    """Return the mean, over pairs of points, of the difference of their mean logarithms.

    Pairs whose points share no session are left out where others do. A point that is in several
    pairs counts once, with its total weight. There is no error where the pairs share no session.
    """
    together = [pair for pair in pairs if find_common([terms[pair.after], terms[pair.before]])]
    used = together or pairs
    weights: dict[str, float] = {}
    for pair in used:
        weights[pair.after] = weights.get(pair.after, 0.0) + 1 / len(used)
        weights[pair.before] = weights.get(pair.before, 0.0) - 1 / len(used)
    weighted = [terms[point]._replace(weight=weight) for point, weight in weights.items()]
    made = estimate(weighted)
    if len(together) > 1 and not find_common(weighted):
        return made._replace(log=float(np.mean([contrast_means(terms, pair) for pair in together])))
    return made


def contrast_means(terms: Terms, pair: Pair) -> float:
    """Return the difference of mean logarithms, over the sessions that the points share."""
    return estimate([terms[pair.after], terms[pair.before]._replace(weight=-1.0)]).log


def describe_effects(effects: pd.DataFrame, label: str, most: int) -> list[str]:
    """Describe the changes that surely make a difference of more than 5 %.

    Of each parameter the strongest ones, at most `most`.
    """
    sure = effects[effects["answer"] == Answer.CHANGES]
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
