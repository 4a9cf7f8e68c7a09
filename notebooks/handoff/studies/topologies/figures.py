"""Figure of the five wirings: throughput over the queue's, here and published."""

import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.forks import prefer_fitting
from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, format_brief
from handoff.studies.topologies import STUDY
from handoff.studies.topologies.numbers import (
    ACCOUNTINGS,
    DISRUPTORS,
    QUEUE,
    TOPOLOGIES,
    compute_ratios_to_queue,
    load_published,
    select_baseline,
)
from handoff.text import format_extent

CAPTION = (
    "Throughput over the array blocking queue's; above 1, the other is faster. Coloured: here, with"
    " 95 % interval; black: published."
)
TITLES = {"AS_PUBLISHED": "As published", "FAIR": "Fair"}
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

    name = "topologies"
    select = staticmethod(select_baseline)

    def ratios(self) -> Figure | None:
        """Draw throughput over the queue's, here and published, in the wirings that fit.

        Where none fits, all are drawn; None without a pair of a queue and another.
        """
        table = compute_ratios_to_queue(self.baseline)
        if table.empty:
            return None
        shown = prefer_fitting(table)
        forks = self.baseline[self.baseline["topology"].isin(shown["topology"])]
        forks = forks[forks["mechanism"].isin([QUEUE, *shown["mechanism"]])]
        words = write_words(shown, self.note("topologies-ratios", forks))
        return self.save(draw_ratios(shown), "topologies-ratios", words)


def write_words(table: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; the title has the Disruptor's ratios."""
    best = table[(table["accounting"] == "AS_PUBLISHED") & table["mechanism"].isin(DISRUPTORS)]
    title = "Throughput of the wirings over the array blocking queue's"
    if len(best) and best["low"].notna().all():
        wirings = list_topologies(best)
        where = wirings[0].lower() if len(wirings) == 1 else f"{len(wirings)} wirings"
        times = format_extent(best["ratio"], format_brief)
        title = (
            f"The Disruptor hands over {times} times as many events as the array blocking queue, in"
            f" {where}"
        )
    counted = "".join(
        f" {TITLES[name]}: {meaning}."
        for name, meaning in ACCOUNTINGS.items()
        if name in set(table["accounting"])
    )
    alt = "; ".join(
        f"{STUDY.look(row.mechanism).label}, {row.topology.lower()},"
        f" {TITLES[row.accounting].lower()}: {format_brief(row.ratio)}"
        for row in table.itertuples()
    )
    return Words(title, CAPTION + counted, f"Throughput over the queue's. {alt}.", note)


def draw_ratios(table: pd.DataFrame) -> Figure:
    """Draw one panel per accounting: ratios by topology, ours coloured, published black."""
    present = [name for name in ACCOUNTINGS if (table["accounting"] == name).any()]
    shown = {name: list_topologies(table[table["accounting"] == name]) for name in present}
    widths = [len(wirings) for wirings in shown.values()]
    figure, grid = new_figure(1, len(shown), HEIGHT, sharey=True, width_ratios=widths)
    panels = grid[0]
    mechanisms = sorted(table["mechanism"].unique())
    for axes, (accounting, wirings) in zip(panels, shown.items(), strict=True):
        axes.set(yscale="log", xlim=(-0.5, len(wirings) - 0.5), title=TITLES[accounting])
        names = [f"{name.lower()}\n{TOPOLOGIES[name]}" for name in wirings]
        axes.set_xticks(range(len(wirings)), names, fontsize=7)
        for row in table[table["accounting"] == accounting].itertuples():
            place = wirings.index(row.topology)
            if row.oversubscribed:
                marks.shade_column(axes, place)
            at = place + 0.05 + 0.15 * mechanisms.index(row.mechanism)
            ratio, look = (row.ratio, row.low, row.high), STUDY.look(row.mechanism)
            marks.draw_ratio(axes, at, ratio, look, row.oversubscribed)
        axes.axhline(1, color="black", lw=0.8)
    # The published numbers were measured with the published accounting.
    wirings = shown.get("AS_PUBLISHED", [])
    published = load_published()
    published = published[published["topology"].isin(wirings)]
    for row in published.itertuples():
        marker, aside = MARKS[row.machine, row.mechanism]
        marks.draw_published(panels[0], wirings.index(row.topology) - aside, row.ratio, marker)
    panels[0].set_ylabel("throughput ÷ array blocking queue's")
    marks.format_log_axis(panels[0].yaxis)
    ours = [STUDY.look(name) for name in mechanisms]
    handles = [marks.make_handle(look, f"{look.label}, here") for look in ours]
    handles += [
        marks.make_published_handle(marker, f"{STUDY.look(name).short}, {machine}")
        for (machine, name), (marker, _) in MARKS.items()
        if (published["machine"] == machine).any()
    ]
    draw_legend(figure, handles)
    return figure


def list_topologies(rows: pd.DataFrame) -> list[str]:
    """Return the wirings of these rows, in the sources' order."""
    return [name for name in TOPOLOGIES if name in set(rows["topology"])]
