"""A figure for any study: a row a point, a mark a fork."""

import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.forks import compute_interval
from handoff.draw.page import draw_note, new_figure
from handoff.study import Study

ROW_INCHES = 0.22
WIDE = 10
"""Beyond this ratio of the greatest to the least the axis is logarithmic."""

CAPTION = "Each row a point, each mark a fork; thick: the mean. Hollow: threads share cores."


def draw_points(study: Study, forks: pd.DataFrame, labels: dict[str, str], note: str) -> Figure:
    """Nanoseconds per event of every fork. `labels`: what a point (by its key) is called."""
    keys = [key for key in labels if key in set(forks["point"])][::-1]
    figure, grid = new_figure(height=ROW_INCHES * len(keys) + 0.9)
    axes = grid[0][0]
    for height, key in enumerate(keys):
        rows = forks[forks["point"] == key]
        look, times = study.look(rows["mechanism"].iloc[0]), rows["ns_per_event"]
        fill = "white" if rows["oversubscribed"].any() else look.colour
        at = [height] * len(times)
        axes.scatter(times, at, marker=look.dot, s=18, fc=fill, ec=look.colour, lw=0.8, zorder=3)
        axes.vlines(times.mean(), height - 0.3, height + 0.3, color=look.colour, lw=1.8)
        bounds = compute_interval(times)
        if bounds and bounds[0] > 0:
            axes.hlines(height, *bounds, color=look.colour, lw=1.2)
    axes.set_yticks(range(len(keys)), [labels[key] for key in keys], fontsize=7)
    axes.set(xlabel="ns per event", title=study.title or study.name)
    values = forks["ns_per_event"]
    if values.max() > WIDE * values.min():
        axes.set_xscale("log")
    else:
        axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.6g}")
    draw_note(figure, note)
    return figure
