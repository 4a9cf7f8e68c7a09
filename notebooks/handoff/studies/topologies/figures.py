"""Figures of the five wirings: throughput over the queue's, here and published; throughput."""

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
"""Published machines and releases: marker, and distance to the left of the wiring's middle."""


class TopologiesFigures(StudyFigures):
    """Figures of the study; `baseline` has the published choices in both accountings."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "topologies")
        self.baseline = self.forks if self.forks.empty else select_baseline(self.forks)

    def ratios(self) -> Figure | None:
        """Draw Disruptor ÷ queue, here and published; None without a pair of them."""
        if compute_ratios_to_queue(self.baseline).empty:
            return None
        figure = draw_ratios(
            self.baseline,
            self.note("topologies-ratios", self.baseline, CAPTION, band="bars: 95 % interval"),
        )
        return self.save(figure, "topologies-ratios")

    def throughput(self) -> Figure | None:
        """Draw events per second of every fork."""
        if self.baseline.empty:
            return None
        note = self.note(
            "topologies-throughput",
            self.baseline,
            f"Each mark is a fork, each black line a mean. {FAIR}",
        )
        figure = draw_throughput(self.baseline, note)
        return self.save(figure, "topologies-throughput")


def draw_ratios(forks: pd.DataFrame, note: str) -> Figure:
    """Draw one panel per accounting: ratios by topology, ours coloured, published black."""
    table = compute_ratios_to_queue(forks)
    published = load_published()
    shown = {name: list_topologies(table[table["accounting"] == name]) for name in ACCOUNTINGS}
    figure, grid = new_panels(shown)
    mechanisms = sorted(table["mechanism"].unique())
    for axes, (accounting, columns) in zip(grid, shown.items(), strict=True):
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
    # The published numbers were measured with the published accounting.
    columns = shown.get("AS_PUBLISHED", [])
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
            *(marks.make_handle(look, f"{look.label}, here") for look in ours),
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
    """Draw million events per second by topology, one mark per fork, in both accountings."""
    shown = {
        name: list_topologies(forks[forks["accounting"].isna() | (forks["accounting"] == name)])
        for name in ACCOUNTINGS
    }
    # A Disruptor has no accounting: it is repeated only next to a fair queue.
    queues = forks[forks["accounting"] == "FAIR"]
    shown["FAIR"] = [name for name in shown["FAIR"] if name in set(queues["topology"])]
    figure, grid = new_panels(shown)
    mechanisms = [
        name
        for name in (QUEUE, "LINKED_BLOCKING_QUEUE", *DISRUPTORS)
        if name in set(forks["mechanism"])
    ]
    for axes, (accounting, columns) in zip(grid, shown.items(), strict=True):
        for place, topology in enumerate(columns):
            for number, mechanism in enumerate(mechanisms):
                point = select_point(forks, topology, mechanism, accounting)
                if len(point):
                    shared = bool(point["oversubscribed"].any())
                    aside = place + 0.2 * (number - 1.5)
                    marks.draw_forks(
                        axes, aside, point, "million", STUDY.look(mechanism), "ns_per_event"
                    )
                    if shared:
                        marks.shade_column(axes, place)
    grid[0].set_ylabel("million events per second")
    marks.format_log_axis(grid[0].yaxis)
    draw_legend(figure, [marks.make_handle(STUDY.look(name)) for name in mechanisms])
    draw_note(figure, note)
    return figure


def list_topologies(rows: pd.DataFrame) -> list[str]:
    """Return the wirings of these rows, in the sources' order."""
    return [name for name in TOPOLOGIES if name in set(rows["topology"])]


def new_panels(shown: dict[str, list[str]]) -> tuple[Figure, np.ndarray]:
    """Return one panel per accounting, as wide as its number of wirings.

    An accounting without wirings is removed from `shown`.
    """
    for name in [name for name, columns in shown.items() if not columns]:
        del shown[name]
    widths = [len(columns) for columns in shown.values()]
    figure, grid = new_figure(1, len(shown), HEIGHT, sharey=True, width_ratios=widths)
    for axes, (accounting, columns) in zip(grid[0], shown.items(), strict=True):
        axes.set(yscale="log", xlim=(-0.5, len(columns) - 0.5), title=TITLES[accounting])
        names = [f"{name.lower()}\n{TOPOLOGIES[name]}" for name in columns]
        axes.set_xticks(range(len(columns)), names, fontsize=7)
    return figure, grid[0]
