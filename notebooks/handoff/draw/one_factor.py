"""Figure of what one choice changes by itself, for any study."""

import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.one_factor import OneFactorDesign
from handoff.draw import marks
from handoff.draw.page import draw_note, new_figure
from handoff.registry import find_study

MAX_PAIRS = 12
"""Pairs per choice that the figure has room for."""
ROW_INCHES = 0.36
CAPTION = "Each row: two points that differ in one choice alone."
BARS = "bars: 95 % interval"


def select_fitting(varied: OneFactorDesign, forks: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs whose threads all have a core."""
    rows = varied.pairs(forks)
    return rows[~rows["oversubscribed"]] if len(rows) else rows


def select_drawn(rows: pd.DataFrame, forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks behind these pairs."""
    return forks[forks["point"].isin(set().union(*rows["points"]))]


def draw_pairs(varied: OneFactorDesign, rows: pd.DataFrame, note: str) -> Figure:
    """Draw one row per pair, grouped by choice: the ratio of times with its interval."""
    ordered = rows.sort_values(["choice", *varied.where, "mechanism", "beside"])
    rows = ordered.groupby("choice").head(MAX_PAIRS).reset_index(drop=True)[::-1]
    if len(rows) < len(ordered):
        note = f"{len(ordered) - len(rows)} more pairs are in the notebook's table. {note}"
    figure, grid = new_figure(height=ROW_INCHES * len(rows) + 0.9)
    axes = grid[0][0]
    for height, row in enumerate(rows.itertuples()):
        look = find_study(varied.study).look(row.mechanism)
        bounds = None if pd.isna(row.low) else (row.low, row.high)
        marks.draw_ratio_row(axes, height, (row.ratio, bounds), look, shared=False)
    axes.axvline(1, color="black", lw=0.8)
    axes.set(xscale="log", xlabel="time after / time before", ylim=(-0.6, len(rows) - 0.4))
    axes.set_title("What one choice changes by itself")
    axes.set_yticks(
        range(len(rows)),
        [format_pair(varied, row) for row in rows.to_dict("records")],
    )
    marks.format_log_axis(axes.xaxis)
    draw_note(figure, note)
    return figure


def format_pair(varied: OneFactorDesign, row: dict) -> str:
    """Return 'cached ring, threads 2 (capacity 262144)', and below it 'idle: PARK → SPIN'."""
    name = find_study(varied.study).look(row["mechanism"]).short
    fixed = f" ({row['beside']})" if row["beside"] else ""
    head = f"{name}{varied.place(row)}{fixed}"
    return f"{head}\n{row['choice']}: {row['from']} → {row['to']}"
