"""Marks that figures share: forks as dots, ratios with their intervals, readable log axes."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from handoff.analysis.forks import list_bars, mean_level
from handoff.analysis.intervals import Interval
from handoff.study import Look

OVERSUBSCRIBED_GROUND = "#ececec"
"""Background of results that were measured on shared cores."""


def draw_forks(
    axes: Axes, at: float, rows: pd.DataFrame, column: str, look: Look, like: str = ""
) -> None:
    """Draw the forks of a point in a column, their level as a line, its intervals as bands.

    Without intervals, the dots alone stand for the point.
    """
    values, shared = rows[column], bool(rows["oversubscribed"].any())
    fill = "white" if shared else look.colour
    axes.scatter(
        np.full(len(values), at),
        values,
        marker=look.marker,
        s=11,
        facecolor=fill,
        edgecolor=look.colour,
        lw=0.7,
        alpha=0.8,
        zorder=3,
    )
    level = mean_level(rows, column, like)
    axes.hlines(level, at - 0.1, at + 0.1, color="black", lw=1, zorder=4)
    for place, bounds in spread_bars(at, list_bars(rows, column, like)):
        axes.fill_between(
            [place - 0.04, place + 0.04], *bounds, color=look.colour, alpha=0.25, lw=0, zorder=1
        )


def spread_bars(at: float, bars: list[Interval]) -> list[tuple[float, Interval]]:
    """Return the places of a point's intervals: one per session, next to each other."""
    return [(at + 0.08 * (n - (len(bars) - 1) / 2), bar) for n, bar in enumerate(bars)]


def draw_ratio(
    axes: Axes, at: float, ratio: tuple[float, tuple[float, float] | None], look: Look, shared: bool
) -> None:
    """Draw a ratio and its interval in a column; hollow and without it if threads share cores."""
    middle, bounds = ratio
    if bounds and not shared:
        axes.vlines(at, *bounds, color=look.colour, lw=1.6, zorder=2)
    plot_ratio(axes, (at, middle), look, shared)


def draw_ratio_row(
    axes: Axes, at: float, ratio: tuple[float, tuple[float, float] | None], look: Look, shared: bool
) -> None:
    """Draw a ratio like `draw_ratio`, but in the row at this height."""
    middle, bounds = ratio
    if bounds and not shared:
        axes.hlines(at, *bounds, color=look.colour, lw=1.6, zorder=2)
    plot_ratio(axes, (middle, at), look, shared)


def plot_ratio(axes: Axes, at: tuple[float, float], look: Look, shared: bool) -> None:
    fill = "white" if shared else look.colour
    axes.plot(*at, marker=look.marker, ms=5, color=look.colour, mfc=fill, ls="", zorder=3)


def draw_published_row(axes: Axes, at: float, value: float, marker: str) -> None:
    """Draw a number of the source a little above the row at this height."""
    draw_published(axes, value, at + 0.25, marker)


def shade_column(axes: Axes, place: float) -> None:
    """Shade a column whose threads share cores."""
    axes.axvspan(place - 0.5, place + 0.5, color=OVERSUBSCRIBED_GROUND, lw=0, zorder=0)


def make_handle(look: Look, label: str = "", line: str = "", shared: bool = False) -> Line2D:
    """Return a legend entry with a mechanism's style, named `label` if given."""
    return Line2D(
        [],
        [],
        color=look.colour,
        marker=look.marker,
        mfc="white" if shared else look.colour,
        ls=line,
        label=label or look.label,
    )


def make_published_handle(marker: str, label: str) -> Line2D:
    """Return the legend entry of a source's numbers."""
    return Line2D([], [], color="black", marker=marker, mfc="none", ls="", label=label)


MOST_TICKS = 8
STEPS = ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1,))
"""Leading digits that get a tick, in order of preference."""


def format_log_axis(axis: Axis, most: int = MOST_TICKS) -> None:
    """Set plain numbers as the ticks of a logarithmic axis, up to `most` of them."""
    low, high = axis.get_view_interval()
    for steps in STEPS:
        ticks = [
            step * 10.0**power
            for power in range(-9, 13)
            for step in steps
            if low <= step * 10.0**power <= high
        ]
        if len(ticks) <= most:
            break
    axis.set_ticks(ticks, labels=[format_number(tick) for tick in ticks])
    axis.set_minor_locator(NullLocator())


def format_number(value: float) -> str:
    """Return a number such as '0.5', '20,000' or '5 million'."""
    return f"{value:,g}" if value < 1e6 else f"{value / 1e6:,g} million"


UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))


def format_time_axis(axis: Axis, most: int = MOST_TICKS) -> None:
    """Label a logarithmic axis of nanoseconds with ticks such as '200 ns' and '5 ms'."""
    format_log_axis(axis, most)
    ticks = axis.get_ticklocs()
    axis.set_ticks(ticks, labels=[format_ns(tick) for tick in ticks])


def format_ns(ns: float) -> str:
    """Return a time such as '200 ns' or '5 ms'."""
    size, unit = next(((size, unit) for size, unit in UNITS if ns >= size), UNITS[-1])
    return f"{ns / size:g} {unit}"


def format_brief_ns(ns: float) -> str:
    """Return a time with two digits, such as '6.8 µs', for words."""
    return format_ns(float(f"{ns:.2g}"))


def draw_published(axes: Axes, at: float, value: float, marker: str) -> None:
    """Draw a number of the source, hollow and black."""
    axes.plot(at, value, marker=marker, ms=5, mfc="none", mec="black", mew=0.9, ls="", zorder=4)
