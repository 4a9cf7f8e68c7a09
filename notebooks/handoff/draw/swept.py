"""The figures of what a sweep varied, whatever it is: a parameter along the axis, a row for each
response, a column for each value of a second parameter, a line for each mechanism.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.analysis.effects import RATIOS, tabulate_effects, tabulate_interactions
from handoff.analysis.forks import compute_interval
from handoff.analysis.swept import (
    MECHANISM,
    Swept,
    find_swept,
    make_setting,
    tabulate_points,
)
from handoff.draw import marks
from handoff.draw.note import draw_note
from handoff.draw.study_figures import StudyFigures
from handoff.draw.swept_layout import (
    MOST_FIGURES,
    Layout,
    Styles,
    describe_layout,
    format_value,
    plan_figures,
    plan_styles,
)
from handoff.run.store import Run
from handoff.study import Response

MOST_ROWS = 4
"""Responses that a figure has room for."""

WIDE = 10
"""Beyond this ratio of the greatest to the least the y axis is logarithmic."""

SPREAD = 0.5
"""Of the room between two values, what the lines' marks are spread over."""

MARK_OF = {"_": "o"}
"""A line is no mark for a fork."""

LETTER_INCHES, HANDLE_INCHES = 0.065, 0.6
"""What a letter of the legend takes, and the mark before it."""

HOLLOW = "Hollow: threads share cores; never joined to what is filled."


def round_ratios(table: pd.DataFrame) -> pd.DataFrame:
    return table.round(dict.fromkeys(RATIOS, 2))


class SweptFigures(StudyFigures):
    """What the sweep varied in one study."""

    def __init__(self, run: Run, folder: Path, name: str) -> None:
        super().__init__(run, folder, name)
        self.swept = find_swept(self.study, self.forks)

    def figures(self, most: int = MOST_FIGURES) -> list[Figure]:
        """One for each parameter varied, that with most values first; none where nothing was."""
        return [self.figure(layout) for layout in plan_figures(self.swept)[:most]]

    def effects(self) -> pd.DataFrame:
        """What one change does by itself to the study's first response."""
        found = self.swept.responses and tabulate_effects(
            self.swept, self.swept.responses[0].column
        )
        return round_ratios(found) if len(found) else pd.DataFrame()

    def interactions(self) -> pd.DataFrame:
        """What depends on what."""
        responses = self.swept.responses
        found = responses and tabulate_interactions(self.swept, responses[0].column)
        return round_ratios(found) if len(found) else pd.DataFrame()

    def points_table(self) -> pd.DataFrame:
        """Every point with its intervals."""
        table = tabulate_points(self.swept)
        return table.set_index(self.swept.varied).round(3) if self.swept.varied else table

    def figure(self, layout: Layout) -> Figure:
        name = f"swept-{self.study.name}-{layout.along}"
        shown = self.forks.loc[layout.select(self.swept).index]
        words = describe_layout(self.swept, layout)
        note = self.note(name, shown, words, marks=HOLLOW if shown["oversubscribed"].any() else "")
        return self.save(draw_swept(self.swept, layout, note), name)


def draw_swept(swept: Swept, layout: Layout, note: str) -> Figure:
    """A panel for each response and value of the columns' parameter."""
    columns = swept.values(layout.columns) if layout.columns else [None]
    responses = swept.responses[:MOST_ROWS]
    size = (max(9.0, 2.4 + 2.6 * len(columns)), 0.9 + 2.0 * len(responses))
    figure, grid = plt.subplots(
        len(responses), len(columns), figsize=size, squeeze=False, sharex=True, sharey="row"
    )
    drawn: dict[str, Line2D] = {}
    shown = layout.select(swept)
    styles = plan_styles(swept, shown, layout)
    for row, response in zip(grid, responses, strict=True):
        for axes, value in zip(row, columns, strict=True):
            own = shown
            if layout.columns:
                # A mechanism without the columns' parameter is the same in each of them.
                own = own[(own[layout.columns] == value) | own[layout.columns].isna()]
            drawn |= draw_panel(axes, swept, own, layout, response, styles)
        row[0].set_ylabel(response.axis)
        scale_rows(row, shown[response.column])
    for axes, value in zip(grid[0], columns, strict=True):
        if layout.columns:
            axes.set_title(f"{layout.columns} {format_value(value)}", fontsize=9, loc="left")
    for axes in grid[-1]:
        axes.set_xlabel(layout.along)
    title = f"{swept.study.title or swept.study.name}: {layout.along}"
    head = draw_head(figure, title, drawn)
    figure.tight_layout(rect=(0, 0, 1, 1 - head / size[1]))
    draw_note(figure, 0.02, -0.01, note)
    return figure


