"""How whatever the model says looks, so that nobody takes it for a measurement: grey, dashed, and
called MODEL in each panel.
"""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from handoff.modelled.predictions import MOST_CONSUMERS

NAMES = {
    "ARRAY_BLOCKING_QUEUE": "blocking queue",
    "DISRUPTOR_WORKER_POOL": "Disruptor, worker pool",
    "DISRUPTOR_STRIPED": "Disruptor, striped",
}
MARKERS = {"ARRAY_BLOCKING_QUEUE": "s", "DISRUPTOR_WORKER_POOL": "o", "DISRUPTOR_STRIPED": "^"}
INK = "#555555"
LOAD_WORDS = {1: "1 sort", 15: "15 sorts", 300: "300 sorts"}
FAR, NEAR = "#333333", "#bbbbbb"
STAMP = "MODEL"
STAMPED = "MODEL, not measured; no independent test:"


def list_handles() -> list[Line2D]:
    """What the legend shows of each mechanism."""
    return [
        Line2D([], [], color=INK, ls="--", marker=MARKERS[name], label=f"{STAMP}: {words}")
        for name, words in NAMES.items()
    ]


def draw_marks(axes: Axes, x: pd.Series, y: pd.Series, said: pd.Series, marker: str) -> None:
    """Filled where the model says something, hollow where it cannot."""
    for chosen, fill in ((said, INK), (~said, "white")):
        axes.plot(x[chosen], y[chosen], ls="", marker=marker, ms=5, color=INK, mfc=fill, zorder=3)


def shade_sockets(axes: Axes) -> None:
    """The ground on which the machine as it is uses both sockets."""
    axes.axvspan(5.5, MOST_CONSUMERS + 0.5, color="#f0f0f0", lw=0, zorder=0)
    axes.set_xlim(0.5, MOST_CONSUMERS + 0.5)


def stamp(axes: Axes) -> None:
    """Says it in each panel, for one that is cut out."""
    axes.text(
        0.5,
        0.5,
        STAMP,
        transform=axes.transAxes,
        fontsize=30,
        color="#000000",
        alpha=0.13,
        ha="center",
        va="center",
        rotation=25,
        zorder=5,
    )
