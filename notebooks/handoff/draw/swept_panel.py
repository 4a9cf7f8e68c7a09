"""One panel of a sweep's figure: every fork a dot, an interval, a line through what is proven."""

from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from handoff.analysis.forks import compute_interval
from handoff.analysis.swept import Swept, make_setting
from handoff.draw import marks
from handoff.draw.swept_layout import Layout, Styles
from handoff.study import Response

WIDE = 10
"""Beyond this ratio of the greatest to the least the y axis is logarithmic."""

SPREAD = 0.5
"""Of the room between two values, what the lines' marks are spread over."""


def draw_panel(
    axes: Axes,
    swept: Swept,
    forks: pd.DataFrame,
    layout: Layout,
    response: Response,
    styles: Styles,
) -> dict[str, Line2D]:
    """Every fork a dot, a line through the means; returns what the legend needs, by its words."""
    places = {value: place for place, value in enumerate(swept.values(layout.along))}
    groups = list(forks.groupby(layout.keys, dropna=False, sort=False))
    drawn, names = {}, layout.name_lines(swept)
    order, marked = list(names), layout.mark_lines(swept)
    for values, own in groups:
        key = make_setting(values)
        colour, line = styles[key]
        look = swept.study.look(key[0])._replace(colour=colour, line=line, marker=marked[key])
        shift = SPREAD * ((order.index(key) + 0.5) / len(order) - 0.5)
        means = draw_group(axes, own, layout.along, places, response, (look, shift))
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
    own: pd.DataFrame,
    along: str,
    places: dict[Any, int],
    response: Response,
    how: tuple[Any, float],
) -> dict[int, tuple[float, bool]]:
    """The dots and intervals of one line; returns place to mean and whether its threads share
    cores. A mechanism without the parameter is a level over the whole axis.
    """
    look, shift = how
    means: dict[int, tuple[float, bool]] = {}
    for (value, _), rows in own.groupby([along, "point"], dropna=False, sort=False):
        values = rows[response.column].dropna()
        if values.empty:
            continue
        shared = bool(rows["oversubscribed"].any())
        if pd.isna(value):
            axes.axhline(
                values.mean(),
                color=look.colour,
                lw=0.6 if shared else 1.1,
                ls=look.line,
                zorder=2,
            )
            continue
        at = places[value] + shift
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
        bounds = compute_interval(values)
        if bounds and bounds[0] > 0 and not shared:
            axes.vlines(at, *bounds, color=look.colour, lw=3, alpha=0.3, zorder=1)
        means[places[value]] = (float(values.mean()), shared)
    return means


def join_means(
    axes: Axes, means: dict[int, tuple[float, bool]], shift: float, colour: str, line: str
) -> None:
    """Lines between neighbours that both have a core for each thread."""
    for one, other in pairwise(sorted(means)):
        (before, shares), (after, also) = means[one], means[other]
        if not shares and not also:
            axes.plot(
                [one + shift, other + shift], [before, after], color=colour, ls=line, zorder=2
            )


def scale_rows(row: Any, values: pd.Series) -> None:
    told = values[values > 0]
    if len(told) and told.max() > WIDE * told.min():
        for axes in row:
            axes.set_yscale("log")
        marks.format_log_axis(row[0].yaxis)
    else:
        row[0].set_ylim(bottom=0)
        row[0].yaxis.set_major_formatter(lambda value, _: format_tick(value))


def format_tick(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
