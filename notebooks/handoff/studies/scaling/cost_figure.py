"""First picture: what handing over costs, and the cores it keeps busy, by the work of an event."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.words import Words, format_brief, format_times, join_words
from handoff.studies.scaling import FREQUENCIES, STUDY
from handoff.studies.scaling.cost_table import EVERY, select_lines
from handoff.text import pluralize

DASHES: tuple[Any, ...] = ("-", (0, (3, 1.2)), ":")
"""Lines of the releases of one mechanism, in the order of the table."""

SIZE, SMALL = 11, 10
FONT: Any = {
    "font.size": SIZE,
    "axes.titlesize": SIZE,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
}
"""Larger than in other figures, because this one is also read on a phone."""

THREADS = 2
"""A producer and its one consumer."""


def draw_costs(costs: pd.DataFrame, cores: int) -> Figure:
    """Draw time over one thread's on the left, cores kept busy on the right."""
    with plt.rc_context(FONT):
        figure, grid = new_figure(1, 2, 3.5, sharex=True)
        left, right = grid[0]
        left.set(xscale="log", yscale="log")
        handles = []
        for name in costs["name"].unique():
            rows, dash = costs[costs["name"] == name].sort_values("work_ns"), find_dash(costs, name)
            draw_line(left, rows, "ratio", dash)
            draw_line(right, rows, "cores", dash)
            look = STUDY.look(rows["mechanism"].iloc[0])._replace(marker="o")
            handles.append(marks.make_handle(look, name, dash, shared=True))
        left.axhline(1, color="black", lw=1.2, zorder=2)
        limit = min(cores, THREADS)
        right.axhline(limit, color="#777777", ls="--", lw=1, zorder=1)
        right.set_ylim(0, limit * 1.12)
        left.set_title("Time of an event ÷ one thread's")
        right.set_title("Cores kept busy")
        format_axes(left, right, costs)
        draw_legend(figure, handles)
        left.text(0.02, 0.02, "1 = one thread alone", transform=left.transAxes, fontsize=SMALL)
        words = "both threads busy" if limit == THREADS else "all cores"
        marks.label_level(right, limit, words, fontsize=SMALL - 1, color="#333333")
        figure.supxlabel("work of an event: its time on one thread", fontsize=SIZE)
    return figure


def draw_line(axes: Axes, rows: pd.DataFrame, quantity: str, dash: Any) -> None:
    """Draw a line, with its interval as a band and its sessions as rings."""
    look = STUDY.look(rows["mechanism"].iloc[0])
    line = rows[rows["session"] == EVERY]
    axes.plot(line["work_ns"], line[quantity], color=look.colour, lw=2.2, ls=dash, zorder=4)
    if quantity == "ratio":
        bounds = line["low"], line["high"]
        axes.fill_between(line["work_ns"], *bounds, color=look.colour, alpha=0.15, lw=0)
    single = rows[rows["session"] != EVERY]
    dots = single if single["session"].nunique() > 1 else line
    ring = {"marker": "o", "s": 26, "lw": 1.3, "zorder": 5}
    marks.draw_dots(axes, dots["work_ns"], dots[quantity], look, True, **ring)


def format_axes(left: Axes, right: Axes, costs: pd.DataFrame) -> None:
    """Set readable ticks, and mark the paper's three loads."""
    low, high = costs["work_ns"].min() / 1.6, costs["work_ns"].max() * 1.6
    left.set_xlim(low, high)
    middle = costs.loc[costs["session"] == EVERY, ["ratio", "low", "high"]].stack()
    middle = pd.concat([middle, costs["ratio"]])
    left.set_ylim(min(middle.min(), 0.8) / 1.35, max(middle.max(), 2) * 1.35)
    marks.format_time_axis(left.xaxis, 4)
    marks.format_log_axis(left.yaxis, 6)
    right.yaxis.set_major_locator(MaxNLocator(5))
    for axes in (left, right):
        axes.grid(visible=False, axis="x")
    loads = costs[costs["sorts"].isin(FREQUENCIES)].drop_duplicates("sorts")
    loads = loads.sort_values("work_ns")
    labels = [(np.log10(row.work_ns), pluralize(row.sorts, "sort")) for row in loads.itertuples()]
    inches = marks.measure_width(left) / np.log10(high / low)
    for place, words in marks.drop_crowded(labels, inches):
        at = 10**place
        for axes in (left, right):
            axes.axvline(at, color="#999999", lw=0.9, ls=":", zorder=1)
        aside, side = (3, "left") if at < high / 4 else (-3, "right")
        marks.label_place(left, at, words, aside, ha=side, fontsize=SMALL - 1, color="#555555")


def find_dash(costs: pd.DataFrame, name: str) -> Any:
    """Return the line by which a release differs from the others of its mechanism."""
    mechanism = costs.loc[costs["name"] == name, "mechanism"].iloc[0]
    alike = list(costs.loc[costs["mechanism"] == mechanism, "name"].unique())
    return DASHES[alike.index(name) % len(DASHES)]


def write_words(costs: pd.DataFrame, note: str, park: str = "") -> Words:
    """Return the figure's words; its title has the ratios at the cheapest and dearest events.

    `park` is the sentence of `park.describe_parks`.
    """
    sessions = costs["session"].nunique() - 1
    rings = f"rings: its {sessions} sessions; " if sessions > 1 else ""
    lines = select_lines(costs)
    names = join_words([STUDY.look(name).label for name in costs["mechanism"].unique()])
    caption = (
        f"One producer and one consumer: {names}. Line: all forks; {rings}band: 95 % interval."
        " Above 1, one thread alone is faster."
    )
    return Words(write_title(lines), f"{caption} {park}".strip(), write_alt(lines), note)


def write_title(lines: dict[str, pd.DataFrame]) -> str:
    """Return the message: ratios at both ends, or what is drawn where intervals are missing."""
    if any(line["low"].isna().any() or len(line) < 2 for line in lines.values()):
        return "Time of an event, and cores kept busy, against the work that an event brings"
    cheap = [f"{describe_end(line.iloc[0])} ({name})" for name, line in lines.items()]
    dear = max((line.iloc[-1] for line in lines.values()), key=lambda row: row["ratio"])
    most = f"at most {describe_end(dear)}" if dear["low"] > 1 else "none clearly longer"
    return f"Cheap events, over one thread's time: {join_words(cheap)}; expensive ones: {most}"


def describe_end(row: pd.Series) -> str:
    return format_times(row["ratio"], (row["low"], row["high"]))


def write_alt(lines: dict[str, pd.DataFrame]) -> str:
    """Return every point of the lines in words."""
    parts = [
        f"{name}: "
        + ", ".join(
            f"{format_brief(row.ratio)} at {marks.format_brief_ns(row.work_ns)}"
            f" ({row.cores:.1f} cores busy)"
            for row in line.itertuples()
        )
        for name, line in lines.items()
    ]
    return f"Time of an event over one thread's, by the work of an event: {'; '.join(parts)}."
