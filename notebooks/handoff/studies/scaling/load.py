"""The load sweep: how the hand-over's share shrinks as the work per event grows."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.forks import compute_ratio
from handoff.draw.note import draw_note
from handoff.studies.scaling import STUDY
from handoff.text import pluralize

MIN_LOADS = 4
QUEUE = "ARRAY_BLOCKING_QUEUE"
PAPER_SORTS = (1, 15, 300)


def has_loads(forks: pd.DataFrame) -> bool:
    """Whether the forks span enough sort counts to draw."""
    return not forks.empty and compute_ratios(forks)["sorts"].nunique() >= MIN_LOADS


def compute_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """Queue over Disruptor for every load, number of consumers and Disruptor: columns `mechanism`,
    `consumers`, `sorts`, `work_ns` (sequential ns per event), `ratio`, `low`, `high` (95 %
    interval, or missing), `oversubscribed`.
    """
    work = forks[forks["mechanism"] == "SEQUENTIAL"].groupby("sorts")["ns_per_event"].mean()
    rows = []
    for (mechanism, consumers, sorts), group in forks.groupby(["mechanism", "consumers", "sorts"]):
        queue = forks[
            (forks["mechanism"] == QUEUE)
            & (forks["consumers"] == consumers)
            & (forks["sorts"] == sorts)
        ]
        if mechanism.startswith("DISRUPTOR") and len(queue) and sorts in work.index:
            middle, bounds = compute_ratio(queue, group)
            low, high = bounds or (None, None)
            shared = bool(group["oversubscribed"].any())
            rows.append([mechanism, consumers, sorts, work[sorts], middle, low, high, shared])
    return pd.DataFrame(
        rows,
        columns=[
            "mechanism",
            "consumers",
            "sorts",
            "work_ns",
            "ratio",
            "low",
            "high",
            "oversubscribed",
        ],
    )


def draw_load(forks: pd.DataFrame, note: str) -> Figure:
    """Queue over Disruptor against the measured work per event, one panel per
    number of consumers.
    """
    table = compute_ratios(forks)
    panels = sorted(table["consumers"].unique())
    figure, grid = plt.subplots(
        1, len(panels), figsize=(6.4 * len(panels), 4.4), squeeze=False, sharey=True
    )
    for axes, consumers in zip(grid[0], panels, strict=True):
        rows = table[table["consumers"] == consumers]
        shared = " (oversubscribed)" if rows["oversubscribed"].any() else ""
        axes.set(
            title=f"{pluralize(consumers, 'consumer')}{shared}",
            xscale="log",
            xlabel="sequential work per event (ns)",
        )
        if shared:
            axes.set_facecolor("#ececec")
        for mechanism, line in rows.groupby("mechanism"):
            draw_line(axes, mechanism, line)
        mark_loads(axes, rows)
        axes.axhline(1, color="black", lw=0.8)
    grid[0][0].set_ylabel("time of standard / time of disruptor")
    grid[0][0].legend()
    draw_note(figure, 0.125, -0.06, note)
    return figure


def draw_line(axes: plt.Axes, mechanism: str, line: pd.DataFrame) -> None:
    seen = STUDY.look(mechanism)
    fill = "white" if line["oversubscribed"].any() else seen.colour
    axes.plot(
        line["work_ns"],
        line["ratio"],
        color=seen.colour,
        ls=seen.line,
        marker=seen.marker,
        mfc=fill,
        label=seen.label,
    )
    sure = line.dropna(subset=["low", "high"])
    axes.fill_between(
        sure["work_ns"],
        sure["low"].astype(float),
        sure["high"].astype(float),
        color=seen.colour,
        alpha=0.2,
        lw=0,
    )


def mark_loads(axes: plt.Axes, rows: pd.DataFrame) -> None:
    """The paper's three sort counts, where they lie on this machine."""
    for sorts in PAPER_SORTS:
        at = rows.loc[rows["sorts"] == sorts, "work_ns"]
        if len(at):
            axes.axvline(at.iloc[0], color="#999999", lw=0.8, ls=":")
            axes.text(
                at.iloc[0],
                0.01,
                f" {pluralize(sorts, 'sort')}",
                transform=axes.get_xaxis_transform(),
                fontsize=7,
                color="#555555",
            )
