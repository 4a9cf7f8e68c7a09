"""One panel of the paper's figures: background, series, one thread's level and the limit."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from handoff.analysis.forks import mean_level, measure_level
from handoff.draw.marks import (
    BEHIND,
    draw_dots,
    draw_forks,
    has_room,
    label_level,
    write_near,
)
from handoff.studies.scaling import FREQUENCIES, STUDY
from handoff.text import pluralize

PAPER_EVENTS, PAPER_CONSUMERS = 40_000_000, 11

TIME, USAGE = "seconds_40m", "cpu_process"
LABELS = {TIME: "seconds per 40 million events", USAGE: "CPU usage (cores)"}
LIKE = {TIME: "ns_per_event", USAGE: USAGE}
"""The quantity like which each varies, of which the time is a multiple."""

FIGURES = dict(zip(product((TIME, USAGE), FREQUENCIES), range(3, 9), strict=True))
"""The paper's number of the figure of each quantity and load."""

CLAIMS = {
    3: "The paper: the queue is slower than one thread, the Disruptor much faster; both are slower"
    " on two sockets.",
    4: "The paper: the queue beats one thread from two consumers on; the Disruptor is a little"
    " faster still.",
    5: "The paper: the queue beats one thread from two consumers on; the Disruptor takes the same"
    " time.",
    6: "The paper: the Disruptor uses as many whole cores as threads; the queue cannot use the"
    " CPU.",
    7: "The paper: the Disruptor uses as many cores as threads; the queue as many on one socket,"
    " fewer on two.",
    8: "The paper: both use as many cores as threads.",
}
SAND, STRIPES, GREY = "#f6e8c3", "#c9b8d8", "#ececec"


def draw_panel(axes: Axes, forks: pd.DataFrame, quantity: str, sorts: int, cores: int) -> None:
    """Draw one figure of the paper from baseline forks; `cores` are the machine's usable ones.

    With one number of consumers, mechanisms are next to each other; several are the axis.
    """
    chosen = forks[forks["sorts"] == sorts]
    title = f"Figure {FIGURES[quantity, sorts]}: {pluralize(sorts, 'sort')}"
    handed = chosen[chosen["mechanism"] != STUDY.sequential]
    if handed["consumers"].nunique() < 2:
        chosen, unit = (chosen, "cores") if quantity == USAGE else scale_times(chosen)
        axes.set_title(f"{title} ({unit})")
        room = draw_columns(axes, chosen, quantity, unit)
        axes.set_ylabel("cores kept busy" if quantity == USAGE else "time of an event")
        label = ""
    else:
        axes.set_title(title)
        draw_lines(axes, handed, quantity)
        draw_limit(axes, chosen, quantity, cores)
        axes.set_ylabel(LABELS[quantity])
        label, room = "one thread alone", 1.0
    draw_alone(axes, chosen[chosen["mechanism"] == STUDY.sequential], quantity, label)
    axes.set_ylim(0, axes.get_ylim()[1] * room)
    axes.yaxis.set_major_locator(MaxNLocator(5))


