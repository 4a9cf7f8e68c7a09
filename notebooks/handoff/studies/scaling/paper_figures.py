"""Figures 3 to 8 of the paper: time and CPU usage by consumers, at three loads; time ratios."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.analysis.baseline import find_baseline, mask_irrelevant
from handoff.draw.marks import format_log_axis
from handoff.draw.page import collect_handles, draw_legend, draw_note, new_figure
from handoff.studies.scaling import CONSUMERS, FREQUENCIES, STUDY
from handoff.studies.scaling.estimate import POOL, tabulate_estimates
from handoff.studies.scaling.numbers import average_alone
from handoff.studies.scaling.paper_panel import (
    PAPER_EVENTS,
    RATIO,
    TIME,
    USAGE,
    draw_panel,
    draw_series,
    shade_background,
)
from handoff.text import pluralize


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks under the choices that we take for the paper's, with `seconds_40m`.

    Of several numbers of events, the largest is kept. `analysis.baseline` says which value stands
    in for a choice that the run does not have.
    """
    rows = mask_irrelevant(forks, "scaling")
    standing = {
        name: value for name, value in find_baseline(rows, "scaling").items() if name not in VARIED
    }
    kept = forks[
        np.logical_and.reduce(
            [rows[name].isna() | (rows[name] == value) for name, value in standing.items()]
        )
    ]
    kept = kept[kept["events"] == kept.groupby("sorts")["events"].transform("max")]
    return kept.assign(**{TIME: kept["ns_per_event"] * PAPER_EVENTS / 1e9})


VARIED = ("consumers", "sorts")
"""Parameters that the figures vary."""


def describe_events(forks: pd.DataFrame) -> str:
    """Return how many events were really handed over, in a sentence."""
    events = ", ".join(
        f"{rows['events'].iloc[0]:,} events at {pluralize(sorts, 'sort')}"
        for sorts, rows in forks.groupby("sorts")
    )
    return f"Measured: {events}."


def describe_marks(forks: pd.DataFrame) -> str:
    """Return the meaning of the backgrounds, lines and marks that the figures have."""
    handed = forks[forks["mechanism"] != "SEQUENTIAL"]
    sentences = {
        "Hollow, on grey: threads share cores, and no line joins them.": handed[
            "oversubscribed"
        ].any(),
        "Sand: two sockets.": (handed["sockets"] > 1).any(),
        "Striped: unlike kinds of core, not judged.": (handed["kinds"] > 1).any(),
        "Dotted line: from there on several last-level caches.": (handed["caches"] > 1).any(),
    }
    return " ".join(sentence for sentence, shown in sentences.items() if shown)


def draw_figure(forks: pd.DataFrame, quantity: str, sorts: int, cores: int, note: str) -> Figure:
    """Draw one of figures 3 to 8."""
    figure, grid = new_figure(height=3.4)
    draw_panel(grid[0][0], forks, quantity, sorts, cores)
    draw_legend(figure, collect_handles(grid))
    draw_note(figure, note)
    return figure


PAGE_INCHES = 8.4
"""Height of a page's text, less a caption."""


def draw_page(forks: pd.DataFrame, cores: int, note: str) -> Figure:
    """Draw all six on one page: one row per load, time next to CPU usage."""
    figure, grid = new_figure(3, 2, PAGE_INCHES)
    fill_page(grid.T, forks, cores)
    draw_legend(figure, collect_handles(grid))
    draw_note(figure, note)
    return figure


def fill_page(grid: np.ndarray, forks: pd.DataFrame, cores: int) -> None:
    """Draw times in the first row of axes, CPU usages in the second."""
    for row, quantity in zip(grid, (TIME, USAGE), strict=True):
        for axes, sorts in zip(row, FREQUENCIES, strict=True):
            draw_panel(axes, forks, quantity, sorts, cores)


BARS = "bar: 95 % interval, over one thread's level"
ESTIMATE = "estimate from hops: disruptor (pool), a core per thread"


def compute_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks with a hand-over, with their time over one thread's mean at that load.

    Loads without such a mean are left out.
    """
    alone = average_alone(forks)
    handed = forks[(forks["mechanism"] != STUDY.sequential) & forks["sorts"].isin(alone.index)]
    return handed.assign(**{RATIO: handed["ns_per_event"] / handed["sorts"].map(alone)})


def has_ratios(forks: pd.DataFrame) -> bool:
    return bool(compute_ratios(forks)["sorts"].isin(FREQUENCIES).any())


def draw_ratios(forks: pd.DataFrame, note: str) -> Figure:
    """Draw one panel per load; a hand-over pays below 1, which is one thread alone.

    On the logarithmic axis, a gain and a loss of the same size look the same.
    """
    ratios = compute_ratios(forks)
    estimates, alone = tabulate_estimates(forks), average_alone(forks)
    loads = [sorts for sorts in FREQUENCIES if sorts in set(ratios["sorts"])]
    figure, grid = new_figure(1, len(loads), 3.0, sharey=True)
    for axes, sorts in zip(grid[0], loads, strict=True):
        rows = ratios[ratios["sorts"] == sorts]
        axes.set(yscale="log", xlabel=CONSUMERS, xlim=(0.5, 11.5), xticks=range(1, 12))
        axes.set_title(f"{FREQUENCIES[sorts]} frequency\n{pluralize(sorts, 'sort')} per event")
        shade_background(axes, rows)
        axes.axhline(1, color="black", lw=1.2, zorder=2)
        mechanisms = sorted(rows["mechanism"].unique())
        for place, mechanism in enumerate(mechanisms):
            aside = 0.16 * (place - (len(mechanisms) - 1) / 2)
            draw_series(axes, rows[rows["mechanism"] == mechanism], RATIO, aside)
        draw_estimate(axes, estimates[estimates["sorts"] == sorts], alone[sorts])
    grid[0][0].set_ylabel("time over one thread's alone")
    format_log_axis(grid[0][0].yaxis)
    draw_legend(figure, collect_handles(grid))
    draw_note(figure, note)
    return figure


def draw_estimate(axes: Axes, estimates: pd.DataFrame, alone: float) -> None:
    """Draw the pool's estimate as a thin dashed line, if the run has timed hops."""
    pool = estimates[estimates["mechanism"] == POOL]
    if len(pool):
        axes.plot(
            pool["consumers"],
            pool["estimate"] / alone,
            color=STUDY.look(POOL).colour,
            ls=(0, (3, 2)),
            lw=0.7,
            label=ESTIMATE,
            zorder=2,
        )
