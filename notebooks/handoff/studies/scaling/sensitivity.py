"""Figure of the sensitivity sweep: effect of each choice that the paper leaves open, alone."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.analysis.baseline import find_baseline, mask_irrelevant
from handoff.analysis.forks import compare_times
from handoff.draw import marks
from handoff.draw.page import collect_handles, draw_legend, hide_rest, new_figure
from handoff.draw.words import Words, format_brief
from handoff.studies.ratios import RATIO
from handoff.studies.scaling import STUDY
from handoff.text import pluralize

CHOICES = (
    *("capacity", "wait", "order", "element", "collector", "release", "sort", "placement"),
    "memory",
)
MOST_COLUMNS, ROW_INCHES = 3, 0.27
SAME = ["mechanism", "consumers", "sorts", "events"]
"""Parameters that a point and its reference share, apart from the other choices."""

COLUMNS = ["choice", "mechanism", "consumers", *RATIO]
QUEUE, LOAD = "ARRAY_BLOCKING_QUEUE", ("sorts", "events")
REVERSALS = ["choice", "other", "sorts", "consumers", "before", "ratio", "low", "high"]


def compute_arms(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the time under one changed choice over the time under the sweep's own baseline.

    `choice` is such as 'wait BLOCKING'; `low` and `high` are the 95 % interval, or missing. Only
    points that differ in exactly one choice, at the same load and number of events, are compared.
    """
    if forks.empty:
        return pd.DataFrame(columns=COLUMNS)
    changed = find_changes(forks)
    changes = changed.sum(axis="columns")
    references = dict(list(forks[changes == 0].groupby(SAME)))
    rows = []
    for name in changed:
        arm = forks[changed[name] & (changes == 1)]
        for (value, *same), group in arm.groupby([name, *SAME]):
            if tuple(same) in references:
                compared = compare_times(group, references[tuple(same)])
                rows.append([f"{name} {value}", *same[:2], *compared])
    return pd.DataFrame(rows, columns=COLUMNS)


def find_changes(forks: pd.DataFrame) -> pd.DataFrame:
    """Return, for each fork and choice, whether the value differs from the baseline.

    A choice is missing in a table of forks that were measured before it existed.
    """
    rows = mask_irrelevant(forks, STUDY.name)
    baseline = find_baseline(rows, STUDY.name)
    values = rows[[name for name in CHOICES if name in rows]]
    return values.ne(pd.Series({name: baseline[name] for name in values})) & values.notna()


def tabulate_reversals(forks: pd.DataFrame) -> pd.DataFrame:
    """Return which choices reverse which of two programs takes longer: the queue, or another.

    `before` and `ratio` are the queue's time over the other's, under the baseline and under the
    choice; the 95 % intervals of both exclude 1. A program that does not have the choice is
    compared as it is.
    """
    rows = name_single_changes(forks)
    points = dict(list(rows.groupby(["mechanism", *LOAD, "consumers", "choice"])))
    loads = rows.loc[rows["mechanism"] == QUEUE, [*LOAD, "consumers"]].drop_duplicates()
    others = sorted(set(rows["mechanism"]) - {QUEUE})
    found = []
    for (*load, consumers), other in product(loads.itertuples(index=False, name=None), others):
        places = [
            (name, *load, 0 if name == STUDY.sequential else consumers) for name in (QUEUE, other)
        ]
        compared = {
            choice: compare_surely([points.get((*p, choice), points.get((*p, ""))) for p in places])
            for choice in rows["choice"].unique()
        }
        before = compared.pop("", None)
        for choice, after in compared.items():
            if before and after and (before[0] > 1) != (after[0] > 1):
                found.append([choice, other, load[0], consumers, before[0], *after])
    return pd.DataFrame(found, columns=REVERSALS)


def name_single_changes(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks with at most one changed choice, named in `choice`, such as 'order X'."""
    changed = find_changes(forks)
    names = pd.Series("", index=forks.index)
    for name in changed:
        names = names.mask(changed[name], name + " " + forks[name].astype(str))
    # One thread alone has no consumers.
    alone = forks["mechanism"] == STUDY.sequential
    named = forks.assign(choice=names, consumers=forks["consumers"].mask(alone, 0))
    return named[changed.sum(axis="columns") < 2]


def compare_surely(sides: list[pd.DataFrame | None]) -> tuple[float, float, float] | None:
    """Return the ratio of two points' times and its interval; None where it includes 1."""
    after, before = sides
    if after is None or before is None:
        return None
    ratio, low, high, _ = compare_times(after, before)
    return None if low is None or high is None or low <= 1 <= high else (ratio, low, high)


def draw_sensitivity(arms: pd.DataFrame) -> Figure:
    """Draw `compute_arms`, one row per choice, one panel per number of consumers."""
    choices = list(dict.fromkeys(arms["choice"]))[::-1]
    panels = sorted(arms["consumers"].unique())
    columns = min(len(panels), MOST_COLUMNS)
    deep = -(-len(panels) // columns)
    height = deep * (ROW_INCHES * len(choices) + 0.6) + 0.4
    figure, grid = new_figure(deep, columns, height, sharex=True, sharey=True)
    for axes, consumers in zip(grid.flat, panels, strict=False):
        draw_panel(axes, arms[arms["consumers"] == consumers], choices, consumers)
    hide_rest(grid, len(panels))
    grid[0][0].set_yticks(range(len(choices)), choices)
    marks.format_log_axis(grid[0][0].xaxis)
    draw_legend(figure, collect_handles(grid))
    return figure


def write_words(arms: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; the title names the choice that changes most."""
    sure = arms[(arms["low"] > 1) | (arms["high"] < 1)]
    title = "None of the choices that the paper leaves open surely changes the time here"
    if len(sure):
        most = sure.loc[np.log(sure["ratio"].astype(float)).abs().idxmax()]
        title = (
            f"Of the choices that the paper leaves open, {most['choice']} changes most:"
            f" {format_brief(most['ratio'])} times the time ({STUDY.look(most['mechanism']).short})"
        )
    caption = (
        "Each row: one choice changed alone, as time over that without the change. Bars: 95 %"
        " interval. One thread shows how far a choice changes the work itself."
    )
    alt = "; ".join(
        f"{row.choice}, {STUDY.look(row.mechanism).short},"
        f" {pluralize(int(row.consumers), 'consumer')}: {format_brief(row.ratio)}"
        for row in arms.itertuples()
    )
    return Words(
        title, caption, f"Time with the choice over time without: {alt}.", note, main=False
    )


def draw_panel(axes: Axes, rows: pd.DataFrame, choices: list[str], consumers: int) -> None:
    axes.set(
        title=pluralize(consumers, "consumer"), xscale="log", xlabel="time with ÷ time without"
    )
    axes.axvline(1, color="black", lw=0.8)
    for place, (mechanism, group) in enumerate(rows.groupby("mechanism")):
        look = STUDY.look(mechanism)
        height = [choices.index(choice) + 0.16 * (place - 1.5) for choice in group["choice"]]
        style = {"marker": look.dot, "s": 14, "color": look.colour, "label": look.label}
        axes.scatter(group["ratio"], height, **style)
        bounds = group["low"].astype(float), group["high"].astype(float)
        axes.hlines(height, *bounds, color=look.colour, lw=1.2)
