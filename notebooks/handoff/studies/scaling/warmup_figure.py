"""Figure of the warm-up: every shot of every fork, in order."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.draw.page import draw_note, new_figure
from handoff.studies.scaling import STUDY
from handoff.text import pluralize


def draw_warmup(shots: pd.DataFrame, note: str) -> Figure:
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
            axes.set_title(
                f"{STUDY.look(mechanism).short}, {pluralize(sorts, 'sort')}", fontsize=7.5
            )
        row[0].set_ylabel("shot / later half")
    for axes in grid[-1]:
        axes.set_xlabel("shot in its fork")
    draw_note(figure, note)
    return figure


def draw_panel(axes: Axes, shots: pd.DataFrame, mechanism: str) -> None:
    axes.axhline(1, color="#777777", lw=0.8)
    axes.set(
        yscale="log",
        ylim=(0.5, 8),
        yticks=[0.5, 1, 2, 4, 8],
        yticklabels=["0.5", "1", "2", "4", "8"],
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
