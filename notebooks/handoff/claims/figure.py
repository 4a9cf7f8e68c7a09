"""Picture of the verdicts: one row per claim, the interval against what is claimed."""

import textwrap
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from handoff.claims.verdicts import (
    CONTRADICTED,
    DIRECTION,
    EARLY,
    FAILS,
    HOLDS,
    INCONCLUSIVE,
    LARGER,
    NOT_AT_LOAD,
    NOT_MEASURED,
    NOT_TESTABLE,
    REPRODUCED,
    SMALLER,
    UNDECIDED,
)
from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, new_figure

VERDICT_LOOKS = {
    REPRODUCED: ("#009E73", "o"),
    SMALLER: ("#56B4E9", "v"),
    LARGER: ("#56B4E9", "^"),
    DIRECTION: ("#56B4E9", "P"),
    UNDECIDED: ("#56B4E9", "D"),
    CONTRADICTED: ("#D55E00", "X"),
    INCONCLUSIVE: ("#777777", "s"),
    EARLY: ("#bbbbbb", "_"),
    HOLDS: ("#bbbbbb", "_"),
    FAILS: ("#bbbbbb", "_"),
    NOT_TESTABLE: ("#bbbbbb", "_"),
    NOT_AT_LOAD: ("#bbbbbb", "_"),
    NOT_MEASURED: ("#bbbbbb", "_"),
}
SPAN = (0.4, 2.5)
"""Smallest range of the axis."""


def draw_verdicts(table: pd.DataFrame, note: str) -> Figure:
    """Draw the rows of one study.

    Ours has the interval that decides, theirs are hollow marks, the claimed range is green.
    """
    places = list_places(table)
    figure, grid = new_figure(height=places[-1] + FRAME_INCHES)
    axes = grid[0][0]
    published = [number for numbers in table["theirs_numbers"] for number in numbers.values()]
    numbers = [*table[["ours", "low", "high"]].astype(float).stack().dropna(), *published]
    low, high = min(numbers, default=1), max(numbers, default=1)
    span = (min(SPAN[0], low / 1.5), max(SPAN[1], high * 1.5))
    axes.set(
        xscale="log",
        xlim=span,
        ylim=(places[-1] + READING_INCHES, places[0] - READING_INCHES),
        xlabel="ratio, or a level in the unit that the claim names",
    )
    axes.axvline(1, color="black", lw=0.8, zorder=1)
    for place, row in zip(places, table.itertuples(), strict=True):
        draw_row(axes, place, row, span)
    axes.set_yticks(places, list_labels(table), fontsize=7)
    marks.format_log_axis(axes.xaxis, MOST_TICKS)
    draw_legend(figure, list_handles(table))
    draw_note(figure, note)
    return figure


READING_INCHES, FRAME_INCHES = 0.17, 1.1
"""Distance to the next reading of the same claim; and the frame around all rows."""
LINE_INCHES, GAP_INCHES, HALF_BAND_INCHES = 0.118, 0.04, 0.075
LABEL_CHARACTERS, LABEL_LINES = 42, 3
MOST_TICKS = 5


def list_places(table: pd.DataFrame) -> list[float]:
    """Return how far each row is below the first, in inches, so that no words touch."""
    places, taken = [], 0.0
    for label in list_labels(table):
        half = LINE_INCHES * (label.count("\n") + 1) / 2
        if label:
            places.append(max(taken + GAP_INCHES, places[-1] if places else 0) + half)
            taken = places[-1] + half
        else:
            places.append(places[-1] + READING_INCHES)
            taken = max(taken, places[-1] + HALF_BAND_INCHES)
    return [place - places[0] for place in places]


def list_labels(table: pd.DataFrame) -> list[str]:
    """Return a claim's words and unit for its first row, '' for its other readings."""
    first = ~table["claim"].duplicated()
    return [
        shorten_words(f"{row.claim}  {row.says.rstrip('.')}", row.unit) if shown else ""
        for row, shown in zip(table.itertuples(), first, strict=True)
    ]


def shorten_words(words: str, unit: str = "") -> str:
    """Return the words on as many lines as fit, and the unit on a line of its own."""
    lines = textwrap.wrap(words, LABEL_CHARACTERS, max_lines=LABEL_LINES, placeholder=" …")
    return "\n".join([*lines, f"[{unit}]"] if unit else lines)


COVERED = "Next to a mark: how the claim is read, and at how many of its points it was judged."
BARS = (
    "Bars: the interval that decides; all rows of a reading together err in at most 5 of 100 runs"
    " (in simulation)."
)
THEIRS = "Hollow: for each machine of the source, its number that is furthest from the claim."


def write_note(table: pd.DataFrame, ours: str) -> str:
    """Return the footnote; `ours` is the part of the run, '' if the run has no numbers."""
    parts = [
        f"{COVERED} {BARS}" if ours else "",
        THEIRS if table["theirs_numbers"].any() else "",
        ours,
    ]
    return "\n".join(filter(None, parts))


def shorten_coverage(row: Any) -> str:
    """Return '1 of 11' for 'at 1 of 11 points'."""
    return row.words.removeprefix(row.verdict).strip().removeprefix("at ").removesuffix(" points")


def draw_row(axes: Axes, place: float, row: Any, span: tuple[float, float]) -> None:
    """Draw the claimed range, theirs, interval and estimate of one row.

    Without an estimate, the verdict is written in its place.
    """
    colour, marker = VERDICT_LOOKS[row.verdict]
    if not pd.isna(row.claimed_low):
        left, right = max(row.claimed_low, span[0]), min(row.claimed_high, span[1])
        axes.fill_betweenx(
            [place - HALF_BAND_INCHES, place + HALF_BAND_INCHES],
            left,
            right,
            color="#009E73",
            alpha=0.13,
            lw=0,
            zorder=0,
        )
    for number in row.theirs_numbers.values():
        marks.draw_published(axes, number, place, "d")
    write_words(axes, place, row)
    if pd.isna(row.ours):
        return
    if not pd.isna(row.low):
        axes.hlines(place, row.low, row.high, color=colour, lw=2, zorder=2)
    axes.plot(row.ours, place, marker=marker, color=colour, ms=5.5, mec="black", mew=0.5, zorder=3)


def write_words(axes: Axes, place: float, row: Any) -> None:
    """Write reading and coverage at the right edge, or the verdict where there is no estimate."""
    empty = pd.isna(row.ours)
    words = ": ".join(filter(None, [row.reading, shorten_coverage(row)]))
    axes.text(
        1.01,
        place,
        row.verdict if empty else words,
        transform=axes.get_yaxis_transform(),
        fontsize=7,
        color="#777777" if empty else "#333333",
        style="italic" if empty else "normal",
        va="center",
    )


def list_handles(table: pd.DataFrame) -> list[Artist]:
    """Return legend handles for the verdicts in the table, theirs, and the claimed range."""
    judged = set(table.loc[table["ours"].notna(), "verdict"])
    handles: list[Artist] = [
        Line2D([], [], color=colour, marker=marker, mec="black", mew=0.5, label=verdict)
        for verdict, (colour, marker) in VERDICT_LOOKS.items()
        if verdict in judged
    ]
    if table["theirs_numbers"].any():
        handles.append(marks.make_published_handle("d", "theirs"))
    return [*handles, Patch(color="#009E73", alpha=0.13, label="claimed")]
