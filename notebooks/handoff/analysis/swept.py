"""The parameters that a sweep varies and all its points, for any study."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from handoff.analysis.baseline import list_values, mask_irrelevant
from handoff.analysis.forks import Level, compute_fork_means, measure_level, prefer_fitting
from handoff.catalog import load_catalog
from handoff.run.plan.pairs import ARM, EVENTS, drop_events, find_bases
from handoff.run.store.run import Run
from handoff.study import Response, Study, find_study
from handoff.tables import tidy


class Swept(NamedTuple):
    """The forks of one study, the parameters that the sweep varied, and the measured responses.

    `arms` are the names of the sweep's set-ups, the one to compare with first. In `forks`,
    parameters that make no difference to a fork are missing. `varied` lists the mechanism first,
    then the others in the study's order.
    """

    study: Study
    forks: pd.DataFrame
    varied: list[str]
    responses: list[Response]
    arms: tuple[str, ...] = ()

    def values(self, name: str) -> list:
        """Return a parameter's values: numbers by size, words in the study's order."""
        values = set(self.forks[name].dropna())
        if name == ARM:
            return [arm for arm in self.arms if arm in values]
        words = next(
            (p.values for p in load_catalog()[self.study.name].parameters if p.name == name), None
        )
        known = [word for word in words or [] if word in values]
        return known + sorted(values - set(known))

    def base(self, name: str) -> object:
        """Return the value that changes are counted from, of points that fit the cores if any."""
        fitting = list_values(prefer_fitting(self.forks), self.study.name)
        return find_bases(fitting).get(name, self.values(name)[0])


def load_swept(run: Run, name: str) -> Swept:
    """Return what the sweep of a run varied in one study, in all arms."""
    forks = compute_fork_means(tidy.load_table(run, name, every_arm=True))
    return find_swept(find_study(name), forks, run.sweep.arms)


def find_swept(study: Study, forks: pd.DataFrame, arms: Iterable[str] = ()) -> Swept:
    """Find what varies in the rows of `analysis.forks.compute_fork_means`: parameters and arms."""
    responses = [r for r in study.responses if r.column in forks and forks[r.column].notna().any()]
    if forks.empty:
        return Swept(study, forks, [], [])
    rows = mask_irrelevant(forks, study.name)
    points = drop_events(list_values(rows, study.name)).values()
    names = [name for name in (*load_catalog()[study.name].defaults(), ARM) if name != EVENTS]
    varied = [
        name
        for name in (*names, EVENTS)
        if len({values[name] for values in points if name in values}) > 1
    ]
    return Swept(study, rows, varied, responses, tuple(arms))


def make_setting(values: tuple) -> tuple:
    """Return the values with None for missing ones, so that equal settings compare equal."""
    return tuple(None if pd.isna(value) else value for value in values)


def measure_levels(forks: pd.DataFrame, column: str) -> dict[str, Level]:
    """Return the level of each point that has values."""
    names = ("point", column, "oversubscribed", "session", "mechanism", "variation")
    # Rows of few columns are grouped much faster.
    known = forks[[name for name in names if name in forks]].dropna(subset=[column])
    groups = known.groupby("point", sort=False)
    return {point: measure_level(rows, column) for point, rows in groups}


def tabulate_points(swept: Swept) -> pd.DataFrame:
    """Tabulate all points, one row per point.

    Columns: what was varied, the number of forks, and the level of each response with its 95 %
    interval (none below five forks). `note` names weaknesses.
    """
    if swept.forks.empty:
        return pd.DataFrame()
    rows = []
    levels = {r.column: measure_levels(swept.forks, r.column) for r in swept.responses}
    for point, forks in swept.forks.groupby("point", sort=False):
        first = forks.iloc[0]
        row = {name: first[name] for name in swept.varied} | {"forks": len(forks)}
        for column, known in levels.items():
            made = known.get(point, Level(math.nan, []))
            row |= {column: made.level, f"{column}_low": made.low, f"{column}_high": made.high}
        rows.append(row | {"note": describe_weakness(forks)})
    table = pd.DataFrame(rows)
    if not swept.varied:
        return table

    def rank(column: pd.Series) -> pd.Series:
        places = {value: place for place, value in enumerate(swept.values(str(column.name)))}
        return column.map(places).fillna(-1)

    return table.sort_values(swept.varied, kind="stable", key=rank)


def describe_weakness(forks: pd.DataFrame) -> str:
    """Return text such as 'threads share cores; 2 of 5 forks disturbed', or '' if all is well."""
    counts = {
        "disturbed": int((forks["disturbed"] != "").sum()),
        "unsettled": int(forks["settled"].eq(False).sum()),
    }
    parts = ["threads share cores"] if forks["oversubscribed"].any() else []
    parts += ["unlike kinds of core"] if "kinds" in forks and (forks["kinds"] > 1).any() else []
    parts += ["shots below 50 ms"] if forks["too_short"].any() else []
    parts += [f"{n} of {len(forks)} forks {what}" for what, n in counts.items() if n]
    return "; ".join(parts)


def list_constant(swept: Swept) -> dict[str, object]:
    """Return the parameters that the sweep did not vary, with their values."""
    names = [
        name
        for name in load_catalog()[swept.study.name].defaults()
        if name not in swept.varied and name in swept.forks
    ]
    known = {name: set(swept.forks[name].dropna()) for name in names}
    return {name: next(iter(values)) for name, values in known.items() if len(values) == 1}
