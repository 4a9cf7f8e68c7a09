"""Figure of the hops: a heat map of pairs of CPUs."""

from functools import cached_property

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from handoff.analysis.baseline import select_baseline
from handoff.draw.page import new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, join_words
from handoff.studies.hops.numbers import (
    build_matrix,
    describe_sample,
    find_borders,
    tabulate_relations,
)
from handoff.tables import tidy

MATRIX_INCHES, CPU_INCHES = 4.6, 0.35
LEAST_CPUS, MOST_LABELLED, MOST_TICKS = 3, 16, 32
"""Least CPUs to draw a matrix for, most for which its cells show their numbers, most ticks."""

CAPTION = "Median over forks and shots, from one CPU (row) to another (column)."
BORDERS = {"cache": (0.8, " Thin lines: last-level caches."), "socket": (2.5, " Thick: sockets.")}
"""Width of the lines between these places, and their meaning."""


class HopsFigures(StudyFigures):
    """Figures and tables of the study."""

    name = "hops"

    @staticmethod
    def select(forks: pd.DataFrame) -> pd.DataFrame:
        """Return the forks that measured the largest number of CPUs."""
        if forks.empty:
            return forks
        kept = select_baseline(forks, "hops", ("threads",))
        pairs = kept[kept["mechanism"] == "CACHE_LINE"]
        # No figure shows the CPU usage of these shots, which may be too short for it.
        return pairs[pairs["threads"] == pairs["threads"].max()].assign(short_usage=False)

    @cached_property
    def hops(self) -> pd.DataFrame:
        """Return the time of each hop of these forks."""
        if self.baseline.empty:
            return pd.DataFrame()
        hops = tidy.load_table(self.run, "matrices")
        return hops[hops["point"].isin(self.baseline["point"])]

    def figure(self) -> Figure | None:
        """Draw the time of a hop for every pair of CPUs; None for two CPUs, one number."""
        if self.hops.empty or self.hops["from_cpu"].nunique() < LEAST_CPUS:
            return None
        key = self.baseline["point"].iloc[0]
        threads = next(point.threads for point in self.run.points if point.key == key)
        order = [slot.cpu for slot in threads if slot.cpu is not None]
        figure, ((axes,),) = new_figure(height=min(MATRIX_INCHES, 1.6 + CPU_INCHES * len(order)))
        draw_matrix(figure, axes, build_matrix(self.hops, order))
        caption = CAPTION
        for place, (width, meaning) in BORDERS.items():
            borders = find_borders(order, self.run.machine, place)
            for border in borders:
                axes.axvline(border - 0.5, color="black", lw=width)
                axes.axhline(border - 0.5, color="black", lw=width)
            caption += meaning if borders else ""
        note = self.note("hops", self.baseline, marks="")
        return self.save(figure, "hops", self.write_words(caption, note))

    def write_words(self, caption: str, note: str) -> Words:
        """Return the heat map's words; the title has the median by what two CPUs share."""
        medians = self.table()["median"]
        parts = [f"{ns:.0f} ns ({relation})" for relation, ns in medians.items()]
        sample = describe_sample(int(self.baseline["threads"].max()))
        caption = f"{caption} {sample}".strip()
        title = f"A cache line takes {join_words(parts)} to the other core"
        return Words(title, caption, f"Heat map of pairs of CPUs. {title}.", note)

    def table(self) -> pd.DataFrame:
        """Return ns per hop by how the two cores are related; empty without pairs."""
        if self.hops.empty:
            return pd.DataFrame()
        return tabulate_relations(self.hops, self.run.machine)


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
    axes.grid(visible=False)
