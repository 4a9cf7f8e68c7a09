"""Figure of the sensitivity sweep: effect of each choice that the paper leaves open, alone."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.analysis.answer import MARGIN, Answer, find_answer
from handoff.analysis.baseline import list_values
from handoff.analysis.forks import compare_times
from handoff.draw import marks
from handoff.draw.page import collect_handles, draw_legend, hide_rest, new_figure
from handoff.draw.words import Words, format_brief
from handoff.run.plan.pairs import find_bases, find_pairs
from handoff.studies.ratios import RATIO
from handoff.studies.scaling import STUDY
from handoff.text import pluralize

CHOICES = (
    *("capacity", "wait", "order", "element", "collector", "release", "sort", "placement"),
    "memory",
)
MOST_COLUMNS, ROW_INCHES = 3, 0.27
COLUMNS = ["choice", "mechanism", "consumers", *RATIO]


def compute_arms(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the time with one changed choice over that without, at the sweep's other choices.

    `low` and `high` are the 95 % interval, or missing. A choice is such as 'wait BLOCKING'.
    """
    points = list_values(forks, STUDY.name)
    groups = {str(point): rows for point, rows in forks.groupby("point")} if points else {}
    bases = find_bases(points)
    rows = []
    for pair in find_pairs(points):
        before = points[pair.before]
        usual = all(before[name] == bases[name] for name in CHOICES if name in before)
        if pair.parameter in CHOICES and usual:
            without = groups[pair.before]
            place = [before["mechanism"], without["consumers"].iloc[0]]
            times = compare_times(groups[pair.after], without)
            rows.append([f"{pair.parameter} {pair.value}", *place, *times])
    return pd.DataFrame(rows, columns=COLUMNS)


def draw_sensitivity(arms: pd.DataFrame) -> Figure:
    """Draw `compute_arms`, one row per choice, one panel per number of consumers."""
    choices = list(dict.fromkeys(arms["choice"]))[::-1]
    panels = sorted(arms["consumers"].unique())
    columns = min(len(panels), MOST_COLUMNS)
    deep = -(-len(panels) // columns)
    height = deep * (ROW_INCHES * len(choices) + 0.6) + 0.4
    figure, grid = new_figure(deep, columns, height, sharex=True, sharey=True)
    for axes, consumers in zip(grid.flat, panels, strict=False):
        draw_panel(axes, arms[arms["consumers"] == consumers], choices, consumers)
    hide_rest(grid, len(panels))
    grid[0][0].set_yticks(range(len(choices)), choices)
    marks.format_log_axis(grid[0][0].xaxis)
    draw_legend(figure, collect_handles(grid))
    return figure


def write_words(arms: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; the title names the choice that changes most."""
    title = f"Of the choices that the paper leaves open, {describe_answers(arms)}"
    caption = (
        "Each row: one choice changed alone, as time over that without the change. Bars: 95 %"
        " interval."
    )
    alt = "; ".join(
        f"{row.choice}, {STUDY.look(row.mechanism).short},"
        f" {pluralize(int(row.consumers), 'consumer')}: {format_brief(row.ratio)}"
        for row in arms.itertuples()
    )
    return Words(
        title, caption, f"Time with the choice over time without: {alt}.", note, main=False
    )


def describe_answers(arms: pd.DataFrame) -> str:
    """Return which choice changes most, or that none changes the time, or that it is not known."""
    answers = [find_answer(row.low, row.high) for row in arms.itertuples()]
    sure = arms[[answer is Answer.CHANGES for answer in answers]]
    if len(sure):
        most = sure.loc[np.log(sure["ratio"].astype(float)).abs().idxmax()]
        name = STUDY.look(most["mechanism"]).short
        return (
            f"{most['choice']} changes most: {format_brief(most['ratio'])} times the time ({name})"
        )
    unknown = answers.count(Answer.UNKNOWN)
    if not unknown:
        return f"none changes the time by more than {MARGIN:.0%}"
    of = f"{unknown} of {pluralize(len(arms), 'comparison')}"
    return f"none surely changes the time by more than {MARGIN:.0%}; not known: {of}"


def draw_panel(axes: Axes, rows: pd.DataFrame, choices: list[str], consumers: int) -> None:
    axes.set(
        title=pluralize(consumers, "consumer"), xscale="log", xlabel="time with ÷ time without"
    )
    axes.axvline(1, color="black", lw=0.8)
    for place, (mechanism, group) in enumerate(rows.groupby("mechanism")):
        look = STUDY.look(mechanism)
        height = [choices.index(choice) + 0.16 * (place - 1.5) for choice in group["choice"]]
        style = {"marker": look.dot, "s": 14, "color": look.colour, "label": look.label}
        axes.scatter(group["ratio"], height, **style)
        bounds = group["low"].astype(float), group["high"].astype(float)
        axes.hlines(height, *bounds, color=look.colour, lw=1.2)
