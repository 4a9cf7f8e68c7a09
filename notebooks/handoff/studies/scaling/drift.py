"""Drift: deviation of each fork from its point's mean, by order of execution."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.special import stdtrit

from handoff.draw.page import collect_handles, draw_legend, draw_note, new_figure
from handoff.studies.scaling import STUDY

MIN_FORKS = 3


def compute_residuals(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks of points with at least `MIN_FORKS`, with their deviation in `percent`.

    It is the time above the geometric mean of the point's forks.
    """
    if forks.empty:
        return forks
    logs = np.log(forks["ns_per_event"])
    by_point = logs.groupby(forks["point"])
    kept = by_point.transform("size") >= MIN_FORKS
    return forks.assign(percent=(np.exp(logs - by_point.transform("mean")) - 1) * 100)[kept]


def fit_slope(rows: pd.DataFrame) -> tuple[float, float, float]:
    """Return the change from first to last fork in percent, with its 95 % interval.

    One slope fits all points. The mean of each point costs a degree of freedom; the interval is
    infinite if none remains.
    """
    by_point = rows.groupby("point")
    x = rows["order_index"] - by_point["order_index"].transform("mean")
    y = rows["percent"] - by_point["percent"].transform("mean")
    freedom = len(rows) - by_point.ngroups - 1
    span = rows["order_index"].max() - rows["order_index"].min()
    rise = (x * y).sum() / (x**2).sum()
    half = np.inf
    if freedom > 0:
        error = np.sqrt(((y - rise * x) ** 2).sum() / freedom / (x**2).sum())
        half = stdtrit(freedom, 0.975) * error
    return rise * span, (rise - half) * span, (rise + half) * span


def draw_drift(rows: pd.DataFrame, note: str) -> Figure:
    """Draw the deviations, hollow for forks that ran disturbed, and the common slope."""
    figure, grid = new_figure()
    axes = grid[0][0]
    axes.axhline(0, color="#777777", lw=0.8)
    for mechanism, forks in rows.groupby("mechanism"):
        look = STUDY.look(mechanism)
        fill = np.where(forks["disturbed"] == "", look.colour, "white")
        axes.scatter(
            forks["order_index"],
            forks["percent"],
            marker=look.dot,
            s=20,
            c=fill,
            edgecolors=look.colour,
            lw=0.8,
            label=look.label,
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
