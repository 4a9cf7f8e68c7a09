"""Figure of the sensitivity sweep: effect of each choice that the paper leaves open, alone."""

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


def split_points(forks: pd.DataFrame) -> dict[tuple, pd.DataFrame]:
    """Return the forks of points by their one changed choice, '' at the baseline, and `SAME`.

    A choice is such as 'wait BLOCKING'. It is missing in tables that are older than it.
    """
    if forks.empty:
        return {}
    rows = mask_irrelevant(forks, STUDY.name)
    baseline = find_baseline(rows, STUDY.name)
    values = rows[[name for name in CHOICES if name in rows]]
    changed = values.ne(pd.Series({name: baseline[name] for name in values})) & values.notna()
    changes = changed.sum(axis="columns")
    arms = {"": forks[changes == 0]}
    for name in changed:
        alone = forks[changed[name] & (changes == 1)]
        arms |= {f"{name} {value}": arm for value, arm in alone.groupby(name)}
    return {
        (choice, *same): rows for choice, arm in arms.items() for same, rows in arm.groupby(SAME)
    }


def compute_arms(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the time under one changed choice over the time under the sweep's own baseline.

    `low` and `high` are the 95 % interval, or missing. Only points that differ in exactly one
    choice, at the same load and number of events, are compared.
    """
    points = split_points(forks)
    rows = [
        [choice, *same[:2], *compare_times(point, points["", *same])]
        for (choice, *same), point in points.items()
        if choice and ("", *same) in points
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


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
    title = "Of the choices that the paper leaves open, none has a 95 % interval that excludes 1"
    if len(sure):
        most = sure.loc[np.log(sure["ratio"].astype(float)).abs().idxmax()]
        title = (
            f"Of the choices that the paper leaves open, {most['choice']} changes most:"
            f" {format_brief(most['ratio'])} times the time ({STUDY.look(most['mechanism']).short})"
        )
    caption = (
        "Each row: one choice changed alone, as time over that without the change. Bars: 95 %"
        " interval."
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
