"""Axis of a sweep's figure: where each value of a parameter lies, and which labels have room."""

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from handoff.analysis.swept import MECHANISM, Swept
from handoff.draw.marks import WIDE, choose_ticks, format_number

MOST_LABELS = 12
"""Labels of an axis of numbers; words are all named."""

MOST_MARKS = 40
"""Values that have a small mark each."""

PANEL_INCHES, LETTER_INCHES, GAP_INCHES = 5.8, 0.062, 0.09
"""Width of all panels together, of a label's letter, and the least room between two labels."""

ANY = "any"
"""Label of mechanisms to which the parameter along the axis makes no difference."""

OUTSIDE = 0.09
"""Share of the axis between the values and what lies outside them."""

SPREAD, MOST_SPREAD = 0.5, 0.08
"""Share of the least distance of two values, and of the axis, that a value's marks may take."""


class Axis(NamedTuple):
    """Places of values, labels at places, and the room that the marks of one value may take.

    `outside` is the place of forks to which the parameter makes no difference. `ordered` says that
    distances mean something, so that lines may join neighbours.
    """

    places: dict[Any, float]
    labels: list[tuple[float, str]]
    title: str
    spread: float
    outside: float
    ordered: bool

    def place(self, value: Any) -> float:
        return self.outside if value is None or pd.isna(value) else self.places[value]

    def list_labels(self, outside: bool) -> list[tuple[float, str]]:
        """Return the labels, with `ANY` first if the place outside is used."""
        return ([(self.outside, ANY)] if outside else []) + self.labels

    def limits(self, outside: bool) -> tuple[float, float]:
        """Return both ends of the axis, with the place outside if it is used."""
        first, last = min(self.places.values()), max(self.places.values())
        margin = self.spread / 2 + (first - self.outside) / 4
        return (self.outside if outside else first) - margin, last + margin


def plan_axis(swept: Swept, name: str, panels: int) -> Axis:
    """Return the axis of a parameter in one of several panels side by side.

    Numbers are on a linear or a logarithmic axis, the one that spreads them more evenly.
    """
    values = swept.values(name)
    title = swept.study.label(name)
    if not all(isinstance(value, int | float | np.integer) for value in values):
        names = [swept.study.look(v).short if name == MECHANISM else str(v) for v in values]
        places = {value: float(place) for place, value in enumerate(values)}
        named = list(zip(places.values(), names, strict=True))
        return Axis(places, named, title, SPREAD, outside=-1.0, ordered=False)
    scaled, logarithmic = scale_values([float(value) for value in values])
    span = max(1e-9, scaled[-1] - scaled[0])
    least = min((after - before for before, after in pairwise(scaled)), default=span)
    inches = PANEL_INCHES / panels / (span * (1 + 2 * OUTSIDE))
    labels = drop_crowded(choose_labels(values, scaled, logarithmic), inches)
    title += ", logarithmic" if logarithmic else ""
    spread, outside = min(SPREAD * least, MOST_SPREAD * span), scaled[0] - OUTSIDE * span
    places = dict(zip(values, scaled, strict=True))
    return Axis(places, labels, title, spread, outside, ordered=True)


def scale_values(values: list[float]) -> tuple[list[float], bool]:
    """Return the places of numbers in order, and whether these are logarithms.

    Logarithms are for numbers that differ by a factor of `WIDE` and more. A 0 lies as far to the
    left of the least other number as that one's next neighbour to its right.
    """
    positive = [value for value in values if value > 0]
    if len(positive) < max(2, len(values) - (0 in values)) or positive[-1] < WIDE * positive[0]:
        return values, False
    logs = [math.log10(value) for value in positive]
    if 0 in values:
        logs = [logs[0] - (logs[1] - logs[0]), *logs]
    evenness = [
        min(after - before for before, after in pairwise(places)) / (places[-1] - places[0])
        for places in (values, logs)
    ]
    return (logs, True) if evenness[1] > evenness[0] else (values, False)


def choose_labels(values: list, places: list[float], logarithmic: bool) -> list[tuple[float, str]]:
    """Return places with labels: the values themselves, or round numbers where they are many."""
    if len(values) <= MOST_LABELS:
        return [(place, format_number(v)) for v, place in zip(values, places, strict=True)]
    if not logarithmic:
        ticks = MaxNLocator(MOST_LABELS - 2, steps=[1, 2, 5, 10]).tick_values(values[0], values[-1])
        return [(float(t), format_number(t)) for t in ticks if values[0] <= t <= values[-1]]
    low, high = min(value for value in values if value > 0), values[-1]
    numbers = choose_ticks(low, high, MOST_LABELS)
    zero = [(places[0], "0")] if values[0] == 0 else []
    return [*zero, *((math.log10(number), format_number(number)) for number in numbers)]


def drop_crowded(labels: list[tuple[float, str]], inches: float) -> list[tuple[float, str]]:
    """Return the labels that have room next to each other, the first and the last among them."""

    def clash(one: tuple[float, str], other: tuple[float, str]) -> bool:
        width = LETTER_INCHES * (len(one[1]) + len(other[1])) / 2 + GAP_INCHES
        return (other[0] - one[0]) * inches < width

    kept: list[tuple[float, str]] = []
    for label in labels:
        if not kept or not clash(kept[-1], label):
            kept.append(label)
    first, last = kept[0], labels[-1]
    middle = [label for label in kept[1:] if not clash(label, last)]
    return [first, *middle] if clash(first, last) else [first, *middle, last]


def label_axis(axes: Axes, axis: Axis, outside: bool) -> None:
    """Set ends, labels, and a small mark at each value; words that are long are set aslant."""
    places, names = zip(*axis.list_labels(outside), strict=True)
    axes.set_xticks(places, names)
    marked = axis.ordered and len(axis.places) <= MOST_MARKS
    axes.set_xticks(list(axis.places.values()) if marked else [], minor=True)
    if not axis.ordered and max(map(len, names)) * len(names) > 26:
        for text in axes.get_xticklabels():
            text.set(rotation=35, ha="right", rotation_mode="anchor", fontsize=7)
    axes.set_xlim(*axis.limits(outside))
