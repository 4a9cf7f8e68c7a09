"""Figures of the executors: times over the fixed pool's and the cliff, the post's beside ours, and
what one choice changes.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import marks, one_factor
from handoff.draw.note import draw_note
from handoff.draw.study_figures import StudyFigures
from handoff.run.store import Run
from handoff.studies.executors import STUDY
from handoff.studies.executors.numbers import (
    INTENDED_CAPACITY,
    ONE_FACTOR,
    compute_ratios_to_pool,
    list_mechanisms,
    load_published,
    select_baseline,
)

POST_CORES = 8
QUANTITIES = {"ratio": "time / fixed thread pool's", "ms": "ms for a million tasks"}
CAPTION = (
    f"Left: the post's numbers. Right: here, mean of forks; rings with {INTENDED_CAPACITY:,}"
    " places. Hollow: threads share cores."
)
GROUND = (
    "Lines: beyond them a worker shares a core, dashed where two more threads work, dotted where"
    " one does."
)


class ExecutorsFigures(StudyFigures):
    """`baseline`: as published, but the rings with the capacity that was meant."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "executors")
        self.baseline = (
            self.forks if self.forks.empty else select_baseline(self.forks, INTENDED_CAPACITY)
        )

    def by_workers(self, quantity: str) -> Figure | None:
        """'ratio': times over the fixed pool's; 'ms': absolute, where the cliff is seen.

        None without forks.
        """
        if self.baseline.empty:
            return None
        name = {"ratio": "executors-relative", "ms": "executors-cliff"}[quantity]
        figure = draw_by_workers(
            self.baseline,
            quantity,
            self.cores,
            self.note(name, self.baseline, CAPTION, marks=GROUND, band=""),
        )
        return self.save(figure, name)

    def changes(self) -> Figure | None:
        """What one choice changes by itself, where all threads have a core; None where nothing was
        varied.
        """
        rows = one_factor.select_fitting(ONE_FACTOR, self.forks)
        if rows.empty:
            return None
        note = self.note(
            "executors-changes", self.forks, one_factor.CAPTION, marks="", band=one_factor.BARS
        )
        return self.save(one_factor.draw_pairs(ONE_FACTOR, rows, note), "executors-changes")


def draw_by_workers(forks: pd.DataFrame, quantity: str, cores: int, note: str) -> Figure:
    """The post's panel and ours, a line a mechanism over the number of workers."""
    figure, grid = plt.subplots(1, 2, figsize=(11, 4.8), sharey=True)
    ours, post = compute_ratios_to_pool(forks), load_published()
    draw_panel(grid[0], post.assign(oversubscribed=False), quantity, POST_CORES)
    draw_panel(grid[1], ours, quantity, cores)
    grid[0].set(
        title="the post: 2 x Xeon E5410, 8 cores", ylabel=QUANTITIES[quantity], yscale="log"
    )
    grid[1].set(title=f"here: {cores} cores")
    marks.format_log_axis(grid[0])
    there = [
        name
        for name in list_mechanisms()
        if name in set(ours["mechanism"]) | set(post["mechanism"])
    ]
    seen = [STUDY.look(name) for name in there]
    handles = [
        Line2D([], [], color=one.colour, marker=one.marker, ls=one.line, label=one.label)
        for one in seen
    ]
    grid[1].legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8)
    draw_note(figure, 0.1, -0.02, note)
    return figure


def draw_panel(axes: Axes, rows: pd.DataFrame, quantity: str, cores: int) -> None:
    for mechanism, own in rows.dropna(subset=[quantity]).groupby("mechanism"):
        seen, line = STUDY.look(mechanism), own.sort_values("threads")
        axes.plot(
            line["threads"], line[quantity], color=seen.colour, ls=seen.line, lw=1.1, zorder=2
        )
        for shared, group in line.groupby("oversubscribed"):
            fill = "white" if shared else seen.colour
            axes.plot(
                group["threads"],
                group[quantity],
                seen.marker,
                color=seen.colour,
                mfc=fill,
                ms=5,
                zorder=3,
            )
        if quantity == "ratio" and "low" in line:
            sure = line.dropna(subset=["low"])
            axes.vlines(
                sure["threads"],
                sure["low"].astype(float),
                sure["high"].astype(float),
                color=seen.colour,
                lw=1.4,
                zorder=2,
            )
    for more, style in ((2, "--"), (1, ":")):
        axes.axvline(cores - more + 0.5, color="#777777", ls=style, lw=0.9, zorder=1)
    axes.set_xlabel("workers")
    axes.xaxis.get_major_locator().set_params(integer=True)
