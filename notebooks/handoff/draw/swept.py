"""Figures of what a sweep varied, for any study.

A figure has one parameter along the axis, one row of panels per response, one column per value of a
second parameter, and one line per mechanism.
"""

import textwrap
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.effects import RATIOS, tabulate_effects
from handoff.analysis.forks import round_table
from handoff.analysis.swept import MECHANISM, Swept, find_swept, measure_levels, tabulate_points
from handoff.draw.footnotes import BAND
from handoff.draw.page import draw_legend, draw_note, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.draw.swept_axis import label_axis
from handoff.draw.swept_layout import (
    MOST_FIGURES,
    Layout,
    describe_layout,
    format_value,
    plan_figures,
)
from handoff.draw.swept_panel import draw_panel, make_handles, plan_view, scale_rows
from handoff.run.store.run import Run

MOST_ROWS = 4
"""Responses that a figure has room for."""
PANEL_INCHES = 1.55

LABEL_LETTERS = 20
"""Letters of a line of a response's label, which fits the height of a panel."""

DIGITS = dict.fromkeys(RATIOS, 2)
SUBTITLE: dict[str, Any] = {"fontsize": 7.5, "weight": "normal", "loc": "left"}

HOLLOW = "Hollow: threads share cores, and no line joins them."


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
        responses = self.swept.responses
        rows = responses and tabulate_effects(self.swept, responses[0].column)
        return round_table(rows, DIGITS) if len(rows) else pd.DataFrame()

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
        words = describe_layout(self.swept, layout)
        note = self.note(name, shown, words, HOLLOW, BAND)
        return self.save(draw_swept(self.swept, layout, note), name)


def draw_swept(swept: Swept, layout: Layout, note: str) -> Figure:
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
            axes.set_title(f"{layout.columns} {format_value(value)}", **SUBTITLE)
    figure.supxlabel(view.axis.title, fontsize=8)
    title = f"{swept.study.title or swept.study.name}: {layout.along}"
    mechanisms = {line[0] for line in view.looks}
    if len(mechanisms) == 1 < len(view.looks):
        # The names of the lines leave it out.
        title += f", {swept.study.look(mechanisms.pop()).short}"
    # The axis names the mechanisms by itself.
    draw_legend(figure, make_handles(view) if layout.along != MECHANISM else [], title)
    draw_note(figure, note)
    return figure
