"""What one choice changes by itself: pairs of points of a study that differ in it alone, where the
first has its default.
"""

from typing import NamedTuple

import pandas as pd

from handoff.analysis.baseline import mask_irrelevant, select_baseline
from handoff.analysis.forks import compare_times
from handoff.catalog import load_catalog
from handoff.registry import find_study


class OneFactorDesign(NamedTuple):
    """Of a study: the `choices` that are varied one at a time, and the parameters that tell
    `where`, which are the same in a pair.
    """

    study: str
    where: tuple[str, ...]
    choices: tuple[str, ...]

    def pairs(self, forks: pd.DataFrame) -> pd.DataFrame:
        """One row a pair of points that differ in one choice alone (and perhaps in their number of
        events).

        `mechanism`, the parameters of `where`, `points` (their keys), `choice`, `from`, `to`,
        `beside` (the other choices that are not at their default), `ratio` of times (to ÷ from)
        with `low` and `high` (95 %, none where threads share cores), `cpu_from`, `cpu_to`,
        `oversubscribed`.
        """
        if forks.empty:
            return forks
        known = load_catalog()[self.study].defaults()
        # Of several numbers of events the largest of each point; what is neither place nor choice
        # as it stands for the run.
        kept = select_baseline(forks, self.study, (*self.where, *self.choices))
        shown = mask_irrelevant(kept, self.study)
        keys = ["mechanism", *self.where, *self.choices]
        numeric = {
            p.name: "Int64"
            for p in load_catalog()[self.study].parameters
            if p.values is None and p.name in keys
        }
        points = [
            (dict(zip(keys, key, strict=True)), forks.loc[own.index])
            for key, own in shown.astype(numeric).groupby(keys, dropna=False)
        ]
        return pd.DataFrame(
            self._pair(choice, known, one, other)
            for choice in self.choices
            for one in points
            if str(one[0][choice]) == known[choice]
            for other in points
            if differs_only_in(choice, one[0], other[0])
        )

    def _pair(
        self,
        choice: str,
        known: dict[str, str],
        one: tuple[dict, pd.DataFrame],
        other: tuple[dict, pd.DataFrame],
    ) -> dict:
        (params, before), (_, after) = one, other
        middle, low, high, shared = compare_times(after, before)
        beside = [
            f"{name} {params[name]}"
            for name in self.choices
            if not pd.isna(params[name]) and str(params[name]) != known[name]
        ]
        return {
            "mechanism": params["mechanism"],
            **{name: params[name] for name in self.where},
            "points": {before["point"].iloc[0], after["point"].iloc[0]},
            "choice": choice,
            "from": str(params[choice]),
            "to": str(other[0][choice]),
            "beside": ", ".join(beside),
            "ratio": middle,
            "low": low,
            "high": high,
            "cpu_from": before["cpu_process"].mean(),
            "cpu_to": after["cpu_process"].mean(),
            "oversubscribed": shared,
        }

    def table(self, forks: pd.DataFrame) -> pd.DataFrame:
        """The same for people."""
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
        """The choices whose whole interval lies 10 % and more from no change, a sentence each."""
        rows = self.pairs(forks)
        sure = rows.dropna(subset=["low"]) if len(rows) else rows
        parts = []
        for row in sure.to_dict("records"):
            if row["low"] > 1.1 or row["high"] < 0.9:
                beside = f" with {row['beside']}" if row["beside"] else ""
                label = find_study(self.study).look(row["mechanism"]).label
                there = f"{label}{beside}{self.place(row)}"
                change = f"{row['choice']} {row['to'].lower()} in place of {row['from'].lower()}"
                parts.append(
                    f"{there}, {change}: {row['ratio']:.2f} times the time ({row['low']:.2f} to"
                    f" {row['high']:.2f})."
                )
        return parts

    def place(self, row: dict) -> str:
        """', threads 2, tokens 4': where a pair lies, of what is not at its default."""
        known = load_catalog()[self.study].defaults()
        there = [
            f"{name} {row[name]}"
            for name in self.where
            if not pd.isna(row[name]) and str(row[name]) != known[name]
        ]
        return "".join(f", {each}" for each in there)


def differs_only_in(choice: str, one: dict, other: dict) -> bool:
    return not pd.isna(other[choice]) and {
        name for name in one if str(one[name]) != str(other[name])
    } == {choice}
