"""Figure of the latency study: percentile curves."""

from functools import cached_property

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.analysis.forks import prefer_fitting
from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, join_words
from handoff.studies.latency import STUDY
from handoff.studies.latency.numbers import compute_fork_curves, load_published, select_published
from handoff.tables import tidy
from handoff.text import pluralize

QUANTILES = (0.0, 0.9, 0.99, 0.999, 0.9999, 0.99999)
PUBLISHED_AT = {"hop_p99": 0.99, "hop_p9999": 0.9999}
PUBLISHED_MARKS, PUBLISHED_STAGES = {"ARRAY_BLOCKING_QUEUE": "s", "DISRUPTOR_1": "o"}, 3
QUEUE = "ARRAY_BLOCKING_QUEUE"
GROUND = "On grey: oversubscribed, threads share cores."


class LatencyFigures(StudyFigures):
    """The study's figure."""

    name = "latency"

    @cached_property
    def curves(self) -> pd.DataFrame:
        """Return ns by quantile, the median over a fork's shots."""
        return compute_fork_curves(tidy.load_table(self.run, "curves"), self.forks)

    def percentiles(self) -> Figure | None:
        """Draw a hop's percentile curve as published, one panel per number of stages that fits.

        Where none fits, all are drawn.
        """
        forks = prefer_fitting(select_published(self.forks))
        if forks.empty:
            return None
        note = self.note("latency-percentiles", forks, marks=GROUND)
        words = write_words(forks, note)
        return self.save(draw_percentiles(forks, self.curves), "latency-percentiles", words)


def write_words(forks: pd.DataFrame, note: str) -> Words:
    """Return the words of the percentile curves; the title has medians over forks."""
    stages = int(forks["stages"].min())
    rows = forks[forks["stages"] == stages].groupby("mechanism")[["hop_p50", "hop_p99"]].median()
    rings = [name for name in rows.index if name.startswith("DISRUPTOR")]
    title = f"What a hop takes in a pipeline of {pluralize(stages, 'stage')}"
    if QUEUE in rows.index and rings:
        ring = rows.loc[rings, "hop_p50"].idxmin()
        pair = {STUDY.look(ring).label: rows.loc[ring], "the queue": rows.loc[QUEUE]}
        half = join_words(
            [f"{marks.format_brief_ns(row['hop_p50'])} with {name}" for name, row in pair.items()]
        )
        most = join_words([marks.format_brief_ns(row["hop_p99"]) for row in pair.values()])
        title = (
            f"With {pluralize(stages, 'stage')}, half of the hops take at most {half}; 99 of 100 at"
            f" most {most}"
        )
    caption = (
        "Time of a hop, less the clock's own, by the share of hops that take at most this long."
        f" Thick: median over forks; thin: single forks.{describe_waits(forks)}"
    )
    if forks["stages"].max() >= PUBLISHED_STAGES:
        caption += " Black and hollow: published, upper bounds of buckets."
    alt = "; ".join(
        f"{STUDY.look(name).label}: median {marks.format_brief_ns(row['hop_p50'])}, 99 % at most"
        f" {marks.format_brief_ns(row['hop_p99'])}"
        for name, row in rows.iterrows()
    )
    return Words(title, caption, f"Percentile curves of a hop. {alt}.", note)


def describe_waits(forks: pd.DataFrame) -> str:
    """Return the wait strategies of the Disruptors, in words."""
    rings = forks[forks["mechanism"].str.startswith("DISRUPTOR")]
    return f" Disruptor: {join_words(list(rings['wait'].unique()))}." if len(rings) else ""


def draw_percentiles(forks: pd.DataFrame, curves: pd.DataFrame) -> Figure:
    panels = sorted(forks["stages"].unique())
    figure, grid = new_figure(1, len(panels), sharey=True)
    total = curves[(curves["curve"] == "total") & curves["point"].isin(forks["point"])]
    for axes, count in zip(grid[0], panels, strict=True):
        rows = total[total["stages"] == count]
        for mechanism, lines in rows.groupby("mechanism"):
            draw_curve(axes, lines.assign(ns=lines["ns"] / count - lines["clock_ns"]), mechanism)
        shared = " (oversubscribed)" if rows["oversubscribed"].any() else ""
        title = f"{pluralize(count, 'stage')}{shared}"
        axes.set(title=title, xscale="log", yscale="log", xlabel="percentile")
        # Quantiles are spaced evenly in nines, as is usual for HdrHistogram.
        labels = [f"{100 * at:g} %" if at else "0" for at in QUANTILES]
        axes.set_xticks([1 / (1 - at) for at in QUANTILES], labels, fontsize=7)
        axes.minorticks_off()
        if shared:
            axes.set_facecolor(marks.OVERSUBSCRIBED_GROUND)
        if count == PUBLISHED_STAGES:
            draw_published(axes)
    grid[0][0].set_ylabel("time of a hop, less the clock")
    marks.format_time_axis(grid[0][0].yaxis)
    ours = [STUDY.look(name) for name in sorted(forks["mechanism"].unique())]
    handles = [Line2D([], [], color=look.colour, ls=look.line, label=look.label) for look in ours]
    if PUBLISHED_STAGES in panels:
        handles += [
            marks.make_published_handle(marker, f"{STUDY.look(name).label}, published")
            for name, marker in PUBLISHED_MARKS.items()
        ]
    draw_legend(figure, handles)
    return figure


def draw_published(axes: Axes) -> None:
    table = load_published()
    for mechanism, marker in PUBLISHED_MARKS.items():
        for name, quantile in PUBLISHED_AT.items():
            marks.draw_published(axes, 1 / (1 - quantile), table.loc[mechanism, name], marker)


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
