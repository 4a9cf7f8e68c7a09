"""Forks as dots beside a name, and ratios with their intervals: what the figures of rows and
columns share.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from handoff.analysis.forks import compute_interval
from handoff.study import Look

OVERSUBSCRIBED_GROUND = "#ececec"
"""The ground of what threads on shared cores measured."""


def draw_forks(axes: Axes, at: float, values: pd.Series, seen: Look, shared: bool) -> None:
    """All forks of one point in a column at `at`, their mean as a line and its 95 % interval as a
    band.
    """
    fill = "white" if shared else seen.colour
    axes.scatter(
        np.full(len(values), at),
        values,
        marker=seen.marker,
        s=11,
        facecolor=fill,
        edgecolor=seen.colour,
        lw=0.7,
        alpha=0.8,
        zorder=3,
    )
    axes.hlines(values.mean(), at - 0.1, at + 0.1, color="black", lw=1, zorder=4)
    bounds = compute_interval(values)
    if bounds and bounds[0] > 0:
        axes.fill_between(
            [at - 0.08, at + 0.08], *bounds, color=seen.colour, alpha=0.25, lw=0, zorder=1
        )


def draw_ratio(
    axes: Axes, at: float, found: tuple[float, tuple[float, float] | None], seen: Look, shared: bool
) -> None:
    """A ratio in the column at `at`, with its interval; hollow and without one where threads share
    cores.
    """
    middle, bounds = found
    if bounds and not shared:
        axes.vlines(at, *bounds, color=seen.colour, lw=1.6, zorder=2)
    plot_ratio(axes, (at, middle), seen, shared)


def draw_ratio_row(
    axes: Axes, at: float, found: tuple[float, tuple[float, float] | None], seen: Look, shared: bool
) -> None:
    """The same lying down: a ratio in the row at this height."""
    middle, bounds = found
    if bounds and not shared:
        axes.hlines(at, *bounds, color=seen.colour, lw=1.6, zorder=2)
    plot_ratio(axes, (middle, at), seen, shared)


def plot_ratio(axes: Axes, at: tuple[float, float], seen: Look, shared: bool) -> None:
    fill = "white" if shared else seen.colour
    axes.plot(*at, marker=seen.marker, ms=5, color=seen.colour, mfc=fill, ls="", zorder=3)


def draw_published_row(axes: Axes, at: float, value: float, marker: str) -> None:
    """A number of the source, a little above the row at this height."""
    draw_published(axes, value, at + 0.25, marker)


def shade_column(axes: Axes, place: float) -> None:
    """Grey behind one column: its threads share cores."""
    axes.axvspan(place - 0.5, place + 0.5, color=OVERSUBSCRIBED_GROUND, lw=0, zorder=0)


def make_handle(seen: Look, label: str = "", line: str = "", shared: bool = False) -> Line2D:
    """What the legend shows of a mechanism, or of `label` in its look."""
    return Line2D(
        [],
        [],
        color=seen.colour,
        marker=seen.marker,
        mfc="white" if shared else seen.colour,
        ls=line,
        label=label or seen.label,
    )


def make_published_handle(marker: str, label: str) -> Line2D:
    """What the legend shows of a source's numbers."""
    return Line2D([], [], color="black", marker=marker, mfc="none", ls="", label=label)


MOST_TICKS = 8
STEPS = ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1,))
"""Digits between two powers of ten that get a tick, the most first."""


def format_log_axis(axis: Axis, most: int = MOST_TICKS) -> None:
    """A logarithmic axis whose ticks are plain numbers, as many as there is room for."""
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
    """'0.5', '20,000', '5 million'."""
    return f"{value:,g}" if value < 1e6 else f"{value / 1e6:,g} million"


UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))


def format_time_axis(axis: Axis) -> None:
    """A logarithmic axis in nanoseconds whose ticks are in the unit that people read."""
    format_log_axis(axis)
    ticks = axis.get_ticklocs()
    axis.set_ticks(ticks, labels=[format_ns(tick) for tick in ticks])


def format_ns(ns: float) -> str:
    """'200 ns', '5 ms'."""
    size, unit = next(((size, unit) for size, unit in UNITS if ns >= size), UNITS[-1])
    return f"{ns / size:g} {unit}"


def draw_published(axes: Axes, at: float, value: float, marker: str) -> None:
    """A number of the source: hollow and black."""
    axes.plot(at, value, marker=marker, ms=5, mfc="none", mec="black", mew=0.9, ls="", zorder=4)
