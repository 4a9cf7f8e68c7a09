"""The picture of the verdicts: a row a claim, the interval against what is claimed."""

import textwrap
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

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
from handoff.draw.note import draw_note

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
SPAN = (0.1, 10.0)


def draw_verdicts(table: pd.DataFrame, note: str) -> Figure:
    """From the rows of one study: ours with its 90 % interval, theirs as hollow marks,
    the claimed range in green.
    """
    figure, axes = plt.subplots(figsize=(4.4, ROW_INCHES * len(table) + 1.3))
    published = [number for own in table["theirs_numbers"] for number in own.values()]
    numbers = [*table[["ours", "low", "high"]].astype(float).stack().dropna(), *published]
    span = (
        min([SPAN[0], *(number / 1.5 for number in numbers)]),
        max([SPAN[1], *(number * 1.5 for number in numbers)]),
    )
    axes.set(
        xscale="log",
        xlim=span,
        ylim=(len(table) - 0.5, -0.5),
        xlabel="ratio; or a level: cores a thread, nanoseconds",
    )
    axes.axvline(1, color="black", lw=0.8, zorder=1)
    for place, row in enumerate(table.itertuples()):
        draw_row(axes, place, row, span)
    axes.set_yticks(range(len(table)), list_labels(table), fontsize=7.5)
    ticks = [tick for tick in TICKS if span[0] <= tick <= span[1]]
    axes.set_xticks(ticks, [f"{tick:,g}" for tick in ticks])
    axes.minorticks_off()
    draw_legend(axes, table)
    draw_note(axes, -0.8, -0.62 / (ROW_INCHES * len(table) + 0.4), note)
    return figure


ROW_INCHES, LABEL_CHARACTERS = 0.34, 46


def list_labels(table: pd.DataFrame) -> list[str]:
    """A claim's words beside its first row, cut to two lines; nothing beside its other readings."""
    first = ~table["claim"].duplicated()
    return [
        shorten_words(f"{row.claim}  {row.says}") if shown else ""
        for row, shown in zip(table.itertuples(), first, strict=True)
    ]


def shorten_words(words: str) -> str:
    """On two lines at most."""
    first, *rest = textwrap.wrap(words, LABEL_CHARACTERS)
    if not rest:
        return first
    return f"{first}\n{textwrap.shorten(' '.join(rest), LABEL_CHARACTERS, placeholder=' …')}"


TICKS = (0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1_000, 10_000)


def draw_row(axes: Axes, place: int, row: Any, span: tuple[float, float]) -> None:
    """One claim: claimed range, theirs, interval and estimate; or, where ours is lacking, why."""
    colour, marker = VERDICT_LOOKS[row.verdict]
    if not pd.isna(row.claimed_low):
        left, right = max(row.claimed_low, span[0]), min(row.claimed_high, span[1])
        axes.fill_betweenx(
            [place - 0.42, place + 0.42], left, right, color="#009E73", alpha=0.13, lw=0, zorder=0
        )
    published = list(row.theirs_numbers.values())
    axes.plot(
        published,
        [place] * len(published),
        ls="",
        marker="d",
        mfc="none",
        mec="black",
        ms=6,
        zorder=2,
    )
    if pd.isna(row.ours):
        beside = {"fontsize": 7.5, "color": "#777777", "va": "center", "style": "italic"}
        ground = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        across = axes.get_yaxis_transform()
        axes.text(0.01, place, row.verdict, transform=across, bbox=ground, **beside)
        return
    told = ", ".join(filter(None, [row.reading, row.words.removeprefix(row.verdict).strip()]))
    here = {"transform": axes.get_yaxis_transform(), "ha": "left", "va": "center"}
    axes.text(1.01, place, told, fontsize=7.5, color="#555555", **here)
    if not pd.isna(row.low):
        axes.hlines(place, row.low, row.high, color=colour, lw=2, zorder=2)
    axes.plot(row.ours, place, marker=marker, color=colour, ms=7, mec="black", mew=0.5, zorder=3)


def draw_legend(axes: Axes, table: pd.DataFrame) -> None:
    there = [
        verdict
        for verdict in VERDICT_LOOKS
        if verdict in set(table.loc[table["ours"].notna(), "verdict"])
    ]
    marks = [
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
        marks.append(Line2D([], [], ls="", marker="d", mfc="none", mec="black", label="theirs"))
    marks.append(Patch(color="#009E73", alpha=0.13, label="claimed"))
    axes.legend(handles=marks, loc="lower left", bbox_to_anchor=(0, 1), fontsize=8, ncols=3)