def draw_head(figure: Figure, title: str, drawn: dict[str, Line2D]) -> float:
    """Title and legend above the panels, as wide as these; returns their height in inches."""
    width, height = figure.get_size_inches()
    room = max(map(len, drawn), default=1) * LETTER_INCHES + HANDLE_INCHES
    columns = max(1, int(width / room))
    rows = -(-len(drawn) // columns)
    figure.suptitle(title, x=0.02, y=1 - 0.05 / height, ha="left", va="top")
    figure.legend(
        drawn.values(),
        drawn.keys(),
        loc="upper left",
        bbox_to_anchor=(0.01, 1 - 0.3 / height),
        ncols=columns,
        fontsize=8,
        frameon=False,
    )
    return 0.35 + 0.2 * rows


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
    keys = list(dict.fromkeys([MECHANISM, *layout.lines]))
    groups = list(forks.groupby(keys, dropna=False, sort=False))
    drawn = {}
    for number, (values, own) in enumerate(groups):
        key = make_setting(values)
        colour, line = styles[key]
        look = swept.study.look(key[0])._replace(colour=colour)
        beside = [f"{n} {format_value(v)}" for n, v in zip(keys[1:], key[1:], strict=True)]
        words = ", ".join([look.short, *[b for b in beside if not b.endswith(" ")]])
        shift = SPREAD * ((number + 0.5) / len(groups) - 0.5)
        means = draw_group(axes, own, layout.along, places, response, (look, shift))
        if all(isinstance(value, int | float) for value in places):
            join_means(axes, means, shift, colour, line)
        mark = MARK_OF.get(look.marker, look.marker)
        drawn[words] = Line2D([], [], color=colour, marker=mark, ls=line)
    labels = [
        swept.study.look(value).short if layout.along == MECHANISM else format_value(value)
        for value in places
    ]
    long = max(map(len, labels)) * len(labels) > 26
    axes.set_xticks(range(len(places)), labels, rotation=35 if long else 0)
    if long:
        plt.setp(axes.get_xticklabels(), ha="right", fontsize=8)
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
                values.mean(), color=look.colour, lw=1, ls=":" if shared else "-", zorder=2
            )
            continue
        at = places[value] + shift
        axes.scatter(
            np.full(len(values), at),
            values,
            marker=MARK_OF.get(look.marker, look.marker),
            s=16,
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
    """Lines between neighbours that are both proven; thin and dotted between those that are not."""
    there = sorted(means)
    for one, other in pairwise(there):
        shares = [means[place][1] for place in (one, other)]
        if shares[0] == shares[1]:
            axes.plot(
                [one + shift, other + shift],
                [means[one][0], means[other][0]],
                color=colour,
                ls=":" if shares[0] else line,
                lw=0.7 if shares[0] else 1.3,
                zorder=2,
            )


def scale_rows(row: Any, values: pd.Series) -> None:
    told = values[values > 0]
    if len(told) and told.max() > WIDE * told.min():
        for axes in row:
            axes.set_yscale("log")
        marks.format_log_axis(row[0])
    else:
        row[0].set_ylim(bottom=0)
        row[0].yaxis.set_major_formatter(lambda value, _: format_tick(value))


def format_tick(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
