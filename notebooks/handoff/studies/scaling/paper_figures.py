"""Figures 3 to 8 of the paper: time and CPU usage by consumers, at three loads; time ratios."""

import textwrap

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.analysis import baseline
from handoff.draw.marks import format_log_axis, write_near
from handoff.draw.page import collect_handles, draw_legend, new_figure
from handoff.studies.scaling import CONSUMERS, FREQUENCIES, STUDY
from handoff.studies.scaling.numbers import tabulate_ratios
from handoff.studies.scaling.paper_panel import (
    CLAIMS,
    FIGURES,
    PAPER_EVENTS,
    TIME,
    USAGE,
    draw_panel,
    list_series,
    shade_background,
)
from handoff.text import pluralize


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks under the choices that we take for the paper's, with `seconds_40m`.

    Of several numbers of events, the largest at each load is kept. `analysis.baseline` says which
    value stands in for a choice that the run does not have.
    """
    kept = baseline.select_baseline(forks, STUDY.name, ("consumers", "sorts"))
    kept = kept[kept["events"] == kept.groupby("sorts")["events"].transform("max")]
    return kept.assign(**{TIME: kept["ns_per_event"] * PAPER_EVENTS / 1e9})


def describe_events(forks: pd.DataFrame) -> str:
    """Return how many events were really handed over, in a sentence."""
    events = ", ".join(
        f"{rows['events'].iloc[0]:,} events at {pluralize(sorts, 'sort')}"
        for sorts, rows in forks.groupby("sorts")
    )
    return f"Measured: {events}."


def describe_marks(forks: pd.DataFrame) -> str:
    """Return the meaning of the backgrounds, lines and marks that the figures have."""
    handed = forks[forks["mechanism"] != STUDY.sequential]
    caches = (handed["caches"] > 1) & ~(handed["sockets"] > 1)
    sentences = {
        "Hollow, on grey: threads share cores, and no line joins them.": handed["oversubscribed"],
        "Striped: unlike kinds of core, not judged.": handed["kinds"] > 1,
        "Dotted line: from there on several last-level caches.": caches,
    }
    return " ".join(sentence for sentence, shown in sentences.items() if shown.any())


PAGE_INCHES, FLAT_INCHES = 8.2, 4.6
"""Heights of a page of six panels: with an axis of consumers, and with columns of dots."""


def draw_figure(forks: pd.DataFrame, quantity: str, sorts: int, cores: int) -> Figure:
    """Draw one of figures 3 to 8."""
    figure, grid = new_figure(height=3.4 if shows_axis(forks) else 2.7)
    draw_panel(grid[0][0], forks, quantity, sorts, cores)
    if shows_axis(forks):
        write_claim(grid[0][0], forks, FIGURES[quantity, sorts], 2)
        draw_legend(figure, collect_handles(grid))
    return figure


def draw_page(forks: pd.DataFrame, cores: int) -> Figure:
    """Draw all six on one page: one row per load with an axis of consumers, else per quantity."""
    wide = shows_axis(forks)
    figure, grid = new_figure(*((3, 2, PAGE_INCHES) if wide else (2, 3, FLAT_INCHES)))
    for row, quantity in zip(grid.T if wide else grid, (TIME, USAGE), strict=True):
        for axes, sorts in zip(row, FREQUENCIES, strict=True):
            draw_panel(axes, forks, quantity, sorts, cores)
            if wide:
                write_claim(axes, forks, FIGURES[quantity, sorts])
    if wide:
        draw_legend(figure, collect_handles(grid))
    else:
        for axes in grid[:, 1:].flat:
            axes.set_ylabel("")
    return figure


def shows_axis(forks: pd.DataFrame) -> bool:
    return forks.loc[forks["mechanism"] != STUDY.sequential, "consumers"].nunique() > 1


LINE_CHARACTERS = 48
"""Characters of a published sentence that fit below a panel of half a page's width."""


def write_claim(axes: Axes, forks: pd.DataFrame, number: int, wide: int = 1) -> None:
    """Write below a panel of judged points what the paper says of it."""
    if forks["oversubscribed"].any():
        return
    words = textwrap.fill(CLAIMS[number], LINE_CHARACTERS * wide)
    below = (0, -3.9 * plt.rcParams["font.size"])
    style = {"xycoords": "axes fraction", "style": "italic", "color": "#444444", "va": "top"}
    write_near(axes, words, (0, 0), below, **style)


IDEAL = "one thread's work shared evenly"


def draw_ratios(forks: pd.DataFrame) -> Figure:
    """Draw one panel per load; a hand-over pays below 1, which is one thread alone.

    On the logarithmic axis, a gain and a loss of the same size look the same.
    """
    ratios = tabulate_ratios(forks)
    loads = [sorts for sorts in FREQUENCIES if sorts in set(ratios["sorts"])]
    figure, grid = new_figure(1, len(loads), 3.0, sharey=True)
    most = int(ratios["consumers"].max())
    for axes, sorts in zip(grid[0], loads, strict=True):
        rows = ratios[ratios["sorts"] == sorts]
        ticks = range(1, most + 1)
        axes.set(yscale="log", xlabel=CONSUMERS, xlim=(0.5, most + 0.5), xticks=ticks)
        axes.set_title(f"{FREQUENCIES[sorts]} frequency\n{pluralize(sorts, 'sort')} per event")
        shade_background(axes, forks[~forks["oversubscribed"] & (forks["sorts"] == sorts)])
        axes.axhline(1, color="black", lw=1.2, zorder=2)
        axes.plot(ticks, [1 / n for n in ticks], color="#777777", ls=":", lw=1, label=IDEAL)
        for mechanism in list_series(rows):
            draw_ratio_line(axes, rows[rows["mechanism"] == mechanism])
    grid[0][0].set_ylabel("time ÷ one thread's")
    format_log_axis(grid[0][0].yaxis)
    draw_legend(figure, collect_handles(grid))
    return figure


def draw_ratio_line(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw a mechanism's ratios as a line, with their intervals as bars."""
    look = STUDY.look(rows["mechanism"].iloc[0])
    style = {"color": look.colour, "ls": look.line, "marker": look.marker, "ms": 3.5}
    axes.plot(rows["consumers"], rows["ratio"], zorder=3, label=look.label, **style)
    axes.vlines(rows["consumers"], rows["low"], rows["high"], color=look.colour, lw=1.3, zorder=2)
