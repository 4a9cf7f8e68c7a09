"""Figure of the executors: their ranking by time over the fixed pool's, here and in the post."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.analysis.forks import prefer_fitting
from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, format_brief
from handoff.studies.executors import STUDY
from handoff.studies.executors.numbers import (
    POOL,
    compute_ratios_to_pool,
    load_published,
    select_baseline,
)
from handoff.text import pluralize

CAPTION = (
    "Time of as many tasks over the fixed thread pool's; bars: 95 % interval; hollow: the post."
)
HOLLOW = "Hollow and coloured: threads share cores."
POST = "the post: 2 x Xeon E5410"
MOST_PANELS = 3
ROW_INCHES = 0.19


class ExecutorsFigures(StudyFigures):
    """Figures of the study; `baseline` is as published, with rings of the intended capacity."""

    name = "executors"
    select = staticmethod(select_baseline)

    def ranking(self) -> Figure | None:
        """Draw the times over the fixed pool's; None without forks of that pool."""
        rows = compute_ratios_to_pool(self.baseline).dropna(subset=["ratio"])
        if rows.empty:
            return None
        rows = rows[rows["threads"].isin(choose_workers(rows))]
        shown = self.baseline[self.baseline["threads"].isin(rows["threads"])]
        note = self.note("executors-ranking", shown, marks=HOLLOW)
        return self.save(draw_ranking(rows), "executors-ranking", write_words(rows, note))


def write_words(rows: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; the title counts intervals that exclude the pool's time."""
    title = "Time of small tasks by each executor, over the fixed thread pool's"
    fewest = rows[rows["threads"] == rows["threads"].min()]
    sure = fewest[fewest["low"].notna() & (fewest["mechanism"] != POOL)]
    if len(sure):
        faster, slower = sure[sure["high"] < 1], sure[sure["low"] > 1]
        title = (
            f"With {pluralize(int(fewest['threads'].iloc[0]), 'worker')}, {len(faster)} of"
            f" {len(sure)} executors are faster than the fixed pool and {len(slower)} slower"
        )
        if len(slower):
            worst = slower.loc[slower["ratio"].astype(float).idxmax()]
            name = STUDY.look(worst["mechanism"]).label
            title += f"; the {name} takes {format_brief(worst['ratio'])} times its time"
    parts = [
        f"{STUDY.look(row.mechanism).label} {format_brief(row.ratio)}"
        f" ({pluralize(int(row.threads), 'worker')})"
        for row in rows.itertuples()
    ]
    return Words(title, CAPTION, f"Time over the fixed pool's. {'; '.join(parts)}.", note)


def choose_workers(rows: pd.DataFrame) -> list[int]:
    """Return up to three numbers of workers to show: the least, the middle, the greatest.

    They are those at which some mechanism has a core for each thread, or any if none has.
    """
    counts = sorted(prefer_fitting(rows)["threads"].unique())
    if len(counts) <= MOST_PANELS:
        return counts
    return [counts[0], counts[len(counts) // 2], counts[-1]]


def rank(rows: pd.DataFrame) -> list[str]:
    """Return the mechanisms by mean ratio, the slowest first, as rows are numbered from below."""
    logs = np.log(rows["ratio"].astype(float))
    return list(logs.groupby(rows["mechanism"]).mean().sort_values(ascending=False).index)


def draw_ranking(rows: pd.DataFrame) -> Figure:
    """Draw rows of `compute_ratios_to_pool`: one panel per number of workers."""
    workers, order = sorted(rows["threads"].unique()), rank(rows)
    height = ROW_INCHES * len(order) + 1.1
    figure, grid = new_figure(1, len(workers), height, sharey=True, sharex=True)
    post = load_published()
    post = post[post["threads"].isin(workers) & post["mechanism"].isin(order)]
    for axes, count in zip(grid[0], workers, strict=True):
        draw_panel(axes, rows[rows["threads"] == count], order)
        for row in post[post["threads"] == count].itertuples():
            marks.draw_published(axes, row.ratio, order.index(row.mechanism) + 0.25, "d")
        axes.set_title(pluralize(int(count), "worker"))
        axes.set_xlabel("time ÷ fixed thread pool's")
    grid[0][0].set_yticks(range(len(order)), [STUDY.look(name).label for name in order])
    marks.format_log_axis(grid[0][0].xaxis)
    here = Line2D([], [], color="#444444", marker="o", ls="-", label="here")
    theirs = [marks.make_published_handle("d", POST)] if len(post) else []
    draw_legend(figure, [here, *theirs])
    return figure


def draw_panel(axes: Axes, rows: pd.DataFrame, order: list[str]) -> None:
    axes.axvline(1, color="black", lw=0.8, zorder=1)
    axes.set_xscale("log")
    for row in rows.itertuples():
        at, look = order.index(row.mechanism), STUDY.look(row.mechanism)
        bounds = (None, None) if row.mechanism == POOL else (row.low, row.high)
        marks.draw_ratio(axes, at, (row.ratio, *bounds), look, row.oversubscribed, horizontal=True)
