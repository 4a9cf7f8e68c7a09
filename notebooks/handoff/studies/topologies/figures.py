"""Figures of the five wirings: the Disruptor's throughput over the queue's beside the published
ones, and all throughputs here.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import marks
from handoff.draw.note import draw_note
from handoff.draw.study_figures import StudyFigures
from handoff.run.store import Run
from handoff.studies.topologies import STUDY
from handoff.studies.topologies.numbers import (
    ACCOUNTINGS,
    DISRUPTORS,
    QUEUE,
    TOPOLOGIES,
    compute_ratios_to_queue,
    load_published,
    select_baseline,
    select_point,
)

MARKS = {
    ("Core i7-860", "DISRUPTOR_1"): ("s", 0.34),
    ("Core i7-2720QM", "DISRUPTOR_1"): ("o", 0.27),
    ("EPYC 9374F", "DISRUPTOR_3"): ("v", 0.2),
    ("EPYC 9374F", "DISRUPTOR_4"): ("P", 0.13),
}
"""The published machines and releases, and how far left of the wiring's middle they stand."""


class TopologiesFigures(StudyFigures):
    """`baseline`: the forks under the published choices, in both accountings; a Disruptor's stand
    for both.
    """

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "topologies")
        self.baseline = self.forks if self.forks.empty else select_baseline(self.forks)

    def ratios(self) -> Figure | None:
        """Disruptor ÷ queue, published beside ours; None where the run has no such pair."""
        if compute_ratios_to_queue(self.baseline).empty:
            return None
        figure = draw_ratios(
            self.baseline,
            self.note(
                "topologies-ratios", self.baseline, CAPTION, band="bars: 95 % Welch interval"
            ),
        )
        return self.save(figure, "topologies-ratios")

    def throughput(self) -> Figure | None:
        """Events a second of every fork; None without forks."""
        if self.baseline.empty:
            return None
        figure = draw_throughput(self.baseline, self.note("topologies-throughput", self.baseline))
        return self.save(figure, "topologies-throughput")


CAPTION = "Black and hollow: published. Coloured: ratio of our forks' geometric means."


def draw_ratios(forks: pd.DataFrame, note: str) -> Figure:
    """A panel an accounting: ratios by topology, ours coloured, published black."""
    table = compute_ratios_to_queue(forks)
    figure, grid = plt.subplots(1, 2, figsize=(11, 4.4), sharey=True)
    for axes, (accounting, words) in zip(grid, ACCOUNTINGS.items(), strict=True):
        draw_columns(axes, table[table["accounting"] == accounting])
        axes.set(title=words, yscale="log")
    for row in load_published().itertuples():
        marker, aside = MARKS[row.machine, row.mechanism]
        marks.draw_published(
            grid[0], list(TOPOLOGIES).index(row.topology) - aside, row.ratio, marker
        )
    grid[0].set_ylabel("throughput / array blocking queue's")
    marks.format_log_axis(grid[0])
    draw_legend(grid[1], table)
    draw_note(figure, 0.1, -0.02, note)
    return figure


def draw_columns(axes: Axes, table: pd.DataFrame) -> None:
    """One column a topology, our mechanisms side by side."""
    mechanisms = sorted(table["mechanism"].unique())
    for place, topology in enumerate(TOPOLOGIES):
        rows = table[table["topology"] == topology]
        if rows["oversubscribed"].any():
            axes.axvspan(
                place - 0.5, place + 0.5, color=marks.OVERSUBSCRIBED_GROUND, lw=0, zorder=0
            )
        for row in rows.itertuples():
            bounds = None if pd.isna(row.low) else (row.low, row.high)
            marks.draw_ratio(
                axes,
                place + 0.05 + 0.15 * mechanisms.index(row.mechanism),
                (row.ratio, bounds),
                STUDY.look(row.mechanism),
                row.oversubscribed,
            )
    axes.axhline(1, color="black", lw=0.8)
    axes.set_xlim(-0.5, len(TOPOLOGIES) - 0.5)
    axes.set_xticks(
        range(len(TOPOLOGIES)),
        [f"{name.lower()}\n{shape}" for name, shape in TOPOLOGIES.items()],
        fontsize=8,
    )


def draw_legend(axes: Axes, table: pd.DataFrame) -> None:
    ours = [(STUDY.look(name), name) for name in sorted(table["mechanism"].unique())]
    marks = [
        Line2D([], [], color=seen.colour, marker=seen.marker, ls="", label=f"{seen.label}, here")
        for seen, _ in ours
    ]
    hollow = {"color": "black", "mfc": "none", "ls": ""}
    text = {key: f"{STUDY.look(key[1]).short}, {key[0]}" for key in MARKS}
    published = [
        Line2D([], [], marker=marker, label=text[key], **hollow)
        for key, (marker, _) in MARKS.items()
    ]
    axes.legend(handles=marks + published, loc="upper left", bbox_to_anchor=(1.01, 1))


def draw_throughput(forks: pd.DataFrame, note: str) -> Figure:
    """Million events a second by topology, a dot a fork; queues in both accountings."""
    figure, grid = plt.subplots(1, 2, figsize=(11, 4.4), sharey=True)
    for axes, (accounting, words) in zip(grid, ACCOUNTINGS.items(), strict=True):
        mechanisms = [
            name
            for name in (QUEUE, "LINKED_BLOCKING_QUEUE", *DISRUPTORS)
            if name in set(forks["mechanism"])
        ]
        for place, topology in enumerate(TOPOLOGIES):
            for number, mechanism in enumerate(mechanisms):
                own = select_point(forks, topology, mechanism, accounting)
                if len(own):
                    shared = bool(own["oversubscribed"].any())
                    marks.draw_forks(
                        axes,
                        place + 0.2 * (number - 1.5),
                        own["million"],
                        STUDY.look(mechanism),
                        shared,
                    )
                    if shared:
                        axes.axvspan(
                            place - 0.5,
                            place + 0.5,
                            color=marks.OVERSUBSCRIBED_GROUND,
                            lw=0,
                            zorder=0,
                        )
        axes.set(title=words, yscale="log", xlim=(-0.5, len(TOPOLOGIES) - 0.5))
        axes.set_xticks(
            range(len(TOPOLOGIES)),
            [f"{name.lower()}\n{shape}" for name, shape in TOPOLOGIES.items()],
            fontsize=8,
        )
    grid[0].set_ylabel("million events a second")
    marks.format_log_axis(grid[0])
    seen = [STUDY.look(name) for name in mechanisms]
    grid[1].legend(
        handles=[
            Line2D([], [], color=one.colour, marker=one.marker, ls="", label=one.label)
            for one in seen
        ],
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
    )
    draw_note(figure, 0.1, -0.02, note)
    return figure
