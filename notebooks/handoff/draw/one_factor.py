"""The figure of what one choice changes by itself, whatever the study."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.one_factor import OneFactorDesign
from handoff.draw.note import draw_note
from handoff.registry import find_study

MAX_PAIRS = 12
"""Pairs that the figure can hold for each choice."""
TICKS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
CAPTION = "Each row: two points that differ in one choice alone."
BARS = "bars: 95 % Welch interval"


def select_fitting(varied: OneFactorDesign, forks: pd.DataFrame) -> pd.DataFrame:
    """The pairs whose threads all have a core."""
    rows = varied.pairs(forks)
    return rows[~rows["oversubscribed"]] if len(rows) else rows


def draw_pairs(varied: OneFactorDesign, rows: pd.DataFrame, note: str) -> Figure:
    """A row for each pair, by choice: the ratio of times with its interval."""
    ordered = rows.sort_values(["choice", *varied.where, "mechanism", "beside"])
    rows = ordered.groupby("choice").head(MAX_PAIRS).reset_index(drop=True)[::-1]
    if len(rows) < len(ordered):
        note = f"{len(ordered) - len(rows)} more pairs are in the notebook's table. {note}"
    figure, axes = plt.subplots(figsize=(9, 0.27 * len(rows) + 1.4))
    for height, row in enumerate(rows.itertuples()):
        seen = find_study(varied.study).look(row.mechanism)
        if not pd.isna(row.low):
            axes.hlines(height, row.low, row.high, color=seen.colour, lw=1.6)
        axes.plot(row.ratio, height, seen.marker, color=seen.colour, ms=6)
    axes.axvline(1, color="black", lw=0.8)
    axes.set(
        xscale="log", xlabel="time after / time before", title="What one choice changes by itself"
    )
    axes.set_yticks(
        range(len(rows)),
        [format_pair(varied, row) for row in rows.to_dict("records")],
        fontsize=7.5,
    )
    low, high = axes.get_xlim()
    ticks = [tick for tick in TICKS if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    draw_note(figure, 0.02, -0.04, note)
    return figure


def format_pair(varied: OneFactorDesign, row: dict) -> str:
    """'cached ring, threads 2, idle: PARK → SPIN (capacity 262144)'."""
    name = find_study(varied.study).look(row["mechanism"]).short
    beside = f" ({row['beside']})" if row["beside"] else ""
    return f"{name}{varied.place(row)}, {row['choice']}: {row['from']} → {row['to']}{beside}"
