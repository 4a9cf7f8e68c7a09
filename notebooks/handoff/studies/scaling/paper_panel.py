"""One panel of the paper's figures: background, series, the sequential time and the limit."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from handoff.analysis.forks import list_bars, mean_level
from handoff.draw.marks import spread_bars
from handoff.studies.scaling import CONSUMERS, CPU_USAGE, FREQUENCIES, SECONDS_40M, STUDY

PAPER_EVENTS = 40_000_000

TIME, USAGE, RATIO = "seconds_40m", "cpu_process", "ratio"
LIKE = {TIME: "ns_per_event", RATIO: "ns_per_event"}
"""Quantities that vary like another one, of which they are a multiple."""

FIGURES = {
    (TIME, 1): 3,
    (TIME, 15): 4,
    (TIME, 300): 5,
    (USAGE, 1): 6,
    (USAGE, 15): 7,
    (USAGE, 300): 8,
}

CLAIMS = {
    3: (
        "The paper: standard slower than sequential;\ndisruptor much faster; both slower on two"
        " nodes."
    ),
    4: (
        "The paper: standard beats sequential from two\nconsumers on; disruptor a little faster"
        " still."
    ),
    5: (
        "The paper: standard beats sequential from two\nconsumers on; disruptor takes the same"
        " time."
    ),
    6: "The paper: disruptor uses as many whole cores\nas threads; standard cannot use the CPU.",
    7: (
        "The paper: disruptor uses as many cores as threads;\nstandard the same on one node, less"
        " on two."
    ),
    8: "The paper: disruptor uses as many cores as threads;\nstandard is as high.",
}


def draw_panel(axes: Axes, forks: pd.DataFrame, quantity: str, sorts: int, cores: int) -> None:
    """Draw one figure of the paper from baseline forks; `cores` are the machine's usable ones."""
    chosen = forks[forks["sorts"] == sorts]
    number = FIGURES[quantity, sorts]
    what = "time" if quantity == TIME else "CPU usage"
    axes.set(title=f"Figure {number}. {FREQUENCIES[sorts]} frequency: {what}", xlabel=CONSUMERS)
    axes.set(
        ylabel=SECONDS_40M if quantity == TIME else CPU_USAGE, xlim=(0.5, 11.5), xticks=range(1, 12)
    )
    shade_background(axes, chosen)
    alone = chosen[chosen["mechanism"] == "SEQUENTIAL"]
    if not alone.empty:
        draw_sequential(axes, alone, quantity)
    mechanisms = sorted(set(chosen["mechanism"]) - {"SEQUENTIAL"})
    for place, mechanism in enumerate(mechanisms):
        # Shifted, so that forks of one mechanism do not hide those of another.
        draw_series(
            axes,
            chosen[chosen["mechanism"] == mechanism],
            quantity,
            0.16 * (place - (len(mechanisms) - 1) / 2),
        )
    draw_limit(axes, chosen, quantity, cores)
    axes.set_ylim(bottom=0)
    axes.annotate(
        CLAIMS[number],
        (0, 0),
        xycoords="axes fraction",
        xytext=(0, -3.9 * plt.rcParams["font.size"]),
        textcoords="offset points",
        fontsize=plt.rcParams["legend.fontsize"],
        style="italic",
        color="#444444",
        va="top",
    )


def shade_background(axes: Axes, forks: pd.DataFrame) -> None:
    """Mark points with shared cores (grey), several sockets (sand), or unlike cores (striped).

    A dotted line precedes the first point on a second last-level cache.
    """
    for consumers, rows in forks[forks["mechanism"] != "SEQUENTIAL"].groupby("consumers"):
        if rows["oversubscribed"].any():
            axes.axvspan(consumers - 0.5, consumers + 0.5, color="#ececec", lw=0, zorder=0)
        if (rows["sockets"] > 1).any():
            axes.axvspan(
                consumers - 0.5, consumers + 0.5, color="#f6e8c3", lw=0, alpha=0.7, zorder=0
            )
        if (rows["kinds"] > 1).any():
            axes.axvspan(
                consumers - 0.5,
                consumers + 0.5,
                facecolor="none",
                edgecolor="#c9b8d8",
                hatch="//",
                lw=0,
                zorder=0,
            )
    crossing = forks.loc[forks["caches"] > 1, "consumers"]
    if len(crossing):
        axes.axvline(crossing.min() - 0.5, color="#555555", ls=":", lw=1, zorder=1)


