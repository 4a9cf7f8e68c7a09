"""Axis of a sweep's figure: where each value of a parameter lies, and which labels have room."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from handoff.analysis.swept import Swept
from handoff.draw.marks import WIDE, drop_crowded, format_number, has_room, measure_gap
from handoff.run.plan.pairs import MECHANISM

PANEL_INCHES = 5.8
"""Width of all panels together."""

ANY = "any"
"""Label of mechanisms to which the parameter along the axis makes no difference."""

OUTSIDE = 0.09
"""Share of the axis between the values and what lies outside them."""

SPREAD, MOST_SPREAD = 0.5, 0.08
"""Share of the least distance of two values, and of the axis, that a value's marks may take."""


class Axis(NamedTuple):
    """Places of values, labels at places, both ends, and the room of the marks of one value.

    None stands for forks to which the parameter makes no difference. `ordered` says that
    distances mean something, so that lines may join neighbours.
    """

    places: dict[Any, float]
    labels: list[tuple[float, str]]
    ends: tuple[float, float]
    title: str
    spread: float
    ordered: bool

    def locate(self, values: pd.Series) -> np.ndarray:
        """Return the places of these values."""
        return np.array([self.places[None if pd.isna(value) else value] for value in values])


def plan_axis(swept: Swept, name: str, outside: bool = False, panels: int = 1) -> Axis:
    """Return the axis of a parameter in one of several panels side by side.

    Numbers are on a linear or a logarithmic axis, the one that spreads them more evenly. `outside`
    says whether there are forks to which the parameter makes no difference.
    """
    values, title = swept.values(name), swept.study.label(name)
    ordered = all(isinstance(value, int | float | np.integer) for value in values)
    if ordered:
        scaled, logarithmic = scale_values([float(value) for value in values])
        span = max(1e-9, scaled[-1] - scaled[0])
        least = min((after - before for before, after in pairwise(scaled)), default=span)
        spread = min(SPREAD * least, MOST_SPREAD * span)
        inches = PANEL_INCHES / panels / (span * (1 + 2 * OUTSIDE))
        numbers = zip(scaled, map(format_number, values), strict=True)
        labels = drop_crowded(list(numbers), inches)
        away = max(OUTSIDE * span, measure_gap(ANY, labels[0][1]) / inches)
        title += ", logarithmic" if logarithmic else ""
    else:
        scaled, spread, away = list(map(float, range(len(values)))), SPREAD, 1.0
        names = [swept.study.look(v).short if name == MECHANISM else str(v) for v in values]
        labels = list(zip(scaled, names, strict=True))
    places, margin = dict(zip(values, scaled, strict=True)), spread / 2 + away / 4
    if outside:
        places = {None: scaled[0] - away, **places}
        labels = [(places[None], ANY), *labels]
    ends = min(places.values()) - margin, scaled[-1] + margin
    return Axis(places, labels, ends, title, spread, ordered)


def scale_values(values: list[float]) -> tuple[list[float], bool]:
    """Return the places of numbers in order, and whether these are logarithms.

    Logarithms are for numbers that differ by a factor of `WIDE` and more. A 0 lies as far to the
    left of the least other number as that one's next neighbour to its right.
    """
    positive = [value for value in values if value > 0]
    if len(positive) < max(2, len(values) - (0 in values)) or positive[-1] < WIDE * positive[0]:
        return values, False
    logs = np.log10(positive).tolist()
    if 0 in values:
        logs = [2 * logs[0] - logs[1], *logs]
    linear, even = (np.diff(places).min() / np.ptp(places) for places in (values, logs))
    return (logs, True) if even > linear else (values, False)


def label_axis(axes: Axes, axis: Axis) -> None:
    """Set ends, labels, and a small mark at each number; words that are long are set aslant."""
    places, names = zip(*axis.labels, strict=True)
    axes.set_xticks(places, names)
    axes.set_xticks(list(axis.places.values()) if axis.ordered else [], minor=True)
    if not axis.ordered and not has_room(axes, names):
        for text in axes.get_xticklabels():
            text.set(rotation=35, ha="right", rotation_mode="anchor", fontsize=7)
    axes.set_xlim(*axis.ends)
