"""Figure of the cliff: times by number of workers, here and in the post."""

from itertools import pairwise
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, hide_rest, new_figure
from handoff.studies.executors import STUDY
from handoff.studies.executors.numbers import list_mechanisms, load_published
from handoff.studies.executors.ranking_figure import POST

COLUMNS = 4
POST_CORES = 8
PANEL_INCHES = 1.15


def draw_cliff(rows: pd.DataFrame, note: str) -> Figure:
    """Draw the table of `compute_ratios_to_pool`: ms for a million tasks, by mechanism."""
    post = load_published()
    measured = {*rows["mechanism"], *post["mechanism"]}
    mechanisms = [name for name in list_mechanisms() if name in measured]
    most = int(max(rows["threads"].max(), post["threads"].max()))
    deep = -(-len(mechanisms) // COLUMNS)
    figure, grid = new_figure(deep, COLUMNS, PANEL_INCHES * deep + 0.8, sharex=True, sharey=True)
    for axes, name in zip(grid.flat, mechanisms, strict=False):
        mark_shared_cores(axes, name)
        draw_post(axes, post[post["mechanism"] == name].sort_values("threads"))
        draw_ours(axes, rows[rows["mechanism"] == name].sort_values("threads"), name)
        axes.set_title(STUDY.look(name).short, fontsize=7.5, weight="normal")
        axes.set(yscale="log", xlim=(0.5, most + 0.5))
    grid[0][0].xaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    hide_rest(grid, len(mechanisms))
    marks.format_log_axis(grid[0][0].yaxis)
    figure.supylabel("ms for a million tasks", fontsize=8)
    figure.supxlabel("workers", fontsize=8)
    here = Line2D([], [], color="#444444", marker="o", ls="", label="here")
    draw_legend(figure, [here, marks.make_published_handle("d", f"{POST}, 8 cores")])
    draw_note(figure, note)
    return figure


def mark_shared_cores(axes: Axes, mechanism: str) -> None:
    """Draw the line beyond which threads outnumber the cores of the post's machine.

    In addition to the workers, one thread submits and, for a Disruptor, another collects.
    """
    others = 2 if mechanism.startswith("DISRUPTOR") else 1
    axes.axvline(POST_CORES - others + 0.5, color="#777777", ls=":", lw=0.9, zorder=1)


def draw_post(axes: Axes, rows: pd.DataFrame) -> None:
    look: dict[str, Any] = {"color": "black", "marker": "d", "mfc": "none", "ms": 3.2, "mew": 0.7}
    axes.plot(rows["threads"], rows["ms"], lw=0.6, zorder=2, **look)


def draw_ours(axes: Axes, rows: pd.DataFrame, mechanism: str) -> None:
    """Draw our points; lines join only neighbours that both have a core for each thread."""
    look = STUDY.look(mechanism)
    points = list(rows[["threads", "ms", "oversubscribed"]].itertuples(index=False, name=None))
    for (at, ms, shared), (then, later, too) in pairwise(points):
        if then == at + 1 and not shared and not too:
            axes.plot([at, then], [ms, later], color=look.colour, lw=1.1, zorder=3)
    for at, ms, shared in points:
        fill = "white" if shared else look.colour
        axes.plot(at, ms, marker=look.marker, color=look.colour, mfc=fill, ms=5, ls="", zorder=4)
