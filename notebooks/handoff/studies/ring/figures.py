"""Figures of the ring: times over a pool of one thread, here and in the posts; single choices."""

from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import marks, one_factor
from handoff.draw.page import draw_legend, draw_note, hide_rest, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.run.store.run import Run
from handoff.studies.ring import STUDY
from handoff.studies.ring.numbers import (
    LOADS,
    ONE_FACTOR,
    compute_ratios_to_one,
    describe_load,
    load_published,
    select_baseline,
)

CAPTION = (
    "Time over that of a pool of one thread at the same load. Threads are pinned only where it says"
    " so; the posts pinned none."
)
MARKS = "Ours hollow: threads share cores."
POSTS = {"4 cores, not named": "d", "Core 2 Duo T7250": "v", "Core 2 Quad Q6600": "^"}
MOST_COLUMNS, ROW_INCHES = 3, 0.19


class RingFigures(StudyFigures):
    """Figures of the study; `baseline` has published choices at any threads, load and placement."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "ring")
        self.baseline = select_baseline(self.forks)

    def figure(self) -> Figure | None:
        """Draw one panel per load, with one row per way to run the nodes."""
        rows = compute_ratios_to_one(self.baseline)
        if rows.empty:
            return None
        note = self.note("ring", self.baseline, CAPTION, MARKS, "bars: 95 % interval")
        return self.save(draw_ratios(rows, note), "ring")

    def changes(self) -> Figure | None:
        """Draw what one choice changes by itself, where all threads have a core."""
        rows = one_factor.select_fitting(ONE_FACTOR, self.forks)
        if rows.empty:
            return None
        note = self.note(
            "ring-changes",
            one_factor.select_drawn(rows, self.forks),
            one_factor.CAPTION,
            marks="",
            band=one_factor.BARS,
        )
        return self.save(one_factor.draw_pairs(ONE_FACTOR, rows, note), "ring-changes")


def draw_ratios(rows: pd.DataFrame, note: str) -> Figure:
    """Draw one panel per measured load, all on one scale."""
    measured = set(zip(rows["tokens"], rows["work"], strict=True))
    loads = [load for load in LOADS if load in measured] + sorted(measured - set(LOADS))
    posts = load_published()
    posts = posts[[(r.tokens, r.work) in loads for r in posts.itertuples()]]
    ways = sorted({*rows["row"], *posts["row"]}, reverse=True)
    columns = min(len(loads), MOST_COLUMNS)
    deep = -(-len(loads) // columns)
    height = deep * (ROW_INCHES * len(ways) + 0.5) + 0.7
    fig, grid = new_figure(deep, columns, height, sharex=True, sharey=True)
    for axes, (tokens, work) in zip(grid.flat, loads, strict=False):
        draw_panel(
            axes,
            [part[(part["tokens"] == tokens) & (part["work"] == work)] for part in (rows, posts)],
            ways,
        )
        axes.set_title(describe_load(tokens, work).replace(", ", "\n"), fontsize=8)
    hide_rest(grid, len(loads))
    grid[0][0].set_yticks(range(len(ways)), ways)
    marks.format_log_axis(grid[0][0].xaxis)
    fig.supxlabel("time / a pool of one thread's", fontsize=8)
    here = Line2D([], [], color="#444444", marker="o", ls="-", label="here")
    published = [
        marks.make_published_handle(mark, f"the post: {machine}")
        for machine, mark in POSTS.items()
        if machine in set(posts["machine"])
    ]
    draw_legend(fig, [here, *published])
    draw_note(fig, note)
    return fig


def draw_panel(axes: Axes, both: list[pd.DataFrame], ways: list[str]) -> None:
    ours, posts = both
    axes.axvline(1, color="black", lw=0.8, zorder=1)
    axes.set_xscale("log")
    for r in ours.itertuples():
        bounds = None if pd.isna(r.low) else (r.low, r.high)
        marks.draw_ratio_row(
            axes, ways.index(r.row), (r.ratio, bounds), STUDY.look(r.mechanism), r.oversubscribed
        )
    for r in posts.itertuples():
        above = list(POSTS).index(r.machine) * 0.12
        marks.draw_published_row(axes, ways.index(r.row) + above, r.ratio, POSTS[r.machine])
