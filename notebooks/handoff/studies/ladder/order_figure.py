"""Picture of the ladder: the steps at one sort, and what each decision saves in two experiments."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.words import Words, format_brief, join_words
from handoff.studies.ladder import LAST, LOCKED, NOUNS, STEPS, find_look, order
from handoff.studies.ladder.numbers import name_row, select_steps
from handoff.study import Look
from handoff.text import pluralize

ROW_INCHES, REST_INCHES = 0.25, 1.0
ASIDE = 0.2
"""Distance of the two marks of a row from its middle."""

ADDED, ALONE = "added in this order", "taken away from the whole ring"
BEHIND = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
"""Background of numbers that a line would cross."""

AWAY_COLOUR = "#111111"
"""Of the second experiment, in black, because all of its rings are without a lock."""

CAPTION = (
    "Left: time of an event; each step differs from the one above by one decision. Right: the same"
    " decision in two experiments. Filled: time of the step above over this step's. Hollow: time of"
    " the whole ring (the last step) without this decision over the whole ring's. Right of 1 the"
    " decision saves time. Bars: 95 % intervals; numbers: where they exclude 1."
)
FROM_PRODUCER = (
    " Remembering is taken from the producer alone, because the consumer's batch ends where it saw"
    " the tail."
)


def draw_order(stairs: pd.DataFrame, table: pd.DataFrame) -> Figure:
    """Draw the steps' times on the left, and `order.tabulate_order` on the right, in one row each.

    `stairs` is `numbers.tabulate_steps` at one load.
    """
    steps = select_steps(stairs)
    known = {*steps["mechanism"], *table["step"]}
    shown = [name for name in STEPS if name in known]
    heights = {name: -float(place) for place, name in enumerate(shown)}
    figure, grid = new_figure(
        1,
        2,
        ROW_INCHES * len(shown) + REST_INCHES,
        sharey=True,
        gridspec_kw={"width_ratios": [1, 1.25]},
    )
    left, right = grid[0]
    draw_times(left, steps, heights)
    draw_savings(right, table, heights)
    left.set_yticks(list(heights.values()), [name_row(name, "") for name in shown])
    left.set_ylim(-len(shown) + 0.4, 0.9)
    free = find_look(LAST)
    handles = [
        marks.make_handle(free, ADDED),
        marks.make_handle(find_look(LOCKED[0]), "the same, with a lock"),
    ]
    if table["alone"].notna().any():
        away = free._replace(colour=AWAY_COLOUR)
        handles.append(marks.make_handle(away, ALONE, shared=True))
    draw_legend(figure, handles)
    return figure


def draw_times(axes: Axes, steps: pd.DataFrame, heights: dict[str, float]) -> None:
    """Draw the time of each step, with its value, and a line down the stairs."""
    sorts = pluralize(order.SORTS, "sort")
    axes.set(xscale="log", xlabel="nanoseconds", title=f"Time of an event, {sorts}")
    if len(steps):
        places = steps["mechanism"].map(heights)
        axes.step(steps["ns"], places, where="post", color="#bbbbbb", lw=0.8, zorder=1)
        axes.set_xlim(steps["ns"].min() / 1.4, steps["ns"].max() * 2.2)
    for row in steps.to_dict("records"):
        at = heights[row["mechanism"]]
        look = find_look(row["mechanism"])
        axes.plot(row["ns"], at, marker=look.marker, ms=6, color=look.colour, ls="")
        style = {"va": "center", "fontsize": 8, "bbox": BEHIND}
        marks.write_near(axes, format_brief(row["ns"]), (row["ns"], at), (7, 0), **style)
    marks.format_log_axis(axes.xaxis, 4)


def draw_savings(axes: Axes, table: pd.DataFrame, heights: dict[str, float]) -> None:
    """Draw what each decision saves: filled where it is added, hollow where it is taken away."""
    axes.set(
        xscale="log", xlabel="time without the decision ÷ with it", title="What the decision saves"
    )
    axes.axvline(1, color="black", lw=1, zorder=1)
    for row in table.to_dict("records"):
        look = find_look(row["step"])
        draw_saving(axes, row, "added", heights[row["step"]] + ASIDE, look, False)
        away = look._replace(colour=AWAY_COLOUR)
        draw_saving(axes, row, "alone", heights[row["step"]] - ASIDE, away, True)
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.8), max(high * 1.15, 1.5))
    marks.format_log_axis(axes.xaxis, 5)
    marks.label_place(axes, 1, "saves time →", 4, ha="left", fontsize=8)
    marks.label_place(axes, 1, "← costs time", -4, ha="right", fontsize=8)


def draw_saving(axes: Axes, row: dict, name: str, at: float, look: Look, hollow: bool) -> None:
    """Draw one ratio with its interval, and its value where the interval excludes 1."""
    ratio, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    if pd.isna(ratio):
        return
    marks.draw_ratio(axes, at, (ratio, low, high), look, hollow, horizontal=True)
    if pd.isna(low) or low <= 1 <= high:
        return
    style = {"va": "center", "fontsize": 8, "weight": "bold", "color": look.colour}
    marks.write_near(axes, format_brief(ratio), (high, at), (3, 0), **style)


def write_words(table: pd.DataFrame, missing: str, note: str) -> Words:
    """Return the picture's words; `missing` is the sentence on an experiment that was not made."""
    caption = CAPTION
    if "CACHED_CURSORS" in set(table.loc[table["alone"].notna(), "step"]):
        caption += FROM_PRODUCER
    return Words(write_title(table), f"{caption} {missing}".strip(), write_alt(table), note)


def write_title(table: pd.DataFrame) -> str:
    """Return which savings depend on the order, or what is drawn of one experiment alone."""
    if table["alone"].isna().all():
        return "What each decision saves when it is added in this order"
    if table["added"].isna().all():
        return "What the whole ring loses without one of its decisions"
    either, ladder = order.list_apart(table)
    parts = []
    if either:
        parts.append(f"{join_nouns(either)} in both experiments")
    if ladder:
        parts.append(f"{join_nouns(ladder)} only in this order")
    if not parts and table[["added_low", "alone_low"]].isna().any(axis=None):
        return "What each decision saves, added in this order or taken away alone"
    if not parts:
        return "No decision surely saves time, added in this order or taken away"
    return f"What saves time: {'; '.join(parts)}"


def join_nouns(steps: list[str]) -> str:
    return join_words([NOUNS[step] for step in steps])


def write_alt(table: pd.DataFrame) -> str:
    """Return every ratio in words."""
    parts = []
    for row in table.to_dict("records"):
        ratios = [
            f"{words} {format_brief(row[name])}"
            for name, words in (("added", "added"), ("alone", "taken away"))
            if not pd.isna(row[name])
        ]
        parts.append(f"{row['decision']}: {', '.join(ratios)}")
    return f"Time without a decision over time with it. {'; '.join(parts)}."
