"""Effects of one choice at a time: pairs of points of a study that differ in it alone.

The first point of a pair has the choice's default.
"""

from typing import NamedTuple

import pandas as pd

from handoff.analysis.baseline import mask_irrelevant, select_baseline
from handoff.analysis.forks import compare_times
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
        `points` (their keys), `choice`, `from`, `to`, `beside` (the other choices that are not at
        their default), `ratio` of times (to ÷ from) with `low` and `high` (95 %, none where threads
        share cores), `cpu_from`, `cpu_to`, `oversubscribed`.
        """
        if forks.empty:
            return forks
        defaults = load_catalog()[self.study].defaults()
        # All parameters other than places and choices are at the run's baseline.
        kept = select_baseline(forks, self.study, (*self.where, *self.choices))
        shown = mask_irrelevant(kept, self.study)
        keys = ["mechanism", *self.where, *self.choices]
        numeric = {
            p.name: "Int64"
            for p in load_catalog()[self.study].parameters
            if p.values is None and p.name in keys
        }
        points = [
            (dict(zip(keys, key, strict=True)), forks.loc[rows.index])
            for key, rows in shown.astype(numeric).groupby(keys, dropna=False)
        ]
        return pd.DataFrame(
            self._pair(choice, defaults, one, other)
            for choice in self.choices
            for one in points
            if str(one[0][choice]) == defaults[choice]
            for other in points
            if differs_only_in(choice, one[0], other[0])
        )

    def _pair(
        self,
        choice: str,
        defaults: dict[str, str],
        one: tuple[dict, pd.DataFrame],
        other: tuple[dict, pd.DataFrame],
    ) -> dict:
        (params, before), (_, after) = one, other
        ratio, low, high, shared = compare_times(after, before)
        others = [
            f"{name} {params[name]}"
            for name in self.choices
            if not pd.isna(params[name]) and str(params[name]) != defaults[name]
        ]
        return {
            "mechanism": params["mechanism"],
            **{name: params[name] for name in self.where},
            "points": {before["point"].iloc[0], after["point"].iloc[0]},
            "choice": choice,
            "from": str(params[choice]),
            "to": str(other[0][choice]),
            "beside": ", ".join(others),
            "ratio": ratio,
            "low": low,
            "high": high,
            "cpu_from": before["cpu_process"].mean(),
            "cpu_to": after["cpu_process"].mean(),
            "oversubscribed": shared,
        }

    def table(self, forks: pd.DataFrame) -> pd.DataFrame:
        """Return the pairs as a table for readers."""
        rows = self.pairs(forks)
        if rows.empty:
            return rows
        rows = rows.drop(columns="points")
        text = rows.assign(
            mechanism=rows["mechanism"].map(lambda name: find_study(self.study).look(name).label)
        )
        text = text.rename(
            columns={
                "cpu_from": "CPU before",
                "cpu_to": "CPU after",
                "ratio": "time ratio",
                "oversubscribed": "share cores",
            }
        )
        digits = {"time ratio": 2, "low": 2, "high": 2, "CPU before": 2, "CPU after": 2}
        index = ["choice", "mechanism", *self.where, "beside", "from", "to"]
        return (
            text.astype({"low": float, "high": float}).set_index(index).sort_index().round(digits)
        )

    def in_words(self, forks: pd.DataFrame) -> list[str]:
        """Describe each choice whose whole interval lies 10 % or more from no change."""
        rows = self.pairs(forks)
        sure = rows.dropna(subset=["low"]) if len(rows) else rows
        sentences = []
        for row in sure.to_dict("records"):
            if row["low"] > 1.1 or row["high"] < 0.9:
                others = f" with {row['beside']}" if row["beside"] else ""
                label = find_study(self.study).look(row["mechanism"]).label
                change = f"{row['choice']} {row['to'].lower()} in place of {row['from'].lower()}"
                sentences.append(
                    f"{label}{others}{self.place(row)}, {change}: {row['ratio']:.2f} times the time"
                    f" ({format_range(row['low'], row['high'])})."
                )
        return sentences

    def place(self, row: dict) -> str:
        """Return where a pair lies, as ', threads 2, tokens 4'; defaults are left out."""
        defaults = load_catalog()[self.study].defaults()
        return "".join(
            f", {name} {row[name]}"
            for name in self.where
            if not pd.isna(row[name]) and str(row[name]) != defaults[name]
        )


def differs_only_in(choice: str, one: dict, other: dict) -> bool:
    return not pd.isna(other[choice]) and {
        name for name in one if str(one[name]) != str(other[name])
    } == {choice}
