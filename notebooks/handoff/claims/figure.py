"""The picture of the verdicts: a row a claim, the interval against what is claimed."""

import textwrap
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from handoff.claims.load import MATCHED_LOAD
from handoff.claims.verdicts import (
    CONTRADICTED,
    DIRECTION,
    INCONCLUSIVE,
    LARGER,
    NOT_AT_LOAD,
    NOT_MEASURED,
    NOT_TESTABLE,
    REPRODUCED,
    SMALLER,
)
from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, new_figure

VERDICT_LOOKS = {
    REPRODUCED: ("#009E73", "o"),
    SMALLER: ("#56B4E9", "v"),
    LARGER: ("#56B4E9", "^"),
    DIRECTION: ("#56B4E9", "D"),
    CONTRADICTED: ("#D55E00", "X"),
    INCONCLUSIVE: ("#777777", "s"),
    NOT_TESTABLE: ("#bbbbbb", "_"),
    NOT_AT_LOAD: ("#bbbbbb", "_"),
    NOT_MEASURED: ("#bbbbbb", "_"),
}
SPAN = (0.4, 2.5)
"""What the axis shows at the least."""


def draw_verdicts(table: pd.DataFrame, note: str) -> Figure:
    """From the rows of one study: ours with its 90 % interval, theirs as hollow marks,
    the claimed range in green.
    """
    places = list_places(table)
    figure, grid = new_figure(height=places[-1] + FRAME_INCHES)
    axes = grid[0][0]
    published = [number for own in table["theirs_numbers"] for number in own.values()]
    numbers = [*table[["ours", "low", "high"]].astype(float).stack().dropna(), *published]
    span = (
        min([SPAN[0], *(number / 1.5 for number in numbers)]),
        max([SPAN[1], *(number * 1.5 for number in numbers)]),
    )
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
"""To the next reading of the same claim; and what stands around all rows."""
LINE_INCHES, GAP_INCHES, HALF_BAND_INCHES = 0.118, 0.04, 0.075
LABEL_CHARACTERS, LABEL_LINES = 42, 3
MOST_TICKS = 5


def list_places(table: pd.DataFrame) -> list[float]:
    """How far below the first each row stands, in inches, so that no claim's words touch those of
    the one above.
    """
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
    """A claim's words, and a level's unit, beside its first row; nothing beside its other
    readings.
    """
    first = ~table["claim"].duplicated()
    return [
        shorten_words(f"{row.claim}  {row.says.rstrip('.')}", row.unit) if shown else ""
        for row, shown in zip(table.itertuples(), first, strict=True)
    ]


def shorten_words(words: str, unit: str = "") -> str:
    """On as many lines as there is room for, the unit on one of its own."""
    lines = textwrap.wrap(words, LABEL_CHARACTERS, max_lines=LABEL_LINES, placeholder=" …")
    return "\n".join([*lines, f"[{unit}]"] if unit else lines)


COVERED = "Beside a mark: how the claim is read, and at how many of its points it was judged."
MATCHED = "Matched load: at the value that costs here about what the source's did."
BARS = (
    "Bars: 90 % intervals, that is one-sided 95 % bounds, unadjusted; verdicts are adjusted by"
    " Holm."
)
THEIRS = "Hollow: the source's own number that is furthest from what it claims, one a machine."


def write_note(table: pd.DataFrame, ours: str) -> str:
    """The footnote; `ours` is the run's part, '' where nothing is ours."""
    parts = [
        f"{COVERED} {BARS}" if ours else "",
        MATCHED if ours and table["reading"].str.contains(MATCHED_LOAD).any() else "",
        THEIRS if table["theirs_numbers"].any() else "",
        ours,
    ]
    return "\n".join(filter(None, parts))


def shorten_coverage(row: Any) -> str:
    """'1 of 11', of 'at 1 of 11 points'."""
    return row.words.removeprefix(row.verdict).strip().removeprefix("at ").removesuffix(" points")


def draw_row(axes: Axes, place: float, row: Any, span: tuple[float, float]) -> None:
    """One claim: claimed range, theirs, interval and estimate; or, where ours is lacking, why."""
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
    lacking = pd.isna(row.ours)
    told = row.verdict if lacking else ": ".join(filter(None, [row.reading, shorten_coverage(row)]))
    axes.text(
        1.01,
        place,
        told,
        transform=axes.get_yaxis_transform(),
        fontsize=7,
        color="#777777" if lacking else "#333333",
        style="italic" if lacking else "normal",
        va="center",
    )
    if lacking:
        return
    if not pd.isna(row.low):
        axes.hlines(place, row.low, row.high, color=colour, lw=2, zorder=2)
    axes.plot(row.ours, place, marker=marker, color=colour, ms=5.5, mec="black", mew=0.5, zorder=3)


def list_handles(table: pd.DataFrame) -> list[Artist]:
    """For the verdicts that are there, theirs, and the claimed range."""
    there = [
        verdict
        for verdict in VERDICT_LOOKS
        if verdict in set(table.loc[table["ours"].notna(), "verdict"])
    ]
    handles: list[Artist] = [
        Line2D(
            [],
            [],
            color=VERDICT_LOOKS[v][0],
            marker=VERDICT_LOOKS[v][1],
            mec="black",
            mew=0.5,
            label=v,
        )
        for v in there
    ]
    if table["theirs_numbers"].any():
        handles.append(marks.make_published_handle("d", "theirs"))
    return [*handles, Patch(color="#009E73", alpha=0.13, label="claimed")]
