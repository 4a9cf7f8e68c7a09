"""Ratios of several machines side by side: one row per ratio, one mark per machine."""

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.figure import Figure

from handoff.draw.page import draw_legend, new_figure
from handoff.study import MARKERS, PALETTE

ROW_INCHES, MARGIN_INCHES = 0.42, 1.0
SPREAD = 0.6
"""Part of a row over which the machines are spread."""


class Ratio(NamedTuple):
    """A machine's ratio with the ends of its interval, None where it has none."""

    machine: str
    row: str
    value: float
    low: float | None
    high: float | None


def draw_forest(ratios: Sequence[Ratio], axis: str) -> Figure:
    """Draw the ratios on a logarithmic axis, in the order in which their rows first occur."""
    rows = list(dict.fromkeys(ratio.row for ratio in ratios))
    machines = list(dict.fromkeys(ratio.machine for ratio in ratios))
    figure, ((axes,),) = new_figure(height=MARGIN_INCHES + ROW_INCHES * len(rows))
    axes.axvline(1, color="black", linewidth=0.8)
    handles = []
    for number, machine in enumerate(machines):
        own = [ratio for ratio in ratios if ratio.machine == machine]
        shift = SPREAD * ((number + 0.5) / len(machines) - 0.5)
        places = [rows.index(ratio.row) + shift for ratio in own]
        style = {"color": PALETTE[number % len(PALETTE)], "label": machine}
        marker = MARKERS[number % len(MARKERS)]
        handles += axes.plot(
            [r.value for r in own], places, linestyle="", marker=marker, markersize=5, **style
        )
        for ratio, place in zip(own, places, strict=True):
            if ratio.low is not None:
                axes.plot([ratio.low, ratio.high], [place, place], color=style["color"])
    axes.set(xscale="log", xlabel=axis, ylim=(len(rows) - 0.5, -0.5))
    axes.set_yticks(range(len(rows)), rows)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("{x:g}")
    draw_legend(figure, handles)
    return figure
