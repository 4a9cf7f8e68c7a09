"""Numbers of the ladder: what each decision saves when it is added in this order."""

from collections.abc import Callable
from itertools import pairwise

import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.answer import Answer
from handoff.analysis.forks import compare_times
from handoff.draw.words import join_words
from handoff.studies.ladder import LAST, LOOKS, NOUNS, REFERENCES, STEPS
from handoff.studies.ratios import describe_level
from handoff.text import format_value, pluralize

DISRUPTOR = "DISRUPTOR"
ROWS = (*STEPS, *REFERENCES)
"""The staircase from the top."""

BEFORE = {step: before for before, step in pairwise(STEPS)}
"""The step before each step but the first."""

LEAST_GAIN = 1.1
"""A decision is named if its interval lies above 1 and its ratio is at least this."""


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks of any load and release, at the usual values of all other parameters."""
    return baseline.select_baseline(forks, "ladder", ("sorts", "release"))


def name_row(mechanism: str, release: str) -> str:
    """Return a row's label; steps are numbered from 1, in their order."""
    label = LOOKS[mechanism].label
    if mechanism in STEPS:
        return f"{ROWS.index(mechanism) + 1}  {label}"
    return f"{label} {release}".strip()


def tabulate_steps(forks: pd.DataFrame) -> pd.DataFrame:
    """Return one row per step and load; the Disruptor has one per release.

    Columns: `sorts`; `step`; `ns` per event and `cores` kept busy, each with `low` and `high` (95
    %, None below five forks); `saved`, the time of the step before over this one's, with its
    interval (missing for the first step and for references); `sleeps`, switches per event.
    """
    if forks.empty:
        return forks
    releases = forks["release"].where(forks["mechanism"] == DISRUPTOR, "")
    points = dict(list(forks.groupby(["sorts", "mechanism", releases])))
    shown = [key for key in points if key[1] in ROWS]
    shown.sort(key=lambda key: (key[0], ROWS.index(key[1]), key[2]))
    rows = []
    for sorts, mechanism, release in shown:
        point = points[sorts, mechanism, release]
        row = {"sorts": sorts, "mechanism": mechanism, "release": release}
        row |= {"step": name_row(mechanism, release), **describe_point(point)}
        before = points.get((sorts, BEFORE.get(mechanism), ""))
        if before is not None:
            row |= compare_as("saved", before, point)
        rows.append(row)
    return pd.DataFrame(rows)


def describe_point(point: pd.DataFrame) -> dict:
    return {
        "forks": len(point),
        **describe_level(point),
        **describe_level(point, ("cores", "cores_low", "cores_high"), "cpu_process"),
        "sleeps": point["voluntary"].mean(),
        "oversubscribed": bool(point["oversubscribed"].any()),
    }


def compare_as(name: str, numerator: pd.DataFrame, denominator: pd.DataFrame) -> dict:
    """Return a ratio of times and its interval (95 %), in columns of this name."""
    ratio, low, high, _ = compare_times(numerator, denominator)
    return {name: ratio, f"{name}_low": low, f"{name}_high": high}


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return what each load's largest savings are, and how far all decisions together reach."""
    steps = select_steps(tabulate_steps(select_baseline(forks)))
    loads = steps.groupby("sorts") if len(steps) else ()
    return [describe_load(sorts, rows) for sorts, rows in loads if len(rows) > 1]


def select_steps(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of steps, without those of references."""
    return table[table["mechanism"].isin(list(STEPS))] if len(table) else table


def name_savings(
    steps: pd.DataFrame, form: Callable[[float], str], least: float = LEAST_GAIN
) -> list[str]:
    """Return each decision that saves time, at least by this factor, with its ratio.

    Those whose 95 % interval includes 1 are left out. The decision is the first part of the
    step's label.
    """
    if "saved_low" not in steps:
        return []
    sure = steps[(steps["saved_low"].astype(float) > 1) & (steps["saved"] >= least)]
    return [
        f"{NOUNS[row.mechanism]} (÷ {form(row.saved)})"
        for row in sure.sort_values("saved", ascending=False).itertuples()
    ]


def describe_load(sorts: int, steps: pd.DataFrame) -> str:
    """Return what happens at one load, largest saving first."""
    savings, first, last = name_savings(steps, format_value), steps.iloc[0], steps.iloc[-1]
    load = f"With {pluralize(sorts, 'sort')} per event,"
    said = f"{load} no decision that is added in this order saves a tenth of the time with a 95 %"
    said += " interval above 1."
    if "saved_low" not in steps or steps["saved_low"].isna().all():
        said = f"{load} what each decision saves is {Answer.UNKNOWN} yet."
    elif savings:
        said = f"{load} these decisions save time when added in this order: "
        said += f"{join_words(savings)}."
    return (
        f"{said} An event takes {format_value(first['ns'])} ns {name_place(first['mechanism'])},"
        f" which keeps {format_value(first['cores'])} cores busy, and {format_value(last['ns'])} ns"
        f" {name_place(last['mechanism'])}, which keeps {format_value(last['cores'])} busy."
    )


def name_place(step: str) -> str:
    """Return where on the ladder a step is, for a sentence."""
    ends = {
        "ARRAY_BLOCKING_QUEUE": "with the JDK's queue",
        LAST: "with our own ring, the last step",
    }
    return ends.get(step) or f"at step {ROWS.index(step) + 1}, {NOUNS[step]}"
