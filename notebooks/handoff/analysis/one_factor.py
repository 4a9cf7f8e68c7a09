"""Effects of one choice at a time: pairs of points of a study that differ in it alone.

The first point of a pair has the choice's default.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from handoff.analysis.baseline import mask_irrelevant, select_baseline
from handoff.analysis.forks import compare_times, round_table
from handoff.catalog import load_catalog
from handoff.registry import find_study
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

        Their numbers of events may differ too. Columns: `mechanism`, the parameters of `where`,
        `points` (their keys), `choice`, `from`, `to`, `others` (the other choices that are not at
        their default), `ratio` of times (to ÷ from) with `low` and `high` (95 %, none where threads
        share cores), `cpu_from`, `cpu_to`, `oversubscribed`.
        """
        if forks.empty:
            return forks
        spec = load_catalog()[self.study]
        defaults = spec.defaults()
        # All parameters other than places and choices are at the run's baseline.
        kept = select_baseline(forks, self.study, (*self.where, *self.choices))
        shown = mask_irrelevant(kept, self.study)
        keys = ["mechanism", *self.where, *self.choices]
        numeric = [p.name for p in spec.parameters if p.values is None and p.name in keys]
        groups = shown.astype(dict.fromkeys(numeric, "Int64")).groupby(keys, dropna=False)
        points = [
            (dict(zip(keys, key, strict=True)), forks.loc[rows.index]) for key, rows in groups
        ]
        return pd.DataFrame(
            self._pair(choice, params, others[choice], before, after)
            for choice in self.choices
            for params, before in points
            if str(params[choice]) == defaults[choice]
            for others, after in points
            if differs_only_in(choice, params, others)
        )

    def _pair(
        self, choice: str, params: dict, value: object, before: pd.DataFrame, after: pd.DataFrame
    ) -> dict:
        """Return the row of a pair, whose second point has another value of the choice."""
        ratio, low, high, shared = compare_times(after, before)
        return {
            "mechanism": params["mechanism"],
            **{name: params[name] for name in self.where},
            "points": {before["point"].iloc[0], after["point"].iloc[0]},
            "choice": choice,
            "from": str(params[choice]),
            "to": str(value),
            "others": self.describe_values(params, self.choices),
            "ratio": ratio,
            "low": low,
            "high": high,
            "cpu_from": before["cpu_process"].mean(),
            "cpu_to": after["cpu_process"].mean(),
            "oversubscribed": shared,
        }

    def describe_values(self, values: Mapping[str, Any], names: Iterable[str]) -> str:
        """Return the values of these parameters, as 'threads 2, tokens 4', without defaults."""
        defaults = load_catalog()[self.study].defaults()
        return ", ".join(
            f"{name} {values[name]}"
            for name in names
            if not pd.isna(values[name]) and str(values[name]) != defaults[name]
        )

    def table(self, forks: pd.DataFrame) -> pd.DataFrame:
        """Return the pairs as a table for readers."""
        rows = self.pairs(forks)
        if rows.empty:
            return rows
        rows = round_table(rows, dict.fromkeys(["ratio", "low", "high", "cpu_from", "cpu_to"], 2))
        names = {
            "cpu_from": "CPU before",
            "cpu_to": "CPU after",
            "ratio": "time ratio",
            "oversubscribed": "share cores",
        }
        look = find_study(self.study).look
        labels = rows["mechanism"].map(lambda name: look(name).label)
        table = rows.drop(columns="points").assign(mechanism=labels).rename(columns=names)
        index = ["choice", "mechanism", *self.where, "others", "from", "to"]
        return table.set_index(index).sort_index()

    def in_words(self, forks: pd.DataFrame) -> list[str]:
        """Describe each choice whose whole interval lies 10 % or more from no change."""
        rows = self.pairs(forks)
        sure = rows.dropna(subset=["low"]) if len(rows) else rows
        sentences = []
        for row in sure.to_dict("records"):
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


def differs_only_in(choice: str, one: dict, other: dict) -> bool:
    return not pd.isna(other[choice]) and {
        name for name in one if str(one[name]) != str(other[name])
    } == {choice}
