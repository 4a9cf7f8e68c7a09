"""Figures of what a sweep varied, for any study.

A figure has one parameter along the axis, one row of panels per response, one column per value of a
second parameter, and one line per mechanism. A panel has every fork as a dot, the levels of points
with their intervals, and lines between levels.
"""

import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.analysis.effects import RATIOS, tabulate_effects
from handoff.analysis.forks import Level, round_table
from handoff.analysis.swept import (
    Swept,
    find_swept,
    make_setting,
    measure_levels,
    tabulate_points,
)
from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.draw.swept_axis import Axis, label_axis, plan_axis
from handoff.draw.swept_layout import (
    MOST_FIGURES,
    Layout,
    describe_layout,
    format_value,
    plan_figures,
    plan_looks,
)
from handoff.draw.words import BAND, Words
from handoff.run.plan.pairs import MECHANISM
from handoff.run.store.run import Run
from handoff.study import Look

MOST_ROWS = 4
"""Responses that a figure has room for."""
PANEL_INCHES = 1.55

LABEL_LETTERS = 20
"""Letters of a line of a response's label, which fits the height of a panel."""

HOLLOW = "Hollow: threads share cores, and no line joins them."

MANY_DOTS = 3000
"""Dots of a figure from which on they are stored as a picture, not one by one."""

DOT, LEAST_DOT = 10, 4
"""Areas of a dot, the smaller one where a figure has many of them."""

BESIDE = 0.16
"""Distance of the intervals of two sessions, as a share of the room of one value."""


class SweptFigures(StudyFigures):
    """Figures and tables of what the sweep varied in one study."""

    every_arm = True

    def __init__(self, run: Run, folder: Path, name: str) -> None:
        super().__init__(run, folder, name)
        self.swept = find_swept(self.study, self.forks, run.sweep.arms)

    def figures(self, most: int = MOST_FIGURES) -> list[Figure]:
        """Draw one figure per parameter varied, the one with most values first."""
        return [self.figure(layout) for layout in plan_figures(self.swept)[:most]]

    def effects(self) -> pd.DataFrame:
        """Return what one change does by itself to the study's first response."""
        effects = tabulate_effects(self.swept, self.swept.responses[0].column)
        return round_table(effects, dict.fromkeys(RATIOS, 2))

    def points_table(self) -> pd.DataFrame:
        """Return every point with its intervals."""
        table = tabulate_points(self.swept)
        if not self.swept.varied:
            return table
        indexed = table.set_index(self.swept.varied)
        return round_table(indexed, dict.fromkeys(indexed.select_dtypes("number"), 3))

    def figure(self, layout: Layout) -> Figure:
        name = f"swept-{self.study.name}-{layout.along}"
        shown = self.forks.loc[layout.select(self.swept).index]
        caption = describe_layout(self.swept, layout)
        words = Words("", note=self.note(name, shown, caption, HOLLOW, BAND))
        return self.save(draw_swept(self.swept, layout), name, words)


class View(NamedTuple):
    """What all panels of a figure share: axis, looks of the lines, and size of a dot.

    `many` says whether there are so many dots that they are stored as a picture.
    """

    layout: Layout
    axis: Axis
    looks: dict[tuple, Look]
    size: float
    many: bool


def plan_view(swept: Swept, layout: Layout) -> View:
    """Return the axis and the lines of a figure, in the order of their values."""
    shown = layout.select(swept)
    outside = bool(shown[layout.along].isna().any())
    axis = plan_axis(swept, layout.along, outside, len(layout.list_columns(swept)))
    many = len(shown) * len(swept.responses) > MANY_DOTS
    return View(layout, axis, plan_looks(swept, layout), LEAST_DOT if many else DOT, many)


