"""Figures of the hops: a heat map of pairs of CPUs, and every hop that was timed."""

from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from handoff.draw import marks
from handoff.draw.page import draw_note, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.run.store.run import Run
from handoff.studies.hops import STUDY
from handoff.studies.hops.numbers import (
    RELATIONS,
    build_matrix,
    describe_sample,
    find_borders,
    label_relations,
    tabulate_primitives,
    tabulate_relations,
)
from handoff.tables import tidy

MATRIX_INCHES, CPU_INCHES = 4.6, 0.35
LEAST_CPUS, MOST_LABELLED, MOST_TICKS = 3, 16, 32
"""Least CPUs to draw a matrix for, most for which its cells show their numbers, most ticks."""

WIDE = 8
"""Ratio of the greatest to the least hop beyond which the axis is logarithmic."""


class HopsFigures(StudyFigures):
    """Figures and tables of the study."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "hops")
        matrix = self.forks
        if len(matrix):
            matrix = matrix[matrix["mechanism"] == "CACHE_LINE"]
        if len(matrix):
            # No figure shows the CPU usage of these shots, which may be too short for it.
            matrix = matrix[matrix["threads"] == matrix["threads"].max()].assign(short_usage=False)
        self.matrix = matrix
        hops = tidy.load_table(run, "matrices") if len(matrix) else pd.DataFrame()
        self.hops = hops[hops["point"].isin(self.matrix["point"])] if len(hops) else hops

    def order(self) -> list[int]:
        """Return the CPUs in the order of the threads that were placed on them."""
        point = self.matrix["point"].iloc[0]
        threads = next(p.threads for p in self.run.points if p.key == point)
        return [slot.cpu for slot in threads if slot.cpu is not None]

    def heat_map(self) -> Figure | None:
        """Draw nanoseconds per hop for every pair of CPUs; None for two CPUs, one number."""
        if self.hops.empty or self.hops["from_cpu"].nunique() < LEAST_CPUS:
            return None
        caption = write_caption(
            "Median over forks and shots. Thin lines: last-level caches; thick: sockets.",
            self.matrix,
        )
        note = self.note("hops-matrix", self.matrix, caption, marks="", band="")
        order = self.order()
        figure, grid = new_figure(height=min(MATRIX_INCHES, 1.6 + CPU_INCHES * len(order)))
        axes = grid[0][0]
        draw_matrix(figure, axes, build_matrix(self.hops, order))
        for place, width in (("cache", 0.8), ("socket", 2.5)):
            for border in find_borders(order, self.run.machine, place):
                axes.axvline(border - 0.5, color="black", lw=width)
                axes.axhline(border - 0.5, color="black", lw=width)
        draw_note(figure, note)
        return self.save(figure, "hops-matrix")

    def spread(self) -> Figure | None:
        """Draw every hop that was timed, in order, by what its CPUs share."""
        if self.hops.empty:
            return None
        caption = write_caption(
            "One dot per pair and shot, from left to right in order of time. Line: the median.",
            self.matrix,
        )
        note = self.note("hops", self.matrix, caption, marks="", band="")
        once = self.hops[self.hops["from_cpu"] < self.hops["to_cpu"]]
        started = self.matrix.set_index("fork")["started"]
        rows = once.assign(
            between=label_relations(once, self.run.machine), started=once["fork"].map(started)
        ).sort_values(["started", "shot"])
        figure, grid = new_figure()
        axes = grid[0][0]
        draw_spread(axes, rows)
        draw_note(figure, note)
        return self.save(figure, "hops")

    def table(self) -> pd.DataFrame:
        """Return ns per hop by how the two cores are related; empty without pairs."""
        if self.hops.empty:
            return pd.DataFrame()
        return tabulate_relations(self.hops, self.run.machine)

    def primitives(self) -> pd.DataFrame:
        """Return ns per primitive operation of a hand-over."""
        return tabulate_primitives(self.forks)


def write_caption(caption: str, matrix: pd.DataFrame) -> str:
    """Return the caption, with the size of the sample where not every pair was measured."""
    return f"{caption} {describe_sample(int(matrix['threads'].max()))}".strip()


def draw_matrix(figure: Figure, axes: Axes, matrix: pd.DataFrame) -> None:
    """Draw one cell per pair of CPUs, with its number if there is room; blank if unmeasured."""
    values = matrix.to_numpy(float)
    low, high = np.nanmin(values), np.nanmax(values)
    shown = axes.imshow(values, cmap="cividis", norm=LogNorm(low * 0.9, high * 1.1))
    bar = figure.colorbar(shown, ax=axes, shrink=0.8)
    bar.set_label("ns per hop")
    bar.ax.yaxis.set_major_formatter("{x:g}")
    bar.ax.yaxis.set_minor_formatter("{x:g}")
    if len(matrix) <= MOST_LABELLED:
        middle = np.sqrt(low * high)
        for (row, column), value in np.ndenumerate(values):
            if not np.isnan(value):
                colour = "white" if value <= middle else "black"
                text = f"{value:.0f}"
                axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=8)
    ticks = range(0, len(matrix), -(-len(matrix) // MOST_TICKS))
    name = "CPU {}" if len(matrix) <= MOST_LABELLED else "{}"
    labels = [name.format(matrix.index[tick]) for tick in ticks]
    axes.set_xticks(ticks, labels, rotation=90 if len(labels) > 6 else 0)
    axes.set_yticks(ticks, labels)
    axes.set_title("What a hop of a cache line costs")
    axes.grid(visible=False)


def draw_spread(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw one column per relation, its hops spread over it by time."""
    relations = [name for name in RELATIONS if name in set(rows["between"])]
    look = STUDY.look("CACHE_LINE")
    for place, name in enumerate(relations):
        hops = rows.loc[rows["between"] == name, "value"]
        at = place + np.linspace(-0.35, 0.35, len(hops)) if len(hops) > 1 else [place]
        axes.scatter(at, hops, s=12, color=look.colour, marker=look.marker, alpha=0.6, zorder=3)
        axes.hlines(hops.median(), place - 0.4, place + 0.4, color="black", lw=1, zorder=4)
    axes.set(
        ylabel="ns per hop", title="Every hop that was timed", xlim=(-0.6, len(relations) - 0.4)
    )
    axes.set_xticks(range(len(relations)), relations)
    if rows["value"].max() > WIDE * rows["value"].min():
        axes.set_yscale("log")
        marks.format_log_axis(axes.yaxis)
    else:
        axes.set_ylim(bottom=0)
