"""Figures of the five wirings: the Disruptor's throughput over the queue's beside the published
ones, and all throughputs here.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.run.store.run import Run
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

FAIR = f"Fair: {ACCOUNTINGS['FAIR']}; a Disruptor's forks are the same in both."
CAPTION = f"Coloured: ratio of our forks' geometric means. {FAIR}"
TITLES = {"AS_PUBLISHED": "As published: queues boxed and fenced", "FAIR": "Fair"}
HEIGHT = 3.0

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
        note = self.note(
            "topologies-throughput",
            self.baseline,
            f"A mark is a fork, a black line their mean. {FAIR}",
        )
        figure = draw_throughput(self.baseline, note)
        return self.save(figure, "topologies-throughput")


def draw_ratios(forks: pd.DataFrame, note: str) -> Figure:
    """A panel an accounting: ratios by topology, ours coloured, published black."""
    table = compute_ratios_to_queue(forks)
    published = load_published()
    there = {name: list_topologies(table[table["accounting"] == name]) for name in ACCOUNTINGS}
    figure, grid = new_panels(there)
    mechanisms = sorted(table["mechanism"].unique())
    for axes, (accounting, columns) in zip(grid, there.items(), strict=True):
        for row in table[table["accounting"] == accounting].itertuples():
            place = columns.index(row.topology)
            if row.oversubscribed:
                marks.shade_column(axes, place)
            bounds = None if pd.isna(row.low) else (row.low, row.high)
            aside = place + 0.05 + 0.15 * mechanisms.index(row.mechanism)
            marks.draw_ratio(
                axes, aside, (row.ratio, bounds), STUDY.look(row.mechanism), row.oversubscribed
            )
        axes.axhline(1, color="black", lw=0.8)
    # The published numbers were had under the published accounting.
    columns = there.get("AS_PUBLISHED", [])
    published = published[published["topology"].isin(columns)]
    for row in published.itertuples():
        marker, aside = MARKS[row.machine, row.mechanism]
        marks.draw_published(grid[0], columns.index(row.topology) - aside, row.ratio, marker)
    grid[0].set_ylabel("throughput / array blocking queue's")
    marks.format_log_axis(grid[0].yaxis)
    ours = [STUDY.look(name) for name in mechanisms]
    draw_legend(
        figure,
        [
            *(marks.make_handle(seen, f"{seen.label}, here") for seen in ours),
            *(
                marks.make_published_handle(marker, f"{STUDY.look(name).short}, {machine}")
                for (machine, name), (marker, _) in MARKS.items()
                if (published["machine"] == machine).any()
            ),
        ],
    )
    draw_note(figure, note)
    return figure


def draw_throughput(forks: pd.DataFrame, note: str) -> Figure:
    """Million events a second by topology, a mark a fork; queues in both accountings."""
    there = {
        name: list_topologies(forks[forks["accounting"].isna() | (forks["accounting"] == name)])
        for name in ACCOUNTINGS
    }
    # A Disruptor has no accounting: beside a fair queue it stands once more, alone it need not.
    queues = forks[forks["accounting"] == "FAIR"]
    there["FAIR"] = [name for name in there["FAIR"] if name in set(queues["topology"])]
    figure, grid = new_panels(there)
    mechanisms = [
        name
        for name in (QUEUE, "LINKED_BLOCKING_QUEUE", *DISRUPTORS)
        if name in set(forks["mechanism"])
    ]
    for axes, (accounting, columns) in zip(grid, there.items(), strict=True):
        for place, topology in enumerate(columns):
            for number, mechanism in enumerate(mechanisms):
                own = select_point(forks, topology, mechanism, accounting)
                if len(own):
                    shared = bool(own["oversubscribed"].any())
                    aside = place + 0.2 * (number - 1.5)
                    marks.draw_forks(axes, aside, own["million"], STUDY.look(mechanism), shared)
                    if shared:
                        marks.shade_column(axes, place)
    grid[0].set_ylabel("million events a second")
    marks.format_log_axis(grid[0].yaxis)
    draw_legend(figure, [marks.make_handle(STUDY.look(name)) for name in mechanisms])
    draw_note(figure, note)
    return figure


def list_topologies(rows: pd.DataFrame) -> list[str]:
    """The wirings of these rows, in the sources' order."""
    return [name for name in TOPOLOGIES if name in set(rows["topology"])]


def new_panels(there: dict[str, list[str]]) -> tuple[Figure, np.ndarray]:
    """A panel an accounting that has wirings (`there`: which), as wide as it has columns; what has
    none is taken out of `there`.
    """
    for name in [name for name, columns in there.items() if not columns]:
        del there[name]
    widths = [len(columns) for columns in there.values()]
    figure, grid = new_figure(1, len(there), HEIGHT, sharey=True, width_ratios=widths)
    for axes, (accounting, columns) in zip(grid[0], there.items(), strict=True):
        axes.set(yscale="log", xlim=(-0.5, len(columns) - 0.5), title=TITLES[accounting])
        names = [f"{name.lower()}\n{TOPOLOGIES[name]}" for name in columns]
        axes.set_xticks(range(len(columns)), names, fontsize=7)
    return figure, grid[0]
