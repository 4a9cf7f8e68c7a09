"""Effects of one choice at a time: pairs of points of a study that differ in it alone."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from handoff.analysis.answer import Answer, find_answer
from handoff.analysis.baseline import list_values, select_baseline
from handoff.analysis.forks import compare_times
from handoff.catalog import load_catalog
from handoff.run.plan.pairs import find_pairs
from handoff.study import find_study
from handoff.text import format_range

NOTABLE = 0.1
"""Share by which a choice that is named changes the time."""


class OneFactorDesign(NamedTuple):
    """The choices of a study that are varied one at a time.

    `where` are the parameters that place a point in the study; they are the same in a pair.
    """

    study: str
    where: tuple[str, ...]
    choices: tuple[str, ...]

    def pairs(self, forks: pd.DataFrame) -> pd.DataFrame:
        """Return one row per pair of points that differ in one choice alone.

        They are at the run's baseline in what is neither a place nor a choice. `others` are the
        other choices that are not at their default, `ratio` is the time after the change over that
        before, `low` to `high` its 95 % interval, missing where threads share cores.
        """
        kept = select_baseline(forks, self.study, (*self.where, *self.choices))
        points = list_values(kept, self.study)
        groups = {str(point): rows for point, rows in kept.groupby("point")} if points else {}
        place, rows = ("mechanism", *self.where), []
        for pair in find_pairs(points):
            if pair.parameter in self.choices:
                values = points[pair.before]
                before = groups[pair.before]
                after = groups[pair.after]
                # The changed choice has a column of its own.
                others = [name for name in self.choices if name != pair.parameter]
                change = [pair.parameter, str(pair.base), str(pair.value)]
                change.append(self.describe_values(values, others))
                usage = [side["cpu_process"].mean() for side in (before, after)]
                compared = compare_times(after, before)
                rows.append([*(values.get(name) for name in place), *change, *compared, *usage])
        ratio = ("ratio", "low", "high", "oversubscribed", "cpu_from", "cpu_to")
        return pd.DataFrame(rows, columns=[*place, "choice", "from", "to", "others", *ratio])

    def describe_values(self, values: Mapping[str, Any], names: Iterable[str]) -> str:
        """Return the values of these parameters, as 'threads 2, tokens 4', without defaults."""
        defaults = load_catalog()[self.study].defaults()
        return ", ".join(
            f"{name} {values[name]}"
            for name in names
            if not pd.isna(values.get(name)) and str(values[name]) != defaults[name]
        )

    def in_words(self, forks: pd.DataFrame) -> list[str]:
        """Describe each choice whose whole interval lies 10 % or more from no change."""
        sentences = []
        for row in self.pairs(forks).to_dict("records"):
            if find_answer(row["low"], row["high"], NOTABLE) is Answer.CHANGES:
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
