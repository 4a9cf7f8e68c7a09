"""Speed-up and parallel efficiency, of points whose threads have a core each and of no others: the
time of one consumer over that of several, whole and for each consumer.
"""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.analysis.forks import compare_times
from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, new_figure
from handoff.studies.scaling import CONSUMERS, FREQUENCIES, STUDY
from handoff.text import pluralize

SPEED_UP, EFFICIENCY = "speed-up", "efficiency"
AXES = {SPEED_UP: "time of one consumer / of n", EFFICIENCY: "the same, for each consumer"}
COLUMNS = ["mechanism", "sorts", "consumers", SPEED_UP, "low", "high"]


def compute_speedups(forks: pd.DataFrame) -> pd.DataFrame:
    """Time of one consumer over that of several with its 95 % Welch interval, by mechanism and
    load; nothing where threads share cores, or where one consumer alone has cores for it.
    """
    own = forks[(forks["mechanism"] != STUDY.sequential) & ~forks["oversubscribed"]]
    rows = []
    for (mechanism, sorts), group in own.groupby(["mechanism", "sorts"]):
        one = group[group["consumers"] == 1]
        counts = sorted(set(group["consumers"]) - {1})
        if one.empty or not counts:
            continue
        rows.append([mechanism, sorts, 1, 1.0, None, None])
        for count in counts:
            middle, low, high, _ = compare_times(one, group[group["consumers"] == count])
            rows.append([mechanism, sorts, count, middle, low, high])
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.assign(**{EFFICIENCY: table[SPEED_UP] / table["consumers"]})


def draw_speedups(table: pd.DataFrame, note: str) -> Figure:
    """A column a load; dashed: as many consumers, as many times as fast."""
    loads = [sorts for sorts in FREQUENCIES if sorts in set(table["sorts"])]
    figure, grid = new_figure(2, len(loads), 4.4, sharex=True, sharey="row")
    most = int(table["consumers"].max())
    for row, quantity in zip(grid, (SPEED_UP, EFFICIENCY), strict=True):
        for axes, sorts in zip(row, loads, strict=True):
            best = (1, most) if quantity == SPEED_UP else (1, 1)
            axes.plot((1, most), best, color="#777777", ls="--", lw=0.9)
            draw_lines(axes, table[table["sorts"] == sorts], quantity)
            axes.set(xticks=range(1, most + 1), ylim=(0, None))
        row[0].set_ylabel(f"{quantity}:\n{AXES[quantity]}")
    for axes, sorts in zip(grid[0], loads, strict=True):
        axes.set_title(f"{FREQUENCIES[sorts]} frequency\n{pluralize(sorts, 'sort')} an event")
    for axes in grid[1]:
        axes.set_xlabel(CONSUMERS)
    looks = [STUDY.look(name) for name in sorted(table["mechanism"].unique())]
    ideal = Line2D([], [], color="#777777", ls="--", label="n consumers, n times as fast")
    draw_legend(figure, [*(marks.make_handle(seen, line=seen.line) for seen in looks), ideal])
    draw_note(figure, note)
    return figure


def draw_lines(axes: Axes, rows: pd.DataFrame, quantity: str) -> None:
    """Means with their intervals; an interval of the efficiency is the speed-up's, shared out."""
    for mechanism, own in rows.groupby("mechanism"):
        seen = STUDY.look(mechanism)
        axes.plot(
            own["consumers"],
            own[quantity],
            color=seen.colour,
            ls=seen.line,
            marker=seen.marker,
            lw=1.1,
            zorder=3,
        )
        share = own["consumers"] if quantity == EFFICIENCY else 1
        low, high = (own[name].astype(float) / share for name in ("low", "high"))
        axes.vlines(own["consumers"], low, high, color=seen.colour, lw=1.4, zorder=2)
