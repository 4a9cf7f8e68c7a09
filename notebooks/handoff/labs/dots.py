"""A dot per fork: the student's own, and those of other machines."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from handoff.draw.save import use_style

OWN, OTHER = "#D55E00", "#999999"


def draw_dots(
    own: Mapping[str, Sequence[float]],
    axis: str,
    others: Sequence[Mapping[str, Sequence[float]]] = (),
) -> Figure:
    """Draw a row of dots per label, on a logarithmic axis; other machines' are small and grey."""
    use_style()
    figure, axes = plt.subplots(figsize=(7.5, 0.9 + 0.33 * len(own)))
    shift = 0.12 if others else 0.0
    for place, (label, values) in enumerate(own.items()):
        for theirs in others:
            marks = theirs.get(label, [])
            axes.plot(marks, [place - 0.18] * len(marks), ".", color=OTHER, ms=3)
        axes.plot(values, [place + shift] * len(values), "o", color=OWN, ms=5, alpha=0.7)
    axes.set_yticks(range(len(own)), list(own))
    axes.set_ylim(len(own) - 0.5, -0.5)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:g}")
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel(axis)
    # A notebook would show an open figure once more.
    plt.close(figure)
    return figure
