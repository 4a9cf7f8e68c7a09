"""Numbers of the ladder: what each decision saves, added in order and taken away alone."""

import numpy as np
import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.forks import bound_level, compare_times, mean_level
from handoff.studies.ladder import LAST, LOOKS, REFERENCES, STEPS, TAKEN_AWAY
from handoff.text import format_value, pluralize

SEQUENTIAL, DISRUPTOR = "SEQUENTIAL", "DISRUPTOR"
LEAST_GAIN = 1.1
"""A decision is named if its interval lies above 1 and its ratio is at least this."""


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks of any load and release, at the usual values of all other parameters."""
    return baseline.select_baseline(forks, "ladder", ("sorts", "release"))


def select_step(forks: pd.DataFrame, mechanism: str, sorts: int, release: str = "") -> pd.DataFrame:
    """Return the forks of one step at one load; a release chooses among those of the Disruptor."""
    chosen = (forks["mechanism"] == mechanism) & (forks["sorts"] == sorts)
    return forks[chosen & (forks["release"] == release)] if release else forks[chosen]


def list_rows(forks: pd.DataFrame) -> list[tuple[str, str]]:
    """Return mechanism and release of each row of the staircase: steps, then references."""
    present = set(forks["mechanism"]) if len(forks) else set()
    rows = [(name, "") for name in STEPS if name in present]
    for name in REFERENCES:
        known = forks.loc[forks["mechanism"] == name, "release"].unique() if len(forks) else []
        rows += [(name, r if name == DISRUPTOR else "") for r in sorted(known)]
    return list(dict.fromkeys(rows))


def name_row(mechanism: str, release: str) -> str:
    """Return a row's label; steps are numbered from 1, in their order."""
    label = LOOKS[mechanism].label
    if mechanism in STEPS:
        return f"{list(STEPS).index(mechanism) + 1}  {label}"
    return f"{label} {release}".strip()


def tabulate_steps(forks: pd.DataFrame) -> pd.DataFrame:
    """Return one row per step and load.

    Columns: `sorts`; `step`; `ns` per event and `cores` kept busy, each with `low` and `high` (95
    %, None below five forks); `saved`, the time of the step before over this one's, with its
    interval (missing for the first step and for references); `sleeps`, voluntary switches per
    event.
    """
    rows = []
    for sorts in sorted(set(forks["sorts"])) if len(forks) else []:
        for mechanism, release in list_rows(forks):
            point = select_step(forks, mechanism, sorts, release)
            if point.empty:
                continue
            row = {"sorts": sorts, "mechanism": mechanism, "release": release}
            row |= {"step": name_row(mechanism, release), **describe_point(point)}
            if mechanism in STEPS:
                row |= describe_saving(find_before(forks, mechanism, sorts), point)
            rows.append(row)
    return pd.DataFrame(rows)


def describe_point(point: pd.DataFrame) -> dict:
    low, high = bound_level(point)
    cores_low, cores_high = bound_level(point, "cpu_process")
    return {
        "forks": len(point),
        "ns": mean_level(point),
        "low": low,
        "high": high,
        "cores": mean_level(point, "cpu_process"),
        "cores_low": cores_low,
        "cores_high": cores_high,
        "sleeps": point["voluntary"].mean(),
        "oversubscribed": bool(point["oversubscribed"].any()),
    }


def find_before(forks: pd.DataFrame, step: str, sorts: int) -> pd.DataFrame:
    """Return the forks of the step before; none for the first step, and where it has none."""
    place = list(STEPS).index(step)
    return select_step(forks, list(STEPS)[place - 1], sorts) if place else forks.iloc[:0]


def describe_saving(before: pd.DataFrame, point: pd.DataFrame) -> dict:
    if before.empty:
        return {}
    ratio, low, high, _ = compare_times(before, point)
    return {"saved": ratio, "saved_low": low, "saved_high": high}


def tabulate_decisions(forks: pd.DataFrame, sorts: int = 1) -> pd.DataFrame:
    """Return what each decision is worth at one load: when it is added, and when all others are.

    `added` is the time of the step before over the step's, `alone` the time of the last step
    without the decision over the last step's; both with intervals (95 %). Without forks of either
    kind its columns are missing.
    """
    rows = []
    last = select_step(forks, LAST, sorts) if len(forks) else forks
    for without, step in TAKEN_AWAY.items() if len(last) else ():
        names = list(STEPS)
        before = names[names.index(step) - 1]
        row: dict = {"decision": STEPS[step]}
        pairs = {"added": (before, step), "alone": (without, LAST)}
        for name, (numerator, denominator) in pairs.items():
            sides = [select_step(forks, side, sorts) for side in (numerator, denominator)]
            if all(len(side) for side in sides):
                ratio, low, high, _ = compare_times(*sides)
                row |= {name: ratio, f"{name}_low": low, f"{name}_high": high}
        rows.append(row)
    return pd.DataFrame(rows)


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return what each load's largest savings are, and how far all decisions together reach."""
    kept = select_baseline(forks)
    if count_stairs(kept) < 2:
        return []
    table = tabulate_steps(kept)
    steps = table[table["mechanism"].isin(list(STEPS))]
    return [describe_load(sorts, rows) for sorts, rows in steps.groupby("sorts") if len(rows) > 1]


def select_savings(steps: pd.DataFrame) -> pd.DataFrame:
    """Return the steps that surely save time, and at least LEAST_GAIN, largest first."""
    if "saved_low" not in steps:
        return steps.iloc[:0]
    known = steps.dropna(subset=["saved_low"])
    sure = known[(known["saved_low"] > 1) & (known["saved"] >= LEAST_GAIN)]
    return sure.sort_values("saved", ascending=False)


def describe_load(sorts: int, steps: pd.DataFrame) -> str:
    """Return what happens at one load, largest saving first."""
    load = f"With {pluralize(sorts, 'sort')} per event"
    parts = [
        f"{row.step.partition('  ')[2]} ({format_value(row.saved)} times)"
        for row in select_savings(steps).itertuples()
    ]
    first, last = steps.iloc[0], steps.iloc[-1]
    whole = (
        f"from {format_value(first['ns'])} to {format_value(last['ns'])} ns per event, and from"
        f" {format_value(first['cores'])} to {format_value(last['cores'])} cores kept busy"
    )
    if not parts:
        return f"{load} no single step surely saves a tenth; first to last step here: {whole}."
    return f"{load} time is saved by {', '.join(parts)}; first to last step here: {whole}."


def count_stairs(forks: pd.DataFrame) -> int:
    """Return how many steps have forks at some load; a staircase has at least two."""
    return len(set(forks["mechanism"]) & set(STEPS)) if len(forks) else 0


def spread_rows(number: int, references: int) -> np.ndarray:
    """Return the heights of a figure's rows, from the top, with a gap before the references."""
    return -np.arange(number) - 0.6 * (np.arange(number) >= number - references)
