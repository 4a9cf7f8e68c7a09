"""Figures of the ring: every way over a pool of one thread, the posts' numbers beside ours, and
what one choice changes.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import one_factor
from handoff.draw.note import draw_note
from handoff.draw.study_figures import StudyFigures
from handoff.run.store import Run
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
    "Time over that of a pool of one thread, same load. Black and hollow: the posts' numbers on"
    " their machines."
)
MARKS = "Ours hollow: threads share cores."
POSTS = {"4 cores, not named": "d", "Core 2 Duo T7250": "v", "Core 2 Quad Q6600": "^"}
TICKS = (0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MAX_TICKS = 6


class RingFigures(StudyFigures):
    """`baseline`: every mechanism, number of threads and load, the rest as published."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "ring")
        self.baseline = select_baseline(self.forks)

    def figure(self) -> Figure | None:
        """A panel a load, a row a way to run the nodes; None without forks."""
        rows = compute_ratios_to_one(self.baseline)
        if rows.empty:
            return None
        note = self.note("ring", self.baseline, CAPTION, MARKS, "bars: 95 % Welch interval")
        return self.save(draw_ratios(rows, note), "ring")

    def changes(self) -> Figure | None:
        """What generator, serialisation and placement change by themselves, where all threads have
        a core; None where nothing varies.
        """
        rows = one_factor.select_fitting(ONE_FACTOR, self.forks)
        if rows.empty:
            return None
        note = self.note(
            "ring-changes", self.forks, one_factor.CAPTION, marks="", band=one_factor.BARS
        )
        return self.save(one_factor.draw_pairs(ONE_FACTOR, rows, note), "ring-changes")


def draw_ratios(rows: pd.DataFrame, note: str) -> Figure:
    there = set(zip(rows["tokens"], rows["work"], strict=True))
    loads = [each for each in LOADS if each in there] or sorted(there)
    posts = load_published()
    posts = posts[[(r.tokens, r.work) in loads for r in posts.itertuples()]]
    ways = sorted({*rows["row"], *posts["row"]}, reverse=True)
    fig, grid = plt.subplots(
        1,
        len(loads),
        figsize=(2.5 + 1.75 * len(loads), 0.3 * len(ways) + 1.5),
        sharey=True,
        squeeze=False,
    )
    for axes, (tokens, work) in zip(grid[0], loads, strict=True):
        draw_panel(
            axes,
            [own[(own["tokens"] == tokens) & (own["work"] == work)] for own in (rows, posts)],
            ways,
        )
        axes.set_title(describe_load(tokens, work), fontsize=9)
    grid[0][0].set_yticks(range(len(ways)), ways, fontsize=8)
    fig.supxlabel("time / a pool of one thread's", fontsize=9, y=-0.02)
    marks = [
        Line2D([], [], color="black", marker=mark, mfc="none", ls="", label=machine)
        for machine, mark in POSTS.items()
    ]
    fig.legend(
        handles=marks,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.06),
        ncols=3,
        fontsize=8,
        frameon=False,
    )
    draw_note(fig, 0.02, -0.16, note)
    return fig


def draw_panel(axes: Axes, both: list[pd.DataFrame], ways: list[str]) -> None:
    ours, posts = both
    for r in ours.itertuples():
        seen, height = STUDY.look(r.mechanism), ways.index(r.row)
        if not pd.isna(r.low):
            axes.hlines(height, r.low, r.high, color=seen.colour, lw=1.6)
        axes.plot(
            r.ratio,
            height,
            seen.marker,
            color=seen.colour,
            mfc="white" if r.oversubscribed else seen.colour,
            ms=6,
            zorder=3,
        )
    for r in posts.itertuples():
        axes.plot(
            r.ratio,
            ways.index(r.row) + 0.22,
            POSTS[r.machine],
            mec="black",
            mfc="none",
            mew=0.9,
            ms=5,
            zorder=4,
        )
    axes.axvline(1, color="black", lw=0.8, zorder=1)
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    ticks = [tick for tick in TICKS if low <= tick <= high]
    ticks = (
        ticks if len(ticks) <= MAX_TICKS else [tick for tick in ticks if str(tick).startswith("1")]
    )
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks], fontsize=7)
    axes.minorticks_off()
