"""Figures of the latency study: percentile curves, and latency by offered rate."""

from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.run.store.run import Run
from handoff.studies.latency import STUDY
from handoff.studies.latency.load_figure import draw_load
from handoff.studies.latency.numbers import (
    compute_fork_curves,
    load_published,
    select_published,
    select_rates,
)
from handoff.tables import tidy
from handoff.text import pluralize

QUANTILES = {
    0.0: "0",
    0.9: "90 %",
    0.99: "99 %",
    0.999: "99.9 %",
    0.9999: "99.99 %",
    0.99999: "99.999 %",
}
PUBLISHED_AT = {"hop_p99": 0.99, "hop_p9999": 0.9999}
GROUND = "On grey: oversubscribed, threads share cores."


class LatencyFigures(StudyFigures):
    """Figures of the study; `curves` has ns by quantile, the median over a fork's shots."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "latency")
        self.curves = (
            pd.DataFrame()
            if self.forks.empty
            else compute_fork_curves(tidy.load_table(run, "curves"), self.forks)
        )

    def percentiles(self) -> Figure | None:
        """Draw a hop's percentile curve as published, one panel per number of stages."""
        forks = select_published(self.forks)
        if forks.empty:
            return None
        text = (
            "Black and hollow: published, upper bounds of buckets. Thick: median over forks; thin:"
            f" single forks.{describe_waits(forks)}"
        )
        figure = draw_percentiles(
            forks, self.curves, self.note("latency-percentiles", forks, text, marks=GROUND, band="")
        )
        return self.save(figure, "latency-percentiles")

    def load(self) -> Figure | None:
        """Draw latency against the offered rate; None for fewer than three rates."""
        forks = select_rates(self.forks)
        if forks.empty or forks["gap"].nunique() < 3:
            return None
        text = f"Beyond saturation the latency is the length of the shot.{describe_waits(forks)}"
        note = self.note("latency-load", forks, text, band="")
        return self.save(draw_load(forks, note), "latency-load")


def describe_waits(forks: pd.DataFrame) -> str:
    """Return the wait strategy of the Disruptors, or of each where they differ, in words."""
    rings = forks[forks["mechanism"].str.startswith("DISRUPTOR")]
    if rings["wait"].nunique() < 2:
        return f" Disruptor: {rings['wait'].iloc[0]}." if len(rings) else ""
    groups = rings.groupby(["wait", "stages"])["mechanism"].agg(
        lambda names: ", ".join(STUDY.look(name).short for name in sorted(set(names)))
    )
    return "".join(
        f" {wait}: {names} at {pluralize(stages, 'stage')}."
        for (wait, stages), names in groups.items()
    )


def draw_percentiles(forks: pd.DataFrame, curves: pd.DataFrame, note: str) -> Figure:
    """Draw one panel per number of stages."""
    panels = sorted(forks["stages"].unique())
    figure, grid = new_figure(1, len(panels), sharey=True)
    total = curves[(curves["curve"] == "total") & curves["point"].isin(forks["point"])]
    for axes, count in zip(grid[0], panels, strict=True):
        rows = total[total["stages"] == count]
        for mechanism, lines in rows.groupby("mechanism"):
            draw_curve(axes, lines.assign(ns=lines["ns"] / count - lines["clock_ns"]), mechanism)
        format_quantile_axis(axes)
        shared = " (oversubscribed)" if rows["oversubscribed"].any() else ""
        axes.set(
            title=f"{pluralize(count, 'stage')}{shared}",
            yscale="log",
            xlabel="percentile",
        )
        if shared:
            axes.set_facecolor(marks.OVERSUBSCRIBED_GROUND)
        if count == 3:
            for mechanism, row in load_published().iterrows():
                for name, quantile in PUBLISHED_AT.items():
                    marks.draw_published(
                        axes,
                        1 / (1 - quantile),
                        row[name],
                        "s" if mechanism == "ARRAY_BLOCKING_QUEUE" else "o",
                    )
    grid[0][0].set_ylabel("time of a hop, less the clock")
    marks.format_time_axis(grid[0][0].yaxis)
    ours = [STUDY.look(name) for name in sorted(forks["mechanism"].unique())]
    handles = [Line2D([], [], color=look.colour, ls=look.line, label=look.label) for look in ours]
    published = {"s": "array blocking queue", "o": "disruptor 1"}
    if 3 in panels:
        handles += [
            marks.make_published_handle(m, f"{words}, published") for m, words in published.items()
        ]
    draw_legend(figure, handles)
    draw_note(figure, note)
    return figure


def draw_curve(axes: Axes, lines: pd.DataFrame, mechanism: str) -> None:
    """Draw each fork thin and their median thick.

    The logarithmic axis has no place for latencies at or below the clock's own cost.
    """
    look = STUDY.look(mechanism)
    lines = lines[lines["ns"] > 0]
    for _, fork in lines.groupby(["point", "fork"]):
        axes.plot(1 / (1 - fork["quantile"]), fork["ns"], color=look.colour, lw=0.5, alpha=0.4)
    middle = lines.groupby("quantile")["ns"].median()
    axes.plot(1 / (1 - middle.index), middle, color=look.colour, ls=look.line, lw=1.8)


def format_quantile_axis(axes: Axes) -> None:
    """Space the quantiles evenly in nines, as is usual for HdrHistogram."""
    axes.set_xscale("log")
    axes.set_xticks([1 / (1 - quantile) for quantile in QUANTILES], QUANTILES.values(), fontsize=7)
    axes.minorticks_off()