def draw_series(axes: Axes, rows: pd.DataFrame, quantity: str, aside: float) -> None:
    """Draw the forks as dots (hollow: oversubscribed), with intervals as bands, and means.

    A line joins the means of points that have a core for each thread.
    """
    look = STUDY.look(rows["mechanism"].iloc[0])
    for shared, fill in ((False, look.colour), (True, "white")):
        dots = rows[rows["oversubscribed"] == shared]
        axes.scatter(
            dots["consumers"] + aside,
            dots[quantity],
            marker=look.marker,
            s=12,
            facecolor=fill,
            edgecolor=look.colour,
            alpha=0.8,
            zorder=3,
        )
    proven = [(n, point) for n, point in rows[~rows["oversubscribed"]].groupby("consumers")]
    means = pd.Series(
        {n: mean_level(point, quantity, LIKE.get(quantity, "")) for n, point in proven}
    )
    # Marker and label are only for the legend: in the figure every fork has its marker.
    named = {"marker": look.marker, "markevery": [], "label": look.label}
    axes.plot(means.index + aside, means, color=look.colour, ls=look.line, zorder=2, **named)
    axes.hlines(
        means, means.index + aside - 0.1, means.index + aside + 0.1, color="black", zorder=4
    )
    for n, point in proven:
        for place, bounds in spread_bars(
            n + aside, list_bars(point, quantity, LIKE.get(quantity, ""))
        ):
            axes.fill_between(
                [place - 0.04, place + 0.04],
                *bounds,
                color=look.colour,
                alpha=0.25,
                lw=0,
                zorder=1,
            )


def draw_sequential(axes: Axes, rows: pd.DataFrame, quantity: str) -> None:
    """Draw one thread's time as a horizontal line with its band, and its forks on the left."""
    look = STUDY.look("SEQUENTIAL")
    axes.scatter([0.6] * len(rows), rows[quantity], marker="o", s=10, color=look.colour, zorder=3)
    like = LIKE.get(quantity, "")
    level = mean_level(rows, quantity, like)
    axes.axhline(level, color=look.colour, label=look.label, zorder=2)
    for bounds in list_bars(rows, quantity, like):
        axes.axhspan(*bounds, color=look.colour, alpha=0.15, lw=0, zorder=1)


LIMIT = "ideal: one thread's work shared; a core per thread"


def draw_limit(axes: Axes, forks: pd.DataFrame, quantity: str, cores: int) -> None:
    """Draw the limit as a dashed line.

    The time is at least that of creating the events, and that of the work shared by the cores; the
    CPU usage is at most a core per thread.
    """
    consumers = np.arange(1, 12)
    dashed = {"ls": (0, (4, 3)), "lw": 1, "color": "#777777", "zorder": 1}
    alone = forks[forks["mechanism"] == "SEQUENTIAL"]
    if quantity == USAGE:
        axes.plot(
            consumers,
            np.minimum(consumers + 1, cores),
            label=LIMIT,
            **dashed,
        )
    elif not alone.empty:
        creating = alone["ns_per_event_created"].median() * PAPER_EVENTS / 1e9
        work = (mean_level(alone, TIME, LIKE[TIME]) - creating) / np.minimum(consumers, cores)
        axes.plot(
            consumers,
            np.maximum(work, creating),
            label=LIMIT,
            **dashed,
        )
