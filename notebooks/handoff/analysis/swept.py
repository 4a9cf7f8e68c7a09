"""What a sweep varies, and every point of it: for any study and any parameters."""

from typing import NamedTuple

import pandas as pd

from handoff.analysis.baseline import mask_irrelevant
from handoff.analysis.forks import compute_interval
from handoff.catalog import load_catalog
from handoff.study import Response, Study

MECHANISM, EVENTS = "mechanism", "events"


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


def make_setting(values: tuple) -> tuple:
    """The same for the same values: one that is missing, which would not equal itself, is None."""
    return tuple(None if pd.isna(value) else value for value in values)


def tabulate_points(swept: Swept) -> pd.DataFrame:
    """One row a point: what was varied, forks, and of each response the mean with its 95 % interval
    (none under three forks); `note` names what is weak.
    """
    if swept.forks.empty:
        return pd.DataFrame()
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
    parts = ["threads share cores"] if own["oversubscribed"].any() else []
    parts += ["unlike kinds of core"] if "kinds" in own and (own["kinds"] > 1).any() else []
    parts += ["shots below 50 ms"] if own["too_short"].any() else []
    parts += [f"{n} of {len(own)} forks {what}" for what, n in counts.items() if n]
    return "; ".join(parts)


def list_constant(swept: Swept) -> dict[str, object]:
    """What the sweep did not vary, by name."""
    names = [n for n in load_catalog()[swept.study.name].defaults() if n not in swept.varied]
    there = {name: set(swept.forks[name].dropna()) for name in names}
    return {name: next(iter(values)) for name, values in there.items() if len(values) == 1}
