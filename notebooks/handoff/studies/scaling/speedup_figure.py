"""Figure of speed-up and parallel efficiency, for points whose threads have a core each.

The speed-up is the time of one consumer over that of several; the efficiency divides it by their
number.
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
AXES = {SPEED_UP: "time of one consumer / of n", EFFICIENCY: "speed-up per consumer"}
COLUMNS = ["mechanism", "sorts", "consumers", SPEED_UP, "low", "high"]


def compute_speedups(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the time of one consumer over that of several, with its 95 % interval.

    A mechanism and load need a core for each thread with one consumer and with more.
    """
    handed = forks[(forks["mechanism"] != STUDY.sequential) & ~forks["oversubscribed"]]
    rows = []
    for (mechanism, sorts), group in handed.groupby(["mechanism", "sorts"]):
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
    """Draw one column per load; the dashed line is n times as fast with n consumers."""
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
        axes.set_title(f"{FREQUENCIES[sorts]} frequency\n{pluralize(sorts, 'sort')} per event")
    for axes in grid[1]:
        axes.set_xlabel(CONSUMERS)
    looks = [STUDY.look(name) for name in sorted(table["mechanism"].unique())]
    ideal = Line2D([], [], color="#777777", ls="--", label="n consumers, n times as fast")
    draw_legend(figure, [*(marks.make_handle(look, line=look.line) for look in looks), ideal])
    draw_note(figure, note)
    return figure


def draw_lines(axes: Axes, rows: pd.DataFrame, quantity: str) -> None:
    """Draw means and intervals; the efficiency's are the speed-up's divided by consumers."""
    for mechanism, line in rows.groupby("mechanism"):
        look = STUDY.look(mechanism)
        axes.plot(
            line["consumers"],
            line[quantity],
            color=look.colour,
            ls=look.line,
            marker=look.marker,
            lw=1.1,
            zorder=3,
        )
        share = line["consumers"] if quantity == EFFICIENCY else 1
        low, high = (line[name].astype(float) / share for name in ("low", "high"))
        axes.vlines(line["consumers"], low, high, color=look.colour, lw=1.4, zorder=2)
