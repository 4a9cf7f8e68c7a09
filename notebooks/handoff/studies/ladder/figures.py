"""Figures and tables of the ladder: both experiments with decisions, and the steps at all loads."""

from functools import cached_property

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.analysis.forks import select_fit
from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, format_brief, join_words
from handoff.studies.ladder import (
    LAST,
    LOCKED,
    REFERENCES,
    STEPS,
    STUDY,
    TAKEN_AWAY,
    find_look,
    numbers,
    order,
    order_figure,
)
from handoff.tables import trace
from handoff.text import pluralize

ROW_INCHES, REST_INCHES = 0.155, 0.9
ROOM = 1.9
"""Factor by which the axis of times is longer, which leaves room for words next to the rows."""

COLUMNS = {"ns": "time of an event", "cores": "cores kept busy"}
STAIRS = (
    "Time is that of all events, divided by their number; a length stands for the same factor in"
    " each panel. At the right: the time of the row above is divided or multiplied by this; written"
    " where the 95 % interval of this ratio excludes 1, bold if it saves time. Dots: means. Bars:"
    " 95 % intervals of single rows, wider than those of ratios."
)


class LadderFigures(StudyFigures):
    """Figures and tables of the study."""

    name = "ladder"
    select = staticmethod(numbers.select_baseline)

    def figure(self) -> Figure | None:
        """Draw the steps at one sort, and what each decision saves, added and taken away alone.

        The forks without one decision are of this run or of a related one. None without decisions.
        """
        table = self.decisions()
        if table.empty:
            return None
        cheap = select_fit(self.baseline[self.baseline["sorts"] == order.SORTS], "ns_per_event")
        others = [] if table["alone"].notna().any() else order.LEFT_OUT
        cheap = cheap[~cheap["mechanism"].isin([STUDY.sequential, *REFERENCES, *others])]
        stairs = numbers.tabulate_steps(cheap)
        note = self.note("ladder", cheap, self.note_away(), marks="")
        words = order_figure.write_words(table, self.missing(table), note)
        return self.save(order_figure.draw_order(stairs, table), "ladder", words)

    def loads(self) -> Figure | None:
        """Draw time and cores of each step at each load; None without two steps."""
        table = numbers.tabulate_steps(self.baseline)
        if table.empty or numbers.select_steps(table)["mechanism"].nunique() < 2:
            return None
        shown = self.baseline[~self.baseline["mechanism"].isin(order.LEFT_OUT)]
        note = self.note("ladder-loads", shown, marks="Hollow: threads share cores.")
        alone = self.baseline[self.baseline["mechanism"] == STUDY.sequential].groupby("sorts")
        drawn = draw_stairs(table, {load: numbers.describe_point(point) for load, point in alone})
        return self.save(drawn, "ladder-loads", write_stairs(table, note))

    def decisions(self) -> pd.DataFrame:
        """Return what each decision saves at one sort, added and taken away."""
        forks = self.away.forks if self.away else self.baseline[:0]
        return order.tabulate_order(self.baseline, forks)

    @cached_property
    def away(self) -> order.Away | None:
        """Return the forks without one decision, of this run or of a related one."""
        return order.find_away(self.run, self.baseline) if len(self.baseline) else None

    def note_away(self) -> str:
        """Return the part of the footnote on a related run, with its trace."""
        if self.away is None or self.away.run is self.run:
            return ""
        forks = self.away.forks
        shown = forks[forks["mechanism"].isin([*TAKEN_AWAY, LAST])]
        identity = trace.record_trace(self.away.run, "ladder, decisions taken away", shown)
        count = pluralize(len(shown), "fork")
        return f"Taken away: {count} of run {self.away.run.folder.name}, trace {identity}. Added:"

    def missing(self, table: pd.DataFrame) -> str:
        """Return which command measures the experiment that is missing, or ''."""
        if table["alone"].isna().all():
            return order.TAKE_AWAY
        return order.ADD if table["added"].isna().all() else ""


