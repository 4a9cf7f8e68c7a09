"""Figure of latency by load, which shows when each mechanism stops keeping up."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.studies.latency import STUDY
from handoff.text import pluralize

SATURATED = 0.95
"""Share of a rate that must really be offered for the rate to be met."""
MISSED = f"less than {100 * SATURATED:g} % of the rate offered"


def draw_load(forks: pd.DataFrame) -> Figure:
    """Draw median and 99 % latency from the due time against the offered rate, by stages."""
    panels = sorted(forks["stages"].unique())
    figure, grid = new_figure(1, len(panels), sharey=True)
    for axes, count in zip(grid[0], panels, strict=True):
        rows = forks[forks["stages"] == count]
        for mechanism, line in rows.groupby("mechanism"):
            draw_rise(axes, line, mechanism)
        axes.set(
            title=pluralize(count, "stage"),
            xscale="log",
            yscale="log",
            xlabel="offered events per second",
        )
        marks.format_log_axis(axes.xaxis)
    grid[0][0].set_ylabel("latency, from the due time")
    marks.format_time_axis(grid[0][0].yaxis)
    ours = [STUDY.look(name) for name in sorted(forks["mechanism"].unique())]
    handles = [marks.make_handle(look) for look in ours]
    handles += [
        Line2D([], [], color="#555555", ls=line, label=words)
        for line, words in (("-", "half of the events"), (":", "99 % of the events"))
    ]
    if find_missed(forks).any():
        handles.append(Line2D([], [], color="#555555", marker="x", ls="", label=MISSED))
    draw_legend(figure, handles)
    return figure


def find_missed(forks: pd.DataFrame) -> pd.Series:
    """Return which forks were not offered the rate that they were meant to be."""
    return forks["reached"] < SATURATED * forks["offered"]


def draw_rise(axes: Axes, forks: pd.DataFrame, mechanism: str) -> None:
    """Draw one mechanism's forks; its threads have a core each."""
    look = STUDY.look(mechanism)
    for quantity, line in (("due_p50", "-"), ("due_p99", ":")):
        axes.plot(forks.groupby("offered")[quantity].median(), color=look.colour, ls=line, lw=1.2)
        missed = find_missed(forks)
        for chosen, marker in ((~missed, look.marker), (missed, "x")):
            rows = forks[chosen]
            axes.scatter(
                rows["offered"], rows[quantity], marker=marker, s=14, color=look.colour, zorder=3
            )
