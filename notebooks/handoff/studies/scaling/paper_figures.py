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


MARKS = "Hollow on grey: oversubscribed, threads share cores. Sand: two NUMA nodes."


def describe_marks(forks: pd.DataFrame) -> str:
    """What grounds and lines of the figures mean, those that are in none of them left out."""
    striped = (forks["kinds"] > 1).any()
    crossed = (forks["caches"] > 1).any()
    return " ".join(
        [
            MARKS,
            *(["Striped: unlike kinds of core, not judged."] if striped else []),
            *(["Dotted line: from there on several last-level caches."] if crossed else []),
        ]
    )


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
    for row, quantity in zip(grid, (TIME, USAGE), strict=True):
        for axes, sorts in zip(row, FREQUENCIES, strict=True):
            draw_panel(axes, forks, quantity, sorts, cores)
    handles = {
        label: handle
        for axes in grid.flat
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="upper center",
        ncols=min(len(handles), 7),
        bbox_to_anchor=(0.5, 0.96),
    )
    figure.subplots_adjust(hspace=0.42, wspace=0.2, top=0.9)
    draw_note(figure, 0.125, 0.02, note, size=8)
    return figure
