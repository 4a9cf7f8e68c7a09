"""First picture: what handing over costs, and the cores it keeps busy, by the work of an event."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from handoff.draw import marks
from handoff.draw.page import new_figure
from handoff.draw.words import Words, compare_times, format_brief, format_times, includes_one
from handoff.studies.scaling import FREQUENCIES, STUDY
from handoff.studies.scaling.numbers import average_alone, tabulate_ratios
from handoff.text import pluralize

QUEUE, POOL, STRIPED = "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED"
NAMES = {QUEUE: "blocking queue", POOL: "Disruptor", STRIPED: "Disruptor"}
SIZE, SMALL = 11, 10
FONT: Any = {
    "font.size": SIZE,
    "axes.titlesize": SIZE,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
}
"""Larger than in other figures, because this one is also read on a phone."""

THREADS = 2
"""A producer and its one consumer."""

EVERY = 0
"""Session number of the rows about all sessions together."""


def tabulate_costs(forks: pd.DataFrame) -> pd.DataFrame:
    """Return time over one thread's and cores kept busy by one consumer, per load and session.

    The columns are those of `tabulate_ratios`; `session` 0 stands for all sessions together.
    """
    if forks.empty:
        return tabulate_ratios(forks).assign(session=EVERY)
    some = forks[(forks["mechanism"] == STUDY.sequential) | (forks["consumers"] == 1)]
    sessions = some.groupby("session") if "session" in some else ()
    groups = ((EVERY, some), *sessions)
    parts = [tabulate_ratios(rows).assign(session=session) for session, rows in groups]
    table = pd.concat([part for part in parts if len(part)] or parts[:1])
    return table.assign(work_ns=table["sorts"].map(average_alone(forks)))


def choose_mechanisms(costs: pd.DataFrame) -> list[str]:
    """Return the queue, and one Disruptor: the pool, or without it the striped handlers."""
    known = set(costs["mechanism"])
    return [QUEUE] * (QUEUE in known) + [n for n in (POOL, STRIPED) if n in known][:1]


def select_lines(costs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the points of all sessions together by mechanism, those with the least work first."""
    every = costs[costs["session"] == EVERY].sort_values("work_ns")
    return {name: every[every["mechanism"] == name] for name in choose_mechanisms(costs)}


def draw_costs(costs: pd.DataFrame, cores: int) -> Figure:
    """Draw time over one thread's on the left, cores kept busy on the right."""
    with plt.rc_context(FONT):
        figure, grid = new_figure(1, 2, 3.5, sharex=True)
        left, right = grid[0]
        left.set(xscale="log", yscale="log")
        for mechanism in choose_mechanisms(costs):
            rows = costs[costs["mechanism"] == mechanism].sort_values("work_ns")
            draw_line(left, rows, "ratio")
            draw_line(right, rows, "cores")
        left.axhline(1, color="black", lw=1.2, zorder=2)
        limit = min(cores, THREADS)
        right.axhline(limit, color="#777777", ls="--", lw=1, zorder=1)
        right.set_ylim(0, limit * 1.12)
        left.set_title("Time of an event ÷ one thread's")
        right.set_title("Cores kept busy")
        format_axes(left, right, costs)
        label_lines(left, costs, "ratio")
        label_lines(right, costs, "cores")
        left.text(0.02, 0.02, "1 = one thread alone", transform=left.transAxes, fontsize=SMALL)
        words = "both threads busy" if limit == THREADS else "all cores"
        marks.label_level(right, limit, words, fontsize=SMALL - 1, color="#333333")
        figure.supxlabel("work of an event: its time on one thread", fontsize=SIZE)
    return figure


def draw_line(axes: Axes, rows: pd.DataFrame, quantity: str) -> None:
    """Draw a mechanism's line, with its interval as a band and its sessions as rings."""
    look = STUDY.look(rows["mechanism"].iloc[0])
    line = rows[rows["session"] == EVERY]
    axes.plot(line["work_ns"], line[quantity], color=look.colour, lw=2.2, zorder=4)
    if quantity == "ratio":
        bounds = line["low"], line["high"]
        axes.fill_between(line["work_ns"], *bounds, color=look.colour, alpha=0.15, lw=0)
    single = rows[rows["session"] != EVERY]
    dots = single if single["session"].nunique() > 1 else line
    ring = {"marker": "o", "s": 26, "lw": 1.3, "zorder": 5}
    marks.draw_dots(axes, dots["work_ns"], dots[quantity], look, True, **ring)


