"""Figure of the ring: time over a pool of one thread's, by the work of a hop."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, format_brief
from handoff.studies.ring import STUDY
from handoff.studies.ring.numbers import (
    UNPINNED,
    compute_ratios_to_one,
    describe_load,
    load_published,
    select_baseline,
)
from handoff.study import LINES, Look

CAPTION = (
    "Time of a hop over that of a pool of one thread at the same load. A line joins loads with the"
    " same number of tokens; bars: 95 % interval; black: the posts, at the work that a hop had on"
    " their machines."
)
HOLLOW = "Hollow and coloured: threads share cores, and no line joins them."


class RingFigures(StudyFigures):
    """Figure of the study; `baseline` has published choices at any threads, load and placement."""

    name = "ring"
    select = staticmethod(select_baseline)

    def figure(self) -> Figure | None:
        """Draw one panel: how many times one thread's time each way takes, by work."""
        rows = compute_ratios_to_one(self.baseline)
        pinned = rows["placement"] != UNPINNED
        # The posts did not pin; where nothing else was measured, pinned threads are drawn.
        rows = rows[(rows["ratio"] != 1) & (pinned.all() | ~pinned)]
        if rows.empty:
            return None
        shown = self.baseline["point"].isin([*rows["point"], *rows["one"]])
        note = self.note("ring", self.baseline[shown], marks=HOLLOW)
        return self.save(draw_ratios(rows), "ring", write_words(rows, note))


def draw_ratios(rows: pd.DataFrame) -> Figure:
    """Draw the ratios of every way, ours coloured, the posts' black."""
    figure, ((axes,),) = new_figure(height=3.4)
    axes.set(xscale="log", yscale="log")
    axes.set(xlabel="time of a hop by one thread", ylabel="time ÷ one thread's")
    handles = []
    for mechanism, ways in rows.groupby("mechanism"):
        for number, (name, way) in enumerate(ways.groupby("row")):
            line = LINES[number % len(LINES)]
            look = STUDY.look(str(mechanism))._replace(label=str(name), line=line)
            draw_way(axes, way.sort_values("one_ns"), look)
            handles.append(marks.make_handle(look, line=line))
    posts = load_published()
    posts = posts[(posts["ratio"] != 1) & posts["mechanism"].isin(STUDY.looks)]
    for post in posts.itertuples():
        marks.draw_published(axes, post.one_ns, post.ratio, STUDY.look(post.mechanism).marker)
    axes.axhline(1, color="black", lw=1.2, zorder=1)
    marks.label_level(axes, 1, "a pool of one thread", va="baseline")
    marks.format_time_axis(axes.xaxis)
    marks.format_log_axis(axes.yaxis)
    posted = marks.make_published_handle("o", "the posts")
    draw_legend(figure, [*handles, posted])
    return figure


def draw_way(axes: Axes, rows: pd.DataFrame, look: Look) -> None:
    """Draw one way to run the nodes; lines join its loads that fit the cores."""
    fitting = rows[~rows["oversubscribed"].astype(bool)]
    for _, line in fitting.groupby("tokens"):
        axes.plot(line["one_ns"], line["ratio"], color=look.colour, ls=look.line, lw=1.4, zorder=2)
    for row in rows.itertuples():
        ratio = (row.ratio, row.low, row.high)
        marks.draw_ratio(axes, row.one_ns, ratio, look, row.oversubscribed)


def write_words(rows: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; the title has the pool's ratios at the least and most work."""
    title = "Time of a hop over a pool of one thread's, by its work"
    sure = rows[(rows["mechanism"] == "SHARED_POOL") & rows["low"].notna()]
    lines = sure.sort_values("one_ns").groupby(["tokens", "row"])
    way, sure = max(lines, key=lambda line: len(line[1]), default=("", sure))
    if len(sure) > 1:
        parts = [
            f"{format_brief(ratio)} times one thread's time where a hop takes"
            f" {marks.format_brief_ns(ns)}"
            for ratio, ns in sure[["ratio", "one_ns"]].iloc[[0, -1]].to_numpy()
        ]
        title = f"A {way[1].replace(', ', ' of ', 1)} takes {' and '.join(parts)}"
    alt = "; ".join(
        f"{row.row}, {describe_load(row.tokens, row.work)}: {format_brief(row.ratio)}"
        for row in rows.itertuples()
    )
    return Words(title, CAPTION, f"Time over one thread's. {alt}.", note)
