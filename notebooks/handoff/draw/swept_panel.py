"""One panel of a sweep's figure: forks as dots, intervals, and lines between their levels."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from handoff.analysis.forks import Level
from handoff.analysis.swept import MECHANISM, Swept, make_setting
from handoff.draw import marks
from handoff.draw.swept_axis import MOST_MARKS, Axis, plan_axis
from handoff.draw.swept_layout import Layout, plan_looks
from handoff.study import Look

MANY_DOTS = 3000
"""Dots of a figure from which on they are stored as a picture, not one by one."""

DOT, LEAST_DOT = 10, 4
"""Areas of a dot, the smaller one where a figure has many of them, or many values."""

BESIDE = 0.16
"""Distance of the intervals of two sessions, as a share of the room of one value."""


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
    size = LEAST_DOT if many or len(axis.places) > MOST_MARKS else DOT
    return View(layout, axis, plan_looks(swept, layout), size, many)


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
        row[0].set_ylim(bottom=0)
        row[0].yaxis.set_major_formatter(
            lambda value, _: f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
        )