def draw_swept(swept: Swept, layout: Layout) -> Figure:
    """Draw one panel per response and value of the columns' parameter."""
    columns = layout.list_columns(swept)
    responses = swept.responses[:MOST_ROWS]
    height = PANEL_INCHES * len(responses) + 0.9
    figure, grid = new_figure(len(responses), len(columns), height, sharex=True, sharey="row")
    shown, view = layout.select(swept), plan_view(swept, layout)
    for row, response in zip(grid, responses, strict=True):
        levels = measure_levels(shown, response.column)
        for axes, value in zip(row, columns, strict=True):
            draw_panel(axes, view, layout.select_panel(shown, value), response.column, levels)
        row[0].set_ylabel(textwrap.fill(response.axis, LABEL_LETTERS))
        scale_rows(row, shown[response.column])
    for axes in grid[-1]:
        label_axis(axes, view.axis)
    for axes, value in zip(grid[0], columns, strict=True):
        if layout.columns:
            title = f"{layout.columns} {format_value(value)}"
            axes.set_title(title, fontsize=7.5, weight="normal", loc="left")
    figure.supxlabel(view.axis.title, fontsize=8)
    title = f"{swept.study.title or swept.study.name}: {layout.along}"
    mechanisms = {line[0] for line in view.looks}
    if len(mechanisms) == 1 < len(view.looks):
        # The names of the lines leave it out.
        title += f", {swept.study.look(mechanisms.pop()).short}"
    # The axis names the mechanisms by itself.
    draw_legend(figure, make_handles(view) if layout.along != MECHANISM else [], title)
    return figure


def draw_panel(
    axes: Axes, view: View, forks: pd.DataFrame, column: str, levels: dict[str, Level]
) -> None:
    """Draw every fork as a dot, and each line's levels with their intervals."""
    forks = forks.dropna(subset=[column])
    along, order = view.layout.along, list(view.looks)
    for values, rows in forks.groupby(view.layout.keys, dropna=False, sort=False):
        key = make_setting(values)
        look = view.looks[key]
        share = 0.5 if along == MECHANISM else (order.index(key) + 0.5) / len(order)
        shift = view.axis.spread * (share - 0.5)
        at = view.axis.locate(rows[along]) + shift
        shared = rows["oversubscribed"].to_numpy(bool)
        for hollow in sorted(set(shared)):
            alike, edge = rows[shared == hollow], 0.06 * view.size + 0.1
            style = {"marker": look.marker, "s": view.size, "lw": edge, "rasterized": view.many}
            marks.draw_dots(axes, at[shared == hollow], alike[column], look, hollow, **style)
        points = rows.assign(at=at).drop_duplicates("point").sort_values("at")
        outside = points[along].isna()
        draw_levels(axes, points[~outside], levels, view, look)
        for point in points[outside].itertuples():
            draw_reference(axes, levels[point.point], look, bool(point.oversubscribed))


def draw_levels(
    axes: Axes, points: pd.DataFrame, levels: dict[str, Level], view: View, look: Look
) -> None:
    """Draw the intervals of points, and a line through levels that are not of shared cores."""
    room = BESIDE * view.axis.spread
    bars = [
        (at + room * (n - (len(levels[point].bars) - 1) / 2), *bounds)
        for point, at in zip(points["point"], points["at"], strict=True)
        for n, bounds in enumerate(levels[point].bars)
    ]
    if bars:
        places, lows, highs = zip(*bars, strict=True)
        axes.vlines(places, lows, highs, color=look.colour, lw=3, alpha=0.3, zorder=1)
    if view.axis.ordered:
        means = [levels[point].level for point in points["point"]]
        joined = np.where(points["oversubscribed"].to_numpy(bool), np.nan, means)
        axes.plot(points["at"], joined, color=look.colour, ls=look.line, lw=1.1, zorder=2)


def draw_reference(axes: Axes, level: Level, look: Look, shared: bool) -> None:
    """Draw a level that does not depend on the axis, with its intervals, over the whole width."""
    width = 0.6 if shared else 1.1
    axes.axhline(level.level, color=look.colour, lw=width, ls=look.line, zorder=2)
    for bounds in level.bars:
        axes.axhspan(*bounds, color=look.colour, alpha=0.12, lw=0, zorder=0)


def make_handles(view: View) -> list[Line2D]:
    """Return the legend's entries in the order of their values."""
    return [
        marks.make_handle(look, line=look.line if view.axis.ordered else "")
        for look in view.looks.values()
    ]


def scale_rows(row: Any, values: pd.Series) -> None:
    """Set the vertical axis of a row of panels: logarithmic for values that differ much."""
    if marks.differ_widely(values):
        for axes in row:
            axes.set_yscale("log")
        marks.format_log_axis(row[0].yaxis)
    else:
        row[0].set_ylim(0, 1.04 * row[0].get_ylim()[1])
        row[0].yaxis.set_major_formatter(
            lambda value, _: f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
        )
