"""Figure of the load sweep: the hand-over's share shrinks as the work per event grows."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.analysis.forks import compare_times
from handoff.draw import marks
from handoff.draw.page import collect_handles, draw_legend, draw_note, hide_rest, new_figure
from handoff.studies.scaling import STUDY
from handoff.studies.scaling.numbers import average_alone
from handoff.text import pluralize

MIN_LOADS = 4
MOST_COLUMNS = 2
QUEUE = "ARRAY_BLOCKING_QUEUE"
PAPER_SORTS = (1, 15, 300)


def has_loads(forks: pd.DataFrame) -> bool:
    """Return whether the forks have enough loads to draw."""
    return not forks.empty and compute_ratios(forks)["sorts"].nunique() >= MIN_LOADS


def compute_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """Return queue over Disruptor for every load, number of consumers and Disruptor.

    `work_ns` is sequential ns per event; `low` and `high` are the 95 % interval, or missing.
    """
    work = average_alone(forks)
    rows = []
    for (mechanism, consumers, sorts), group in forks.groupby(["mechanism", "consumers", "sorts"]):
        queue = forks[
            (forks["mechanism"] == QUEUE)
            & (forks["consumers"] == consumers)
            & (forks["sorts"] == sorts)
        ]
        if mechanism.startswith("DISRUPTOR") and len(queue) and sorts in work:
            rows.append([mechanism, consumers, sorts, work[sorts], *compare_times(queue, group)])
    return pd.DataFrame(
        rows,
        columns=[
            "mechanism",
            "consumers",
            "sorts",
            "work_ns",
            "ratio",
            "low",
            "high",
            "oversubscribed",
        ],
    )


def draw_load(forks: pd.DataFrame, note: str) -> Figure:
    """Draw queue over Disruptor by measured work per event, one panel per number of consumers."""
    table = compute_ratios(forks)
    panels = sorted(table["consumers"].unique())
    columns = min(len(panels), MOST_COLUMNS)
    deep = -(-len(panels) // columns)
    figure, grid = new_figure(deep, columns, 2.3 * deep + 0.6, sharex=True, sharey=True)
    for axes, consumers in zip(grid.flat, panels, strict=False):
        rows = table[table["consumers"] == consumers]
        shared = " (oversubscribed)" if rows["oversubscribed"].any() else ""
        axes.set(
            title=f"{pluralize(consumers, 'consumer')}{shared}",
            xscale="log",
            yscale="log",
        )
        if shared:
            axes.set_facecolor(marks.OVERSUBSCRIBED_GROUND)
        for mechanism, line in rows.groupby("mechanism"):
            draw_line(axes, mechanism, line)
        mark_loads(axes, rows)
        axes.axhline(1, color="black", lw=0.8)
    hide_rest(grid, len(panels))
    marks.format_time_axis(grid[0][0].xaxis)
    marks.format_log_axis(grid[0][0].yaxis)
    figure.supxlabel("work of an event on one thread", fontsize=8)
    figure.supylabel("time of standard / time of disruptor", fontsize=8)
    draw_legend(figure, collect_handles(grid))
    draw_note(figure, note)
    return figure


def draw_line(axes: Axes, mechanism: str, line: pd.DataFrame) -> None:
    look = STUDY.look(mechanism)
    shared = bool(line["oversubscribed"].any())
    fill = "white" if shared else look.colour
    axes.plot(
        line["work_ns"],
        line["ratio"],
        color=look.colour,
        ls=(0, (1, 3)) if shared else look.line,
        lw=0.8 if shared else None,
        marker=look.marker,
        mfc=fill,
        label=look.label,
    )
    sure = line.dropna(subset=["low", "high"])
    axes.fill_between(
        sure["work_ns"],
        sure["low"].astype(float),
        sure["high"].astype(float),
        color=look.colour,
        alpha=0.2,
        lw=0,
    )


def mark_loads(axes: Axes, rows: pd.DataFrame) -> None:
    """Mark the paper's three loads by their work on this machine."""
    for sorts in PAPER_SORTS:
        at = rows.loc[rows["sorts"] == sorts, "work_ns"]
        if len(at):
            axes.axvline(at.iloc[0], color="#999999", lw=0.8, ls=":")
            axes.text(
                at.iloc[0],
                0.01,
                f" {pluralize(sorts, 'sort')}",
                transform=axes.get_xaxis_transform(),
                fontsize=7,
                color="#555555",
            )
