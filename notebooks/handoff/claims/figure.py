"""Picture of the verdicts: one row per claim, the interval against what is claimed."""

import re
import textwrap
from itertools import accumulate
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from handoff.claims import verdicts
from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.words import Words, capitalize
from handoff.text import format_range, format_value, pluralize

GREEN, BLUE, GREY = "#009E73", "#56B4E9", "#bbbbbb"
VERDICT_LOOKS = {
    verdicts.REPRODUCED: (GREEN, "o"),
    verdicts.SMALLER: (BLUE, "v"),
    verdicts.LARGER: (BLUE, "^"),
    verdicts.DIRECTION: (BLUE, "P"),
    verdicts.UNDECIDED: (BLUE, "D"),
    verdicts.CONTRADICTED: ("#D55E00", "X"),
    verdicts.INCONCLUSIVE: ("#777777", "s"),
    **{name: (GREY, "_") for name in verdicts.VERDICTS if name not in verdicts.JUDGED},
}
SPAN = (0.5, 2)
"""Smallest range of the axis."""

LINE_INCHES, GAP_INCHES, FRAME_INCHES, HALF_BAND = 0.13, 0.1, 0.9, 0.3
LABEL_CHARACTERS, LABEL_LINES, WORD_CHARACTERS = 48, 3, 28
LABEL_POINTS = 184
MOST_TICKS = 5


def count_claims(table: pd.DataFrame) -> str:
    """Return '14 claims: 3 reproduced, 1 contradicted ...'."""
    counts = table["verdict"].value_counts()
    parts = [f"{counts[name]} {name}" for name in verdicts.VERDICTS if name in counts]
    return f"{pluralize(len(table), 'claim')}: {', '.join(parts)}"


def select_drawn(table: pd.DataFrame) -> pd.DataFrame:
    """Return the claims with a number; `others` has the other readings with one."""
    rows = table[table["ours"].notna()]
    others = [[other for other in readings[1:] if "ours" in other] for readings in rows["readings"]]
    return rows.assign(others=others)


def draw_verdicts(table: pd.DataFrame) -> Figure:
    """Draw the claims of one study that have a number."""
    rows = select_drawn(table)
    labels = [label_row(row) for row in rows.itertuples()]
    heights = [LINE_INCHES * (label.count("\n") + 1) + GAP_INCHES for label in labels]
    ends = list(accumulate(heights))
    figure, grid = new_figure(height=ends[-1] + FRAME_INCHES)
    axes = grid[0][0]
    span = find_span(rows)
    unit = "ratio; where a unit is named, a level in it" if rows["unit"].any() else "ratio"
    axes.set(xscale="log", xlim=span, ylim=(ends[-1], 0), xlabel=unit)
    axes.axvline(1, color="black", lw=0.8, zorder=1)
    places = [end - height / 2 for end, height in zip(ends, heights, strict=True)]
    for place, height, row in zip(places, heights, rows.itertuples(), strict=True):
        draw_row(axes, place, HALF_BAND * height, row, span)
    axes.set_yticks(places, labels, fontsize=7, linespacing=1.15, ha="left")
    axes.tick_params(axis="y", pad=LABEL_POINTS)
    axes.grid(visible=False, axis="y")
    axes.hlines(ends[:-1], *span, color="#e4e4e4", lw=0.6)
    marks.format_log_axis(axes.xaxis, MOST_TICKS)
    draw_legend(figure, list_handles(rows))
    return figure


