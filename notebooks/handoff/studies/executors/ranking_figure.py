"""Figure of the executors ranked by time over the fixed pool's, here and in the post."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.studies.executors import STUDY
from handoff.studies.executors.numbers import POOL, load_published
from handoff.text import pluralize

MOST_PANELS = 3
ROW_INCHES = 0.19
POST = "the post: 2 x Xeon E5410"


def choose_workers(rows: pd.DataFrame) -> list[int]:
    """Return up to three numbers of workers to show: the least, the middle, the greatest.

    They are those at which some mechanism has a core for each thread, or any if none has.
    """
    fitting = rows[~rows["oversubscribed"].astype(bool)]
    counts = sorted((fitting if len(fitting) else rows)["threads"].unique())
    if len(counts) <= MOST_PANELS:
        return counts
    return [counts[0], counts[len(counts) // 2], counts[-1]]


def rank(rows: pd.DataFrame) -> list[str]:
    """Return the mechanisms by mean ratio, the slowest first, as rows are numbered from below."""
    logs = np.log(rows["ratio"].astype(float))
    return list(logs.groupby(rows["mechanism"]).mean().sort_values(ascending=False).index)


def draw_ranking(rows: pd.DataFrame) -> Figure:
    """Draw the table of `compute_ratios_to_pool`: one panel per number of workers."""
    workers = choose_workers(rows)
    shown = rows[rows["threads"].isin(workers)]
    order = rank(shown)
    figure, grid = new_figure(
        1, len(workers), ROW_INCHES * len(order) + 1.1, sharey=True, sharex=True
    )
    post = load_published()
    for axes, count in zip(grid[0], workers, strict=True):
        draw_panel(axes, shown[shown["threads"] == count], order)
        for row in post[post["threads"] == count].itertuples():
            if row.mechanism in order:
                marks.draw_published_row(axes, order.index(row.mechanism), row.ratio, "d")
        axes.set_title(pluralize(int(count), "worker"))
        axes.set_xlabel("time ÷ fixed thread pool's")
    grid[0][0].set_yticks(range(len(order)), [STUDY.look(name).label for name in order])
    marks.format_log_axis(grid[0][0].xaxis)
    here = Line2D([], [], color="#444444", marker="o", ls="-", label="here")
    draw_legend(figure, [here, marks.make_published_handle("d", POST)])
    return figure


def draw_panel(axes: Axes, rows: pd.DataFrame, order: list[str]) -> None:
    axes.axvline(1, color="black", lw=0.8, zorder=1)
    axes.set_xscale("log")
    for row in rows.itertuples():
        sure = row.mechanism != POOL and not pd.isna(row.low)
        bounds = (float(row.low), float(row.high)) if sure else None
        marks.draw_ratio_row(
            axes,
            order.index(row.mechanism),
            (row.ratio, bounds),
            STUDY.look(row.mechanism),
            bool(row.oversubscribed),
        )
