"""A dot per fork, on a logarithmic axis."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from handoff.draw.save import use_style

COLOR = "#D55E00"


def draw_dots(rows: Mapping[str, Sequence[float]], axis: str) -> Figure:
    """Draw a row of dots per label."""
    use_style()
    figure, axes = plt.subplots(figsize=(7.5, 0.9 + 0.33 * len(rows)))
    for place, values in enumerate(rows.values()):
        axes.plot(values, [place] * len(values), "o", color=COLOR, ms=5, alpha=0.7)
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:g}")
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel(axis)
    # A notebook would show an open figure once more.
    plt.close(figure)
    return figure
