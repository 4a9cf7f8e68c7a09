"""Drift: what each fork differs from its point's mean by, against the order of execution."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.special import stdtrit

from handoff.draw.page import collect_handles, draw_legend, draw_note, new_figure
from handoff.studies.scaling import STUDY

MIN_FORKS = 3


def compute_residuals(forks: pd.DataFrame) -> pd.DataFrame:
    """Forks of points with three or more, with `percent`: time above the geometric mean of the
    point's forks.
    """
    if forks.empty:
        return forks
    logs = np.log(forks["ns_per_event"])
    by_point = logs.groupby(forks["point"])
    kept = by_point.transform("size") >= MIN_FORKS
    return forks.assign(percent=(np.exp(logs - by_point.transform("mean")) - 1) * 100)[kept]


def fit_slope(rows: pd.DataFrame) -> tuple[float, float, float]:
    """Change from the first fork to the last in percent, with its 95 % interval: one slope common
    to all points.

    Each point has a mean of its own, which costs it a degree of freedom. The interval is infinite
    where none is left.
    """
    by_point = rows.groupby("point")
    x = rows["order_index"] - by_point["order_index"].transform("mean")
    y = rows["percent"] - by_point["percent"].transform("mean")
    left, span = (
        len(rows) - by_point.ngroups - 1,
        rows["order_index"].max() - rows["order_index"].min(),
    )
    rise = (x * y).sum() / (x**2).sum()
    error = np.sqrt(((y - rise * x) ** 2).sum() / left / (x**2).sum()) if left > 0 else np.inf
    half = stdtrit(left, 0.975) * error if left > 0 else np.inf
    return rise * span, (rise - half) * span, (rise + half) * span


def draw_drift(rows: pd.DataFrame, note: str) -> Figure:
    """From `residuals`: a dot a fork, hollow where it ran disturbed, and the common slope."""
    figure, grid = new_figure()
    axes = grid[0][0]
    axes.axhline(0, color="#777777", lw=0.8)
    for mechanism, own in rows.groupby("mechanism"):
        seen = STUDY.look(mechanism)
        fill = np.where(own["disturbed"] == "", seen.colour, "white")
        axes.scatter(
            own["order_index"],
            own["percent"],
            marker=seen.dot,
            s=20,
            c=fill,
            edgecolors=seen.colour,
            lw=0.8,
            label=seen.label,
        )
    change, low, high = fit_slope(rows)
    ends = np.array([rows["order_index"].min(), rows["order_index"].max()])
    axes.plot(
        ends,
        change * (ends - ends.mean()) / np.ptp(ends),
        color="black",
        ls="--",
        label=f"first to last: {change:+.1f} % [{low:+.1f}, {high:+.1f}]",
    )
    axes.set(
        title="Drift: each fork against its point's mean",
        xlabel="order of execution",
        ylabel="time above the mean (%)",
    )
    draw_legend(figure, collect_handles(grid))
    draw_note(figure, note)
    return figure
