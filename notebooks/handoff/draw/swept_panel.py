"""One panel of a sweep's figure: forks as dots, intervals, and lines between their means."""

from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from handoff.analysis.forks import list_bars, mean_level
from handoff.analysis.swept import Swept, make_setting
from handoff.draw import marks
from handoff.draw.swept_layout import Layout, Styles
from handoff.study import Look, Response

WIDE = 10
"""Ratio of the greatest to the least value beyond which the y axis is logarithmic."""

SPREAD = 0.5
"""Share of the room between two values that the marks of the lines are spread over."""


def draw_panel(
    axes: Axes,
    swept: Swept,
    forks: pd.DataFrame,
    layout: Layout,
    response: Response,
    styles: Styles,
) -> dict[str, Line2D]:
    """Draw every fork as a dot and lines through the means; return the legend's entries by name."""
    places = {value: place for place, value in enumerate(swept.values(layout.along))}
    groups = list(forks.groupby(layout.keys, dropna=False, sort=False))
    drawn, names = {}, layout.name_lines(swept)
    order, marked = list(names), layout.mark_lines(swept)
    for values, rows in groups:
        key = make_setting(values)
        colour, line = styles[key]
        look = swept.study.look(key[0])._replace(colour=colour, line=line, marker=marked[key])
        shift = SPREAD * ((order.index(key) + 0.5) / len(order) - 0.5)
        means = draw_group(axes, rows, layout.along, places, response, (look, shift))
        if all(isinstance(value, int | float) for value in places):
            join_means(axes, means, shift, colour, line)
        drawn[names[key]] = marks.make_handle(look, names[key], line)
    labels = layout.name_places(swept)
    long = max(map(len, labels)) * len(labels) > 26
    axes.set_xticks(range(len(places)), labels, rotation=35 if long else 0)
    if long:
        plt.setp(axes.get_xticklabels(), ha="right", fontsize=7)
    axes.set_xlim(-0.6, len(places) - 0.4)
    return drawn


def draw_group(
    axes: Axes,
    rows: pd.DataFrame,
    along: str,
    places: dict[Any, int],
    response: Response,
    how: tuple[Look, float],
) -> dict[int, tuple[float, bool]]:
    """Draw the forks of one line; return place to mean and whether threads share cores.

    A mechanism without the parameter is a level over the whole axis.
    """
    look, shift = how
    means: dict[int, tuple[float, bool]] = {}
    for (value, _), point in rows.groupby([along, "point"], dropna=False, sort=False):
        point, shared = point.dropna(subset=[response.column]), bool(point["oversubscribed"].any())
        if point.empty:
            continue
        if pd.isna(value):
            width = 0.6 if shared else 1.1
            level = mean_level(point, response.column)
            axes.axhline(level, color=look.colour, lw=width, ls=look.line, zorder=2)
        else:
            draw_point(axes, places[value] + shift, point, response.column, look)
            means[places[value]] = (mean_level(point, response.column), shared)
    return means


def draw_point(axes: Axes, at: float, rows: pd.DataFrame, column: str, look: Look) -> None:
    """Draw the forks of a point in a column, with the intervals of their level."""
    values, shared = rows[column], bool(rows["oversubscribed"].any())
    axes.scatter(
        np.full(len(values), at),
        values,
        marker=look.marker,
        s=12,
        facecolor="white" if shared else look.colour,
        edgecolor=look.colour,
        lw=0.8,
        zorder=3,
    )
    for place, bounds in marks.spread_bars(at, list_bars(rows, column)):
        axes.vlines(place, *bounds, color=look.colour, lw=3, alpha=0.3, zorder=1)


def join_means(
    axes: Axes, means: dict[int, tuple[float, bool]], shift: float, colour: str, line: str
) -> None:
    """Draw lines between neighbours that both have a core for each thread."""
    for one, other in pairwise(sorted(means)):
        (before, shares), (after, also) = means[one], means[other]
        if not shares and not also:
            axes.plot(
                [one + shift, other + shift], [before, after], color=colour, ls=line, zorder=2
            )


def scale_rows(row: Any, values: pd.Series) -> None:
    positive = values[values > 0]
    if len(positive) and positive.max() > WIDE * positive.min():
        for axes in row:
            axes.set_yscale("log")
        marks.format_log_axis(row[0].yaxis)
    else:
        row[0].set_ylim(bottom=0)
        row[0].yaxis.set_major_formatter(lambda value, _: format_tick(value))


def format_tick(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
