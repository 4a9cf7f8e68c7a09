"""Forks as dots beside a name, and ratios with their intervals: what the figures of rows and
columns share.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

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
        s=20,
        facecolor=fill,
        edgecolor=seen.colour,
        lw=0.9,
        zorder=3,
    )
    axes.hlines(values.mean(), at - 0.08, at + 0.08, color=seen.colour, lw=1.2, zorder=2)
    bounds = compute_interval(values)
    if bounds and bounds[0] > 0:
        axes.fill_between(
            [at - 0.08, at + 0.08], *bounds, color=seen.colour, alpha=0.25, lw=0, zorder=1
        )


def draw_ratio(
    axes: Axes, at: float, found: tuple[float, tuple[float, float] | None], seen: Look, shared: bool
) -> None:
    """A ratio with its interval; hollow and without one where threads share cores."""
    middle, bounds = found
    if bounds and not shared:
        axes.vlines(at, *bounds, color=seen.colour, lw=1.6, zorder=2)
    axes.plot(
        at,
        middle,
        marker=seen.marker,
        ms=7,
        color=seen.colour,
        mfc="white" if shared else seen.colour,
        ls="",
        zorder=3,
    )


def format_log_axis(axes: Axes) -> None:
    """A logarithmic y axis whose ticks are plain numbers, with 2 and 5 between where it spans less
    than three decades.
    """
    low, high = axes.get_ylim()
    steps = (1, 2, 5) if high / low < 1e3 else (1,)
    ticks = [
        step * 10.0**power
        for power in range(-3, 12)
        for step in steps
        if low <= step * 10.0**power <= high
    ]
    axes.set_yticks(
        ticks, [f"{tick:,g}" if tick < 1e6 else f"{tick / 1e6:,g} million" for tick in ticks]
    )
    axes.minorticks_off()


UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))


def format_time_axis(axes: Axes) -> None:
    """A logarithmic y axis in nanoseconds whose ticks are in the unit that people read."""
    format_log_axis(axes)
    ticks = axes.get_yticks()
    axes.set_yticks(ticks, [format_ns(tick) for tick in ticks])


def format_ns(ns: float) -> str:
    """'200 ns', '5 ms'."""
    size, unit = next(((size, unit) for size, unit in UNITS if ns >= size), UNITS[-1])
    return f"{ns / size:g} {unit}"


def draw_published(axes: Axes, at: float, value: float, marker: str) -> None:
    """A number of the source: hollow and black."""
    axes.plot(at, value, marker=marker, ms=6, mfc="none", mec="black", mew=0.9, ls="", zorder=4)
