"""Latency over load: where each mechanism stops keeping up."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import marks
from handoff.draw.note import draw_note
from handoff.studies.latency import STUDY
from handoff.text import pluralize

SATURATED = 0.95
"""A rate is met when at least this share of it was really offered."""


def draw_load(forks: pd.DataFrame, note: str) -> Figure:
    """A panel for each number of stages: median and 99 % of the time from when an event was due,
    against the offered rate.
    """
    panels = sorted(forks["stages"].unique(), reverse=True)
    figure, grid = plt.subplots(
        1, len(panels), figsize=(1.6 + 3.6 * len(panels), 3.6), squeeze=False, sharey=True
    )
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
        axes.set_xticks(
            sorted(rows["offered"].unique()),
            [f"{rate:,.0f}" for rate in sorted(rows["offered"].unique())],
            rotation=30,
        )
        axes.minorticks_off()
        if shared:
            axes.set_facecolor(marks.OVERSUBSCRIBED_GROUND)
    grid[0][0].set_ylabel("from when it was due to the last stage")
    marks.format_time_axis(grid[0][0])
    ours = [STUDY.look(name) for name in sorted(forks["mechanism"].unique())]
    handles = [
        Line2D([], [], color=seen.colour, marker=seen.marker, label=seen.label) for seen in ours
    ]
    handles += [
        Line2D([], [], color="#555555", ls=line, label=words)
        for line, words in (("-", "half of the events"), (":", "99 % of the events"))
    ]
    grid[0][-1].legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1))
    draw_note(figure, 0.1, -0.14, note)
    return figure


def draw_rise(axes: Axes, own: pd.DataFrame, mechanism: str) -> None:
    seen = STUDY.look(mechanism)
    for quantity, line in (("due_p50", "-"), ("due_p99", ":")):
        axes.plot(own.groupby("offered")[quantity].median(), color=seen.colour, ls=line, lw=1.2)
        met = (own["reached"] >= SATURATED * own["offered"]) & ~own["oversubscribed"].astype(bool)
        for those, fill in ((met, seen.colour), (~met, "white")):
            axes.scatter(
                own.loc[those, "offered"],
                own.loc[those, quantity],
                marker=seen.marker,
                s=18,
                fc=fill,
                ec=seen.colour,
                lw=0.8,
                zorder=3,
            )
