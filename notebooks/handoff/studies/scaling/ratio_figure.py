"""Figures 3 to 5 once more as ratios: time over that of one thread alone, on a logarithmic axis, so
that a gain and a loss of the same size look the same.
"""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.draw.marks import format_log_axis
from handoff.draw.page import collect_handles, draw_legend, draw_note, new_figure
from handoff.studies.scaling import CONSUMERS, FREQUENCIES, STUDY
from handoff.studies.scaling.estimate import POOL, tabulate_estimates
from handoff.studies.scaling.paper_panel import draw_series, shade_background
from handoff.text import pluralize

RATIO = "ratio"
BARS = "bar: 95 % t interval of the fork mean, over the mean of one thread alone"
ESTIMATE = "estimate from hops: disruptor (pool), a core per thread"


def compute_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """Every fork of a hand-over with its time over the mean of one thread's alone at its load;
    loads without such a time are left out.
    """
    alone = average_alone(forks)
    handed = forks[(forks["mechanism"] != STUDY.sequential) & forks["sorts"].isin(alone.index)]
    return handed.assign(**{RATIO: handed["ns_per_event"] / handed["sorts"].map(alone)})


def average_alone(forks: pd.DataFrame) -> pd.Series:
    """Return the mean ns per event of one thread alone, by sorts."""
    return forks[forks["mechanism"] == STUDY.sequential].groupby("sorts")["ns_per_event"].mean()


def has_ratios(forks: pd.DataFrame) -> bool:
    return bool(compute_ratios(forks)["sorts"].isin(FREQUENCIES).any())


def draw_ratios(forks: pd.DataFrame, note: str) -> Figure:
    """A panel a load; 1 is one thread alone, and below it handing over pays."""
    found = compute_ratios(forks)
    estimates, alone = tabulate_estimates(forks), average_alone(forks)
    loads = [sorts for sorts in FREQUENCIES if sorts in set(found["sorts"])]
    figure, grid = new_figure(1, len(loads), 3.0, sharey=True)
    for axes, sorts in zip(grid[0], loads, strict=True):
        own = found[found["sorts"] == sorts]
        axes.set(yscale="log", xlabel=CONSUMERS, xlim=(0.5, 11.5), xticks=range(1, 12))
        axes.set_title(f"{FREQUENCIES[sorts]} frequency\n{pluralize(sorts, 'sort')} an event")
        shade_background(axes, own)
        axes.axhline(1, color="black", lw=1.2, zorder=2)
        mechanisms = sorted(own["mechanism"].unique())
        for place, mechanism in enumerate(mechanisms):
            aside = 0.16 * (place - (len(mechanisms) - 1) / 2)
            draw_series(axes, own[own["mechanism"] == mechanism], RATIO, aside)
        draw_estimate(axes, estimates[estimates["sorts"] == sorts], alone[sorts])
    grid[0][0].set_ylabel("time over one thread's alone")
    format_log_axis(grid[0][0].yaxis)
    draw_legend(figure, collect_handles(grid))
    draw_note(figure, note)
    return figure


def draw_estimate(axes: Axes, estimates: pd.DataFrame, alone: float) -> None:
    """Draw the pool's estimate as a thin dashed line, if the run has timed hops."""
    own = estimates[estimates["mechanism"] == POOL]
    if len(own):
        axes.plot(
            own["consumers"],
            own["estimate"] / alone,
            color=STUDY.look(POOL).colour,
            ls=(0, (3, 2)),
            lw=0.7,
            label=ESTIMATE,
            zorder=2,
        )
