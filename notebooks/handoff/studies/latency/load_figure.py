"""Latency over load: where each mechanism stops keeping up."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, new_figure
from handoff.studies.latency import STUDY
from handoff.text import pluralize

SATURATED = 0.95
"""A rate is met when at least this share of it was really offered."""
MISSED = f"less than {100 * SATURATED:g} % of the rate offered"


def draw_load(forks: pd.DataFrame, note: str) -> Figure:
    """A panel for each number of stages: median and 99 % of the time from when an event was due,
    against the offered rate.
    """
    panels = sorted(forks["stages"].unique())
    figure, grid = new_figure(1, len(panels), sharey=True)
    for axes, count in zip(grid[0], panels, strict=True):
        rows = forks[forks["stages"] == count]
        for mechanism, own in rows.groupby("mechanism"):
            draw_rise(axes, own, mechanism)
        shared = " (oversubscribed)" if rows["oversubscribed"].any() else ""
        axes.set(
            title=f"{pluralize(count, 'stage')}{shared}",
            xscale="log",
            yscale="log",
            xlabel="offered events a second",
        )
        marks.format_log_axis(axes.xaxis)
        if shared:
            axes.set_facecolor(marks.OVERSUBSCRIBED_GROUND)
    grid[0][0].set_ylabel("latency, from when it was due")
    marks.format_time_axis(grid[0][0].yaxis)
    ours = [STUDY.look(name) for name in sorted(forks["mechanism"].unique())]
    handles = [marks.make_handle(seen) for seen in ours]
    handles += [
        Line2D([], [], color="#555555", ls=line, label=words)
        for line, words in (("-", "half of the events"), (":", "99 % of the events"))
    ]
    if find_missed(forks).any():
        handles.append(Line2D([], [], color="#555555", marker="x", ls="", label=MISSED))
    draw_legend(figure, handles)
    draw_note(figure, note)
    return figure


def find_missed(forks: pd.DataFrame) -> pd.Series:
    """Which forks were not offered the rate that was asked for."""
    return forks["reached"] < SATURATED * forks["offered"]


def draw_rise(axes: Axes, own: pd.DataFrame, mechanism: str) -> None:
    seen = STUDY.look(mechanism)
    for quantity, line in (("due_p50", "-"), ("due_p99", ":")):
        axes.plot(own.groupby("offered")[quantity].median(), color=seen.colour, ls=line, lw=1.2)
        missed = find_missed(own)
        shared = own["oversubscribed"].astype(bool)
        for those, marker, fill in (
            (~missed & ~shared, seen.marker, seen.colour),
            (~missed & shared, seen.marker, "white"),
            (missed, "x", seen.colour),
        ):
            axes.scatter(
                own.loc[those, "offered"],
                own.loc[those, quantity],
                marker=marker,
                s=14,
                fc=fill,
                **({} if marker == "x" else {"ec": seen.colour}),
                lw=0.8,
                zorder=3,
            )
