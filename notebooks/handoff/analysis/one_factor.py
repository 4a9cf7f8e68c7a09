"""Effects of one choice at a time: pairs of points of a study that differ in it alone.

The first point of a pair has the choice's default.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, NamedTuple

import pandas as pd

from handoff.analysis.baseline import mask_irrelevant, select_baseline
from handoff.analysis.forks import compare_times
from handoff.catalog import load_catalog
from handoff.study import find_study
from handoff.text import format_range


class OneFactorDesign(NamedTuple):
    """The choices of a study that are varied one at a time.

    `where` are the parameters that place a point in the study; they are the same in a pair.
    """

    study: str
    where: tuple[str, ...]
    choices: tuple[str, ...]

    def pairs(self, forks: pd.DataFrame) -> pd.DataFrame:
        """Return one row per pair of points that differ in one choice alone.

        Their numbers of events may differ too. `others` are the other choices that are not at their
        default, `ratio` is the time after the change over that before, `low` to `high` its 95 %
        interval, missing where threads share cores.
        """
        points, defaults = self.list_points(forks), load_catalog()[self.study].defaults()
        place, rows = ("mechanism", *self.where), []
        for choice, (one, before), (other, after) in product(self.choices, points, points):
            unlike = {name for name in one if str(one[name]) != str(other[name])}
            known = str(one[choice]) == defaults[choice] and not pd.isna(other[choice])
            if known and unlike == {choice}:
                change = [choice, str(one[choice]), str(other[choice])]
                others = self.describe_values(one, self.choices)
                usage = [point["cpu_process"].mean() for point in (before, after)]
                compared = compare_times(after, before)
                rows.append([*(one[name] for name in place), *change, others, *compared, *usage])
        ratio = ("ratio", "low", "high", "oversubscribed", "cpu_from", "cpu_to")
        return pd.DataFrame(rows, columns=[*place, "choice", "from", "to", "others", *ratio])

    def list_points(self, forks: pd.DataFrame) -> list[tuple[dict, pd.DataFrame]]:
        """Return the parameters and the forks of each point at the run's baseline otherwise."""
        if forks.empty:
            return []
        keys = ["mechanism", *self.where, *self.choices]
        kept = select_baseline(forks, self.study, (*self.where, *self.choices))
        parameters = load_catalog()[self.study].parameters
        numeric = [p.name for p in parameters if p.values is None and p.name in keys]
        shown = mask_irrelevant(kept, self.study).astype(dict.fromkeys(numeric, "Int64"))
        groups = shown.groupby(keys, dropna=False)
        return [(dict(zip(keys, key, strict=True)), forks.loc[rows.index]) for key, rows in groups]

    def describe_values(self, values: Mapping[str, Any], names: Iterable[str]) -> str:
        """Return the values of these parameters, as 'threads 2, tokens 4', without defaults."""
        defaults = load_catalog()[self.study].defaults()
        return ", ".join(
            f"{name} {values[name]}"
            for name in names
            if not pd.isna(values[name]) and str(values[name]) != defaults[name]
        )

    def in_words(self, forks: pd.DataFrame) -> list[str]:
        """Describe each choice whose whole interval lies 10 % or more from no change."""
        sentences = []
        for row in self.pairs(forks).dropna(subset=["low"]).to_dict("records"):
            if row["low"] > 1.1 or row["high"] < 0.9:
                others = f" with {row['others']}" if row["others"] else ""
                label = find_study(self.study).look(row["mechanism"]).label
                place = self.describe_values(row, self.where)
                at = f", {place}" if place else ""
                change = f"{row['choice']} {row['to'].lower()} in place of {row['from'].lower()}"
                sentences.append(
                    f"{label}{others}{at}, {change}: {row['ratio']:.2f} times"
                    f" the time ({format_range(row['low'], row['high'])})."
                )
        return sentences