def find_span(rows: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of the axis: all numbers, with room at both sides."""
    published = rows["theirs_numbers"].map(dict.values).explode().dropna()
    numbers = [*rows[["ours", "low", "high"]].astype(float).stack().dropna(), *published]
    return min(SPAN[0], min(numbers) / 1.3), max(SPAN[1], max(numbers) * 1.3)


def label_row(row: Any) -> str:
    """Return a claim's words, and on a line of its own what is over what, with the unit."""
    says = f"{row.claim}  {row.says.rstrip('.')}"
    words = textwrap.wrap(says, LABEL_CHARACTERS, max_lines=LABEL_LINES, placeholder=" …")
    place = f" ({row.at})" if row.at else ""
    below = f"→ {shorten_compared(row)}{f' [{row.unit}]' if row.unit else ''}{place}"
    lines = textwrap.wrap(below, LABEL_CHARACTERS, max_lines=2, placeholder=" …")
    return "\n".join([*words, *lines])


def shorten_compared(row: Any) -> str:
    """Return what is compared, without the values that the literal reading has."""
    short = re.sub(r" (release|placement|sort) \S+?(?=,| |$)", "", row.compared)
    return short.replace("disruptor (pool)", "Disruptor")


def draw_row(axes: Axes, place: float, half: float, row: Any, span: tuple[float, float]) -> None:
    """Draw claimed range, theirs, our readings, and the interval that decides, of one claim."""
    colour, marker = VERDICT_LOOKS[row.verdict]
    if not pd.isna(row.claimed_low):
        left, right = max(row.claimed_low, span[0]), min(row.claimed_high, span[1])
        axes.fill_betweenx([place - half, place + half], left, right, color=GREEN, alpha=0.13, lw=0)
    for number in row.theirs_numbers.values():
        marks.draw_published(axes, number, place, "d")
    for other in row.others:
        tick = VERDICT_LOOKS[other["verdict"]][0]
        axes.vlines(other["ours"], place - half, place + half, color=tick, lw=1.3, zorder=3)
    if not pd.isna(row.low):
        axes.hlines(place, row.low, row.high, color=colour, lw=2.4, zorder=2)
    look = {"marker": marker, "color": colour, "ms": 6, "mec": "black", "mew": 0.5}
    axes.plot(row.ours, place, zorder=4, **look)
    words = [format_ours(row), *textwrap.wrap(row.words, WORD_CHARACTERS)]
    text = {"transform": axes.get_yaxis_transform(), "fontsize": 7, "color": "#333333"}
    axes.text(1.01, place, "\n".join(words), va="center", **text)


def format_ours(row: Any) -> str:
    """Return '4.00 [3.72 to 4.30]', or '' where there is no number."""
    if pd.isna(row.ours):
        return ""
    bounds = "" if pd.isna(row.low) else f" [{format_range(row.low, row.high)}]"
    return f"{format_value(row.ours)}{bounds}"


def list_handles(rows: pd.DataFrame) -> list[Artist]:
    judged = {*rows["verdict"], *(o["verdict"] for others in rows["others"] for o in others)}
    handles: list[Artist] = [
        Line2D([], [], color=colour, marker=marker, mec="black", mew=0.5, label=verdict)
        for verdict, (colour, marker) in VERDICT_LOOKS.items()
        if verdict in judged and colour != GREY
    ]
    handles.append(Patch(color=GREEN, alpha=0.13, label="claimed"))
    if rows["theirs_numbers"].any():
        handles.append(marks.make_published_handle("d", "theirs"))
    if any(rows["others"]):
        look = {"color": "#777777", "marker": "|", "ls": "", "ms": 8}
        handles.append(Line2D([], [], label="with another choice", **look))
    return handles


BARS = (
    "One row per claim. Mark and bar: the ratio and the interval that decides; ticks: with other"
    " choices that the source leaves open; green: the claimed range."
)
THEIRS = "Hollow: for each machine of the source, its number that is furthest from the claim."


def write_words(study: str, table: pd.DataFrame, note: str) -> Words:
    """Return the picture's words; its title counts the verdicts."""
    rows = select_drawn(table)
    others = describe_others(table[~table["claim"].isin(rows["claim"])])
    parts = [BARS, THEIRS if rows["theirs_numbers"].any() else "", others]
    described = [f"{row.claim}: {format_ours(row)}, {row.words}" for row in rows.itertuples()]
    alt = f"Verdicts on {count_claims(table)}. {'; '.join(described)}".strip()
    title = f"{capitalize(study)}, {count_claims(table)}"
    return Words(title, " ".join(filter(None, parts)), f"{alt}. {others}".strip(), note)


def describe_others(table: pd.DataFrame) -> str:
    """Return one line on the claims that are not drawn: 'Not testable here: P2, P4.'."""
    groups = table.groupby("verdict", sort=False)["claim"]
    return " ".join(f"{capitalize(words)}: {', '.join(names)}." for words, names in groups)