def draw_stairs(table: pd.DataFrame, alone: dict[int, dict[str, float]]) -> Figure:
    """Draw one column of panels per load: time above, cores kept busy below."""
    loads = sorted(set(table["sorts"]))
    names = list(dict.fromkeys(table["step"]))
    references = sum(name not in STEPS for name in table.drop_duplicates("step")["mechanism"])
    # The rows from the top, with a gap before the references.
    gap = len(names) - references
    heights = {name: -place - 0.6 * (place >= gap) for place, name in enumerate(names)}
    height = 2 * (ROW_INCHES * len(names) + REST_INCHES)
    figure, grid = new_figure(2, len(loads), height, sharey=True)
    for panels, (column, label) in zip(grid, COLUMNS.items(), strict=True):
        for axes, sorts in zip(panels, loads, strict=True):
            rows = table[table["sorts"] == sorts]
            draw_rows(axes, rows, column, heights)
            if sorts in alone:
                axes.axvline(alone[sorts][column], color="black", lw=0.9, ls="--", zorder=1)
            axes.set(xlabel=label, title=pluralize(int(sorts), "sort") + " per event")
            axes.set_ylim(top=0.6)
            if column == "ns":
                label_savings(axes, rows, heights)
            else:
                axes.set_xlim(left=0)
        panels[0].set_yticks(list(heights.values()), list(heights))
    align_times(list(grid[0]))
    shown = [name for name in REFERENCES if name in set(table["mechanism"])]
    locked = marks.make_handle(find_look(LOCKED[0]), "with a lock")
    free = marks.make_handle(find_look(LAST), "without a lock")
    handles = [locked, free, *(marks.make_handle(find_look(name)) for name in shown)]
    if alone:
        handles.append(Line2D([], [], color="black", lw=0.9, ls="--", label="one thread alone"))
    draw_legend(figure, handles)
    return figure


def draw_rows(axes: Axes, rows: pd.DataFrame, column: str, heights: dict[str, float]) -> None:
    """Draw one panel: a mark per step, and a line down the stairs."""
    low, high = ("low", "high") if column == "ns" else ("cores_low", "cores_high")
    stairs = numbers.select_steps(rows)
    places = stairs["step"].map(heights)
    axes.step(stairs[column], places, where="post", color="#bbbbbb", lw=0.8, zorder=1)
    for row in rows.to_dict("records"):
        level, look = (row[column], row[low], row[high]), find_look(row["mechanism"])
        at, shared = heights[row["step"]], row["oversubscribed"]
        marks.draw_ratio(axes, at, level, look, shared, horizontal=True)


def label_savings(axes: Axes, rows: pd.DataFrame, heights: dict[str, float]) -> None:
    """Write next to a row how it differs in time from the row above, where that shows."""
    for row in rows.dropna(subset=["saved_low"]).to_dict("records") if "saved_low" in rows else ():
        saves = row["saved_low"] > 1
        if not saves and row["saved_high"] >= 1:
            continue
        times = format_brief(row["saved"] if saves else 1 / row["saved"])
        axes.text(
            0.99,
            heights[row["step"]],
            f"÷ {times}" if saves else f"× {times}",
            transform=axes.get_yaxis_transform(),
            fontsize=7,
            weight="bold" if saves else "normal",
            ha="right",
            va="center",
        )


def align_times(panels: list[Axes]) -> None:
    """Give the panels logarithmic scales on which a length is the same factor in each."""
    for axes in panels:
        axes.set_xscale("log")
    spans = [high / low for low, high in (axes.get_xlim() for axes in panels)]
    for axes, span in zip(panels, spans, strict=True):
        low, high = axes.get_xlim()
        margin = (max(spans) / span) ** 0.5
        axes.set_xlim(low / margin, high * margin * ROOM)
        marks.format_time_axis(axes.xaxis, 2)


def write_stairs(table: pd.DataFrame, note: str) -> Words:
    """Return the words of the staircase; its title names the largest savings of cheap events."""
    loads = dict(list(table.groupby("sorts")))
    cheapest, dearest = loads[min(loads)], loads[max(loads)]
    steps = numbers.select_steps(cheapest)
    most = steps["saved"].max() if "saved" in steps else 1.0
    # Those of at least half of the largest saving, on the scale on which they multiply.
    savings = numbers.name_savings(steps, format_brief, max(most**0.5, numbers.LEAST_GAIN))
    title = "From a blocking queue to a ring, one decision at a time"
    if savings:
        title = f"With cheap events, in this order, these save most time: {join_words(savings)}"
        if len(loads) > 1 and not numbers.name_savings(numbers.select_steps(dearest), format_brief):
            title += "; with expensive ones, none saves a tenth with a 95 % interval above 1"
    levels = "; ".join(
        f"{row.step}: {format_brief(row.ns)} ns, {format_brief(row.cores)} cores"
        for row in cheapest.itertuples()
    )
    alt = f"Time of an event and cores kept busy by step. At the smallest load: {levels}."
    return Words(title, STAIRS, alt, note, main=False)
