"""Marks that figures share: forks as dots, ratios with their intervals, readable log axes."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.textpath import text_to_path
from matplotlib.ticker import NullLocator

from handoff.analysis.forks import measure_level
from handoff.study import Look

BEHIND = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.7}
"""Background of numbers that a line or dots would cross."""

OVERSUBSCRIBED_GROUND = "#ececec"
"""Background of results that were measured on shared cores."""

HALF = 0.36
"""Half of the width of a column of forks."""

WIDE = 10
"""Ratio of the greatest to the least number from which on an axis may be logarithmic."""

MOST_TICKS = 8
STEPS = ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
"""Leading digits that get a tick, in order of preference."""

LETTER_INCHES, GAP_INCHES = 0.062, 0.09
"""Width of a letter of a label, and the least room between two labels."""

WIDENED = 1.15
"""Factor by which the layout makes panels wider than matplotlib's default."""

UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))


def draw_dots(
    axes: Axes, at: Any, values: Any, look: Look, hollow: bool = False, **style: Any
) -> None:
    """Draw forks as a mechanism's dots, hollow where their threads share cores."""
    # A dot on the edge of a panel is not cut.
    style = {"marker": look.dot, "s": 9, "lw": 0.6, "zorder": 3, "clip_on": False} | style
    fill = "white" if hollow else look.colour
    axes.scatter(at, values, facecolor=fill, edgecolor=look.colour, **style)


def draw_forks(
    axes: Axes, at: float, rows: pd.DataFrame, column: str, look: Look, like: str = ""
) -> None:
    """Draw the forks of a point side by side as measured, their level, and its interval as a band.

    Several intervals, one per session, share the width of the column.
    Forks whose threads share cores are hollow, and have no interval.
    """
    ordered = rows.sort_values("order_index") if "order_index" in rows else rows
    places = at + (np.linspace(-HALF, HALF, len(rows)) if len(rows) > 1 else np.zeros(1))
    draw_dots(axes, places, ordered[column], look, rows["oversubscribed"].any(), alpha=0.55)
    level, bars = measure_level(rows, column, like)
    axes.hlines(level, at - HALF, at + HALF, color="black", zorder=4)
    for n, bounds in enumerate(bars):
        width = 2 * HALF / len(bars)
        ends = [at - HALF + n * width, at - HALF + (n + 1) * width]
        axes.fill_between(ends, *bounds, color=look.colour, alpha=0.22, lw=0, zorder=1)


Bounded = tuple[float, float | None, float | None]
"""A ratio or level, and the ends of its interval where it is known."""


def draw_ratio(
    axes: Axes, at: float, ratio: Bounded, look: Look, hollow: bool, horizontal: bool = False
) -> None:
    """Draw a ratio at a place of the x axis, or of the y axis if `horizontal`, with its interval.

    Without an interval (None or NaN), draw the mark alone.
    """
    middle, low, high = ratio
    if not pd.isna(low):
        line = axes.hlines if horizontal else axes.vlines
        line(at, low, high, color=look.colour, lw=1.6, zorder=2)
    place = (middle, at) if horizontal else (at, middle)
    fill = "white" if hollow else look.colour
    style = {"marker": look.marker, "ms": 5, "color": look.colour, "mfc": fill}
    axes.plot(*place, ls="", zorder=3, clip_on=False, **style)


def shade_column(axes: Axes, place: float) -> None:
    """Shade a column whose threads share cores."""
    axes.axvspan(place - 0.5, place + 0.5, color=OVERSUBSCRIBED_GROUND, lw=0, zorder=0)


def make_handle(look: Look, label: str = "", line: Any = "", shared: bool = False) -> Line2D:
    """Return a legend entry with a mechanism's style, named `label` if given."""
    style = {"color": look.colour, "marker": look.marker, "ls": line}
    fill = "white" if shared else look.colour
    return Line2D([], [], mfc=fill, label=label or look.label, **style)


def make_published_handle(marker: str, label: str) -> Line2D:
    """Return the legend entry of a source's numbers."""
    return Line2D([], [], color="black", marker=marker, mfc="none", ls="", label=label)


def differ_widely(values: pd.Series) -> bool:
    """Return whether values differ so much that a logarithmic axis shows them better."""
    positive = values[values > 0]
    return len(positive) > 0 and bool(positive.max() > WIDE * positive.min())


def measure_gap(one: str, other: str) -> float:
    """Return the inches from the middle of a label to that of the next, at least."""
    return LETTER_INCHES * (len(one) + len(other)) / 2 + GAP_INCHES


