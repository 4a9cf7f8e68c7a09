"""Figures 3 to 8 of the paper: execution time and CPU usage against consumers, at high, medium and
low frequency.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.baseline import find_baseline, mask_irrelevant
from handoff.draw.note import draw_note
from handoff.studies.scaling import FREQUENCIES
from handoff.studies.scaling.paper_panel import PAPER_EVENTS, TIME, USAGE, draw_panel
from handoff.text import pluralize


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """The forks under the choices that we hold for the paper's, with `seconds_40m`; of several
    numbers of events the largest.

    Where the run has none of a choice, its only or greatest value stands in: see
    `analysis.baseline`.
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
"""What the figures vary."""


def describe_events(forks: pd.DataFrame) -> str:
    """How many events were really handed over."""
    events = ", ".join(
        f"{rows['events'].iloc[0]:,} events at {pluralize(sorts, 'sort')}"
        for sorts, rows in forks.groupby("sorts")
    )
    return f"Measured: {events}."


def describe_marks(forks: pd.DataFrame) -> str:
    """What grounds, lines and marks of the figures mean, those that are in none left out."""
    handed = forks[forks["mechanism"] != "SEQUENTIAL"]
    told = {
        "Hollow, dotted, on grey: threads share cores.": handed["oversubscribed"].any(),
        "Sand: two NUMA nodes.": (handed["nodes"] > 1).any(),
        "Striped: unlike kinds of core, not judged.": (handed["kinds"] > 1).any(),
        "Dotted line: from there on several last-level caches.": (handed["caches"] > 1).any(),
    }
    return " ".join(sentence for sentence, there in told.items() if there)


def draw_figure(forks: pd.DataFrame, quantity: str, sorts: int, cores: int, note: str) -> Figure:
    """One of figures 3 to 8."""
    figure, axes = plt.subplots()
    draw_panel(axes, forks, quantity, sorts, cores)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1))
    draw_note(axes, 0, -0.26, note)
    return figure


def draw_page(forks: pd.DataFrame, cores: int, note: str) -> Figure:
    """All six on one page, in the paper's order: times above, CPU usages below."""
    figure, grid = plt.subplots(2, 3, figsize=(16, 10.5))
    fill_page(grid, forks, cores)
    draw_legend(figure, grid, columns=7, top=0.96)
    figure.subplots_adjust(hspace=0.42, wspace=0.2, top=0.9)
    draw_note(figure, 0.125, 0.02, note, size=8)
    return figure


PRINTED = {
    "font.size": 7.5,
    "axes.titlesize": 8,
    "axes.labelsize": 7.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7.5,
    "lines.markersize": 4,
}
PRINTED_INCHES = (6.6, 8.6)
"""The width of a page's text, so that type is as large in print as it says."""


def draw_printed_page(forks: pd.DataFrame, cores: int) -> Figure:
    """The same for a printed page: a row a load, time beside CPU usage."""
    with plt.rc_context(PRINTED):
        figure, grid = plt.subplots(3, 2, figsize=PRINTED_INCHES)
        fill_page(grid.T, forks, cores)
        draw_legend(figure, grid, columns=3, top=0.98)
        figure.subplots_adjust(hspace=0.55, wspace=0.22, top=0.9, bottom=0.07)
    return figure


def fill_page(grid: np.ndarray, forks: pd.DataFrame, cores: int) -> None:
    """Times in the first row of axes, CPU usages in the second."""
    for row, quantity in zip(grid, (TIME, USAGE), strict=True):
        for axes, sorts in zip(row, FREQUENCIES, strict=True):
            draw_panel(axes, forks, quantity, sorts, cores)


def draw_legend(figure: Figure, grid: np.ndarray, columns: int, top: float) -> None:
    """One above all panels, each name once."""
    handles = {
        label: handle
        for axes in grid.flat
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="upper center",
        ncols=min(len(handles), columns),
        bbox_to_anchor=(0.5, top),
    )
