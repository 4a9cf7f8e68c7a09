"""Figure of the warm-up: every shot of every fork, in order."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.draw.page import new_figure
from handoff.draw.words import Words
from handoff.studies.scaling import STUDY
from handoff.text import pluralize


def draw_warmup(shots: pd.DataFrame) -> Figure:
    """Draw one panel per load and mechanism, with one line per fork; the sweep's warm-up is grey.

    A line shows shots over the median of the fork's later half.
    """
    shots = shots[shots["counted"]]
    names = set(shots["mechanism"])
    loads = sorted(shots["sorts"].unique())
    mechanisms = [name for name in STUDY.looks if name in names] + sorted(names - set(STUDY.looks))
    figure, grid = new_figure(
        len(loads), len(mechanisms), 1.35 * len(loads) + 0.5, sharey=True, sharex="row"
    )
    for row, sorts in zip(grid, loads, strict=True):
        for axes, mechanism in zip(row, mechanisms, strict=True):
            draw_panel(
                axes,
                shots[(shots["sorts"] == sorts) & (shots["mechanism"] == mechanism)],
                mechanism,
            )
        row[0].set_ylabel(f"{pluralize(sorts, 'sort')}\nshot ÷ later half")
    for axes, mechanism in zip(grid[0], mechanisms, strict=True):
        axes.set_title(STUDY.look(mechanism).short)
    for axes in grid[-1]:
        axes.set_xlabel("shot in its fork")
    return figure


def draw_panel(axes: Axes, shots: pd.DataFrame, mechanism: str) -> None:
    axes.axhline(1, color="#777777", lw=0.8)
    axes.set(
        yscale="log",
        ylim=(0.5, 4),
        yticks=[0.5, 1, 2, 4],
        yticklabels=["0.5", "1", "2", "4"],
    )
    axes.minorticks_off()
    for _, fork in shots.groupby(["point", "fork"]):
        times = fork.sort_values("shot")["ns_per_event"].to_numpy()
        axes.plot(
            np.arange(len(times)) + 1,
            times / np.median(times[len(times) // 2 :]),
            color=STUDY.look(mechanism).colour,
            lw=0.9,
            marker=".",
            ms=3,
            alpha=0.8,
        )
    if shots["warmup"].any():
        axes.axvspan(
            0.5, shots.loc[shots["warmup"], "shot"].max() + 1.5, color="#ececec", lw=0, zorder=0
        )


def write_words(steadiness: str, note: str) -> Words:
    """Return the figure's words; the title is the sentence on how many forks became steady."""
    caption = (
        "One line per fork: its shots over the median of their later half, so that 1 is where it"
        " ends. Grey: the sweep's own warm-up, which does not count."
    )
    title = steadiness.removeprefix("Steadiness: ").rstrip(".")
    return Words(
        title[:1].upper() + title[1:], caption, f"{steadiness} {caption}", note, main=False
    )