def drop_crowded(labels: list[tuple[float, str]], inches: float) -> list[tuple[float, str]]:
    """Return the labels that have room next to each other, the first and the last among them."""

    def fits(one: tuple[float, str], other: tuple[float, str]) -> bool:
        return (other[0] - one[0]) * inches >= measure_gap(one[1], other[1])

    kept = labels[:1]
    for label in labels[1:-1]:
        if fits(kept[-1], label) and fits(label, labels[-1]):
            kept.append(label)
    return kept + labels[1:][-1:]


def measure_width(axes: Axes) -> float:
    """Return about a panel's width in inches, before its layout is computed."""
    return axes.get_figure(root=True).get_figwidth() * axes.get_position().width * WIDENED


def has_room(axes: Axes, words: Sequence[str], size: float = 7.5) -> bool:
    """Return whether words of this size fit next to each other below a panel."""
    font, measure = FontProperties(size=size), text_to_path.get_text_width_height_descent
    widest = max(measure(line, font, False)[0] for word in words for line in word.split("\n"))
    return widest / 72 <= measure_width(axes) / len(words)


def choose_ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers for a logarithmic axis, up to `most` of them, but two if possible."""
    ticks: list[float] = []
    for steps in STEPS:
        numbers = [step * 10.0**power for power in range(-9, 13) for step in steps]
        fewer = [number for number in numbers if low <= number <= high]
        if len(fewer) < 2 <= len(ticks):
            break
        ticks = fewer
        if len(ticks) <= most:
            break
    return ticks[:: -(-len(ticks) // most) or 1]


def format_number(value: float) -> str:
    """Return a number such as '0.5' or '20,000', round millions in words."""
    if value >= 1e6 and value % 1e5 == 0:
        return f"{value / 1e6:,g} million"
    return f"{value:,g}" if value < 1e6 else f"{value:,.0f}"


def format_log_axis(
    axis: Axis, most: int = MOST_TICKS, form: Callable[[float], str] = format_number
) -> None:
    """Set plain numbers as the ticks of a logarithmic axis, as many as have room, up to `most`."""
    low, high = axis.get_view_interval()
    labels = [(float(np.log10(tick)), form(tick)) for tick in choose_ticks(low, high, most)]
    if axis.axis_name == "x":
        labels = drop_crowded(labels, measure_width(axis.axes) / np.log10(high / low))
    axis.set_ticks([10**place for place, _ in labels], labels=[words for _, words in labels])
    axis.set_minor_locator(NullLocator())


def format_time_axis(axis: Axis, most: int = MOST_TICKS) -> None:
    """Label a logarithmic axis of nanoseconds with ticks such as '200 ns' and '5 ms'."""
    format_log_axis(axis, most, format_ns)


def format_ns(ns: float) -> str:
    """Return a time such as '200 ns' or '5 ms'."""
    size, unit = next(((size, unit) for size, unit in UNITS if ns >= size), UNITS[-1])
    return f"{ns / size:g} {unit}"


def format_brief_ns(ns: float) -> str:
    """Return a time with two digits, such as '6.8 µs'."""
    return format_ns(float(f"{ns:.2g}"))


def draw_published(axes: Axes, at: float, value: float, marker: str) -> None:
    """Draw a number of the source, hollow and black."""
    style = {"marker": marker, "ms": 5, "mfc": "none", "mec": "black", "mew": 0.9, "ls": ""}
    axes.plot(at, value, zorder=4, clip_on=False, **style)


def write_near(
    axes: Axes, words: str, at: tuple[float, float], offset: tuple[float, float], **style: Any
) -> None:
    """Write words that are offset from a place by so many points."""
    style = {"textcoords": "offset points", "fontsize": 7} | style
    axes.annotate(words, at, xytext=offset, **style)


def label_level(axes: Axes, level: float, words: str, **style: Any) -> None:
    """Write words above the right end of a horizontal line."""
    style = {"xycoords": axes.get_yaxis_transform(), "ha": "right", "va": "bottom"} | style
    write_near(axes, words, (1, level), (0, 2), **style)


def label_place(axes: Axes, place: float, words: str, aside: float = 0, **style: Any) -> None:
    """Write words at the top of the panel, so many points `aside` of a place of the x axis."""
    style = {"xycoords": axes.get_xaxis_transform(), "va": "top"} | style
    write_near(axes, words, (place, 1), (aside, -2), **style)