def scale_times(forks: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the forks with the times of one event in place of the paper's many, and the unit."""
    size, unit = (1e3, "µs") if forks["ns_per_event"].min() >= 1e3 else (1.0, "ns")
    return forks.assign(**{TIME: forks["ns_per_event"] / size}), unit


def list_series(handed: pd.DataFrame) -> list[str]:
    """Return the mechanisms in the order of the study's styles."""
    names = set(handed["mechanism"])
    return [name for name in STUDY.looks if name in names] + sorted(names - set(STUDY.looks))


RINGS = {"DISRUPTOR_WORKER_POOL": "pool", "DISRUPTOR_STRIPED": "striped"}
"""Designs of the Disruptor, next to each other."""


def draw_columns(axes: Axes, chosen: pd.DataFrame, quantity: str, unit: str) -> float:
    """Draw one column per mechanism: forks from left to right as measured, level and interval.

    Return the factor by which the panel must be higher, to make room for the numbers.
    """
    names = list_series(chosen)
    labels = []
    for place, name in enumerate(names):
        rows, look = chosen[chosen["mechanism"] == name], STUDY.look(name)
        draw_forks(axes, place, rows, quantity, look, LIKE[quantity])
        level = mean_level(rows, quantity, LIKE[quantity])
        words = f"{level:.2f}" if unit == "cores" else f"{float(f'{level:.3g}'):g}"
        labels.append((words, (place, level), look.colour))
    upright = has_room(axes, [words for words, *_ in labels], 8)
    style = {"ha": "center", "weight": "bold", "bbox": BEHIND, "zorder": 5}
    for words, at, colour in labels:
        rotation = "horizontal" if upright else "vertical"
        write_near(axes, words, at, (0, 3), color=colour, rotation=rotation, **style)
    name_columns(axes, names)
    axes.set_xlim(-0.55, len(names) - 0.45)
    axes.grid(visible=False, axis="x")
    return 1.1 if upright else 1.6


def name_columns(axes: Axes, names: list[str]) -> None:
    """Name the columns on two lines, or aslant where they have no room.

    The two designs of the Disruptor share its name.
    """
    short = ["one thread" if n == STUDY.sequential else STUDY.look(n).short for n in names]
    labels = [words.replace(" ", "\n", 1) for words in short]
    shared = [names.index(name) for name in RINGS if name in names]
    if len(shared) == len(RINGS):
        for place, design in zip(shared, RINGS.values(), strict=True):
            labels[place] = f"\n{design}"
    if not has_room(axes, labels, 7):
        style = {"rotation": 35, "ha": "right", "rotation_mode": "anchor", "fontsize": 7}
        axes.set_xticks(range(len(names)), short, **style)
        return
    if len(shared) == len(RINGS):
        axes.set_xticks([sum(shared) / 2], ["disruptor"], minor=True, fontsize=7)
        axes.tick_params(axis="x", which="minor", length=0, pad=7)
    axes.set_xticks(range(len(names)), labels, fontsize=7)


def draw_lines(axes: Axes, handed: pd.DataFrame, quantity: str) -> None:
    """Draw the mechanisms over consumers; lines join points with a core for each thread."""
    names = list_series(handed)
    least = PAPER_CONSUMERS if handed["oversubscribed"].any() else 1
    most = max(least, int(handed["consumers"].max()))
    axes.set(xlabel="consumers", xlim=(0.5, most + 0.5), xticks=range(1, most + 1))
    shade_background(axes, handed)
    for order, name in enumerate(names):
        # Shifted, so that forks of one mechanism do not hide those of another.
        aside = min(0.22, 0.8 / len(names)) * (order - (len(names) - 1) / 2)
        rows, look = handed[handed["mechanism"] == name], STUDY.look(name)
        levels = {}
        for n, point in rows.groupby("consumers"):
            at, shared, values = n + aside, point["oversubscribed"].any(), point[quantity]
            style = {"marker": look.marker, "s": 8, "alpha": 0.5}
            draw_dots(axes, [at] * len(point), values, look, shared, **style)
            if not shared:
                levels[at], bars = measure_level(point, quantity, LIKE[quantity])
                for number, bounds in enumerate(bars):
                    place = at + 0.08 * (number - (len(bars) - 1) / 2)
                    axes.vlines(place, *bounds, color=look.colour, lw=1.6, alpha=0.9, zorder=4)
        # Marker and label are only for the legend: in the figure every fork has its marker.
        style = {"color": look.colour, "ls": look.line, "lw": 1.1, "zorder": 2}
        marker = {"marker": look.marker, "markevery": [], "label": look.label}
        axes.plot(list(levels), list(levels.values()), **style, **marker)


def shade_background(axes: Axes, handed: pd.DataFrame) -> None:
    """Mark points with shared cores (grey) and unlike cores (striped), and the socket's border.

    A dotted line precedes the first point on a second last-level cache of one socket.
    """
    for n, rows in handed.groupby("consumers"):
        column = (n - 0.5, n + 0.5)
        if rows["oversubscribed"].any():
            axes.axvspan(*column, color=GREY, lw=0, zorder=0)
        if (rows["kinds"] > 1).any():
            striped = {"facecolor": "none", "edgecolor": STRIPES, "hatch": "//"}
            axes.axvspan(*column, lw=0, zorder=0, **striped)
    border = handed.loc[handed["sockets"] > 1, "consumers"].min()
    if border > 0:
        sand = {"color": SAND, "lw": 0, "alpha": 0.6, "zorder": 0, "label": "two sockets"}
        axes.axvspan(border - 0.5, axes.get_xlim()[1], **sand)
        axes.axvline(border - 0.5, color="#a08030", lw=1, zorder=1)
    crossing = handed.loc[handed["caches"] > 1, "consumers"].min()
    if crossing > 0 and crossing != border:
        axes.axvline(crossing - 0.5, color="#555555", ls=":", lw=1, zorder=1)


def draw_alone(axes: Axes, rows: pd.DataFrame, quantity: str, label: str) -> None:
    """Draw one thread's level as a horizontal line with its band, and this label."""
    if rows.empty:
        return
    level, bars = measure_level(rows, quantity, LIKE[quantity])
    axes.axhline(level, color="black", lw=1.1, zorder=2)
    for bounds in bars:
        axes.axhspan(*bounds, color="black", alpha=0.08, lw=0, zorder=1)
    label_level(axes, level, label)


def draw_limit(axes: Axes, chosen: pd.DataFrame, quantity: str, cores: int) -> None:
    """Draw the limit as a dashed line.

    The time is at least that of creating the events, and that of the work shared by the cores; the
    CPU usage is at most a core per thread.
    """
    alone = chosen[chosen["mechanism"] == STUDY.sequential]
    label = "ideal: one thread's work shared; a core per thread"
    consumers = np.arange(1, int(axes.get_xlim()[1]) + 1)
    dashed = {"ls": (0, (4, 3)), "lw": 1, "color": "#777777", "zorder": 1}
    if quantity == USAGE:
        axes.plot(consumers, np.minimum(consumers + 1, cores), label=label, **dashed)
    elif not alone.empty:
        creating = alone["ns_per_event_created"].median() * PAPER_EVENTS / 1e9
        work = (mean_level(alone, TIME, LIKE[TIME]) - creating) / np.minimum(consumers, cores)
        axes.plot(consumers, np.maximum(work, creating), label=label, **dashed)