def format_axes(left: Axes, right: Axes, costs: pd.DataFrame) -> None:
    """Set readable ticks, and mark the paper's three loads."""
    low, high = costs["work_ns"].min(), costs["work_ns"].max()
    left.set_xlim(low / 1.6, high * 1.6)
    middle = costs.loc[costs["session"] == EVERY, ["ratio", "low", "high"]].stack()
    left.set_ylim(min(middle.min(), 0.8) / 1.35, max(middle.max(), 2) * 1.2)
    marks.format_time_axis(left.xaxis, 4)
    marks.format_log_axis(left.yaxis, 6)
    right.yaxis.set_major_locator(MaxNLocator(5))
    for axes in (left, right):
        axes.grid(visible=False, axis="x")
    loads = costs[costs["sorts"].isin(FREQUENCIES)].drop_duplicates("sorts")
    for sorts, at in zip(loads["sorts"], loads["work_ns"], strict=True):
        for axes in (left, right):
            axes.axvline(at, color="#999999", lw=0.9, ls=":", zorder=1)
        aside, side = (3, "left") if at < high / 2 else (-3, "right")
        words = pluralize(sorts, "sort")
        marks.label_place(left, at, words, aside, ha=side, fontsize=SMALL - 1, color="#555555")


def label_lines(axes: Axes, costs: pd.DataFrame, quantity: str) -> None:
    """Write each mechanism's name at its line: above the upper one, below the lower one."""
    lines = select_lines(costs)
    upper = max(lines, key=lambda name: lines[name][quantity].iloc[:2].mean())
    for name, line in lines.items():
        points = line[["work_ns", quantity]]
        style: dict[str, Any] = {"color": STUDY.look(name).colour, "weight": "bold"}
        if name == upper:
            ends, offset, style = points.iloc[:2], (8, 6), style | {"ha": "left", "va": "bottom"}
        else:
            ends, offset, style = points, (0, -19), style | {"ha": "center", "va": "top"}
        at = np.exp(np.log(ends).mean())
        marks.write_near(axes, NAMES[name], at, offset, fontsize=SIZE + 1, **style)


def write_words(costs: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; its title has the ratios at the cheapest and dearest events."""
    sessions = costs["session"].nunique() - 1
    rings = f"rings: its {sessions} sessions, hours apart; " if sessions > 1 else ""
    lines = select_lines(costs)
    design = "worker pool" if POOL in lines else "striped handlers"
    band = "" if costs["low"].isna().all() else "band: 95 % interval; "
    caption = (
        f"One producer and 1 consumer; Disruptor: {design}. Line: all forks; {rings}{band}dotted:"
        " the study's three loads. Above 1, one thread alone is faster."
    )
    if all(line["ratio"].iloc[-1] < line["ratio"].iloc[0] for line in lines.values()):
        caption += " The more work an event brings, the less the hand-over matters."
    return Words(write_title(lines), caption, write_alt(lines), note)


def write_title(lines: dict[str, pd.DataFrame]) -> str:
    """Return the message: ratios at both ends, or what is drawn where intervals are missing."""
    if any(line["low"].isna().any() or len(line) < 2 for line in lines.values()):
        return "Time of an event, and cores kept busy, against the work that an event brings"
    first, *others = [
        (NAMES[name], [(r["ratio"], (r["low"], r["high"])) for r in (line.iloc[0], line.iloc[-1])])
        for name, line in lines.items()
    ]
    name, (cheap, expensive) = first
    dear = format_times(*expensive)
    if includes_one(cheap[1]):
        dear = f"it {compare_times(*expensive)} it"
    return (
        f"With cheap events the {name} {compare_times(*cheap)} one thread, with expensive"
        f" ones {dear}" + "".join(f"; the {name} {describe_ends(*ends)}" for name, ends in others)
    )


End = tuple[float, tuple[float, float]]
"""A ratio and its interval."""


def describe_ends(cheap: End, expensive: End) -> str:
    if includes_one(cheap[1]) and includes_one(expensive[1]):
        return "does not clearly differ from it"
    one, other = (
        compare_times(*end).removesuffix(" as").removesuffix(" from") for end in (cheap, expensive)
    )
    if includes_one(expensive[1]):
        return f"{one} with cheap ones, not clearly with expensive ones"
    return f"{one} with cheap ones and {other} with expensive ones"


def write_alt(lines: dict[str, pd.DataFrame]) -> str:
    """Return every point of the lines in words."""
    parts = [
        f"{NAMES[name]} "
        + ", ".join(
            f"{format_brief(row.ratio)} at {marks.format_brief_ns(row.work_ns)}"
            f" ({row.cores:.1f} cores busy)"
            for row in line.itertuples()
        )
        for name, line in lines.items()
    ]
    return f"Time of an event over one thread's, by the work of an event: {'; '.join(parts)}."
