"""Drift: each fork against its point's level, by session and order of execution."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.analysis.forks import make_term, select_fit
from handoff.analysis.intervals import Estimate, Interval, estimate
from handoff.draw.marks import label_place, make_handle
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.words import Words
from handoff.studies.scaling import STUDY
from handoff.studies.scaling.paper_panel import list_series
from handoff.text import pluralize

MIN_FORKS = 3


def compute_residuals(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the forks of points with at least `MIN_FORKS`, with their deviation in `percent`.

    It is the time above the geometric mean of the point's forks. Points whose threads share cores
    are left out. `place` numbers the forks in the order of execution.
    """
    if forks.empty:
        return forks
    forks = select_fit(forks, "ns_per_event")
    logs = np.log(forks["ns_per_event"])
    by_point = logs.groupby(forks["point"])
    kept = by_point.transform("size") >= MIN_FORKS
    rows = forks.assign(percent=(np.exp(logs - by_point.transform("mean")) - 1) * 100)[kept]
    return rows.sort_values(["session", "order_index"]).assign(place=np.arange(len(rows)))


def compare_sessions(rows: pd.DataFrame) -> dict[int, Estimate]:
    """Return each session's time over the mean of all sessions, from points in all of them."""
    sessions = sorted(rows["session"].unique())
    everywhere = rows.groupby("point")["session"].transform("nunique") == len(sessions)
    sides = dict(list(rows[everywhere].groupby(["point", "session"])))
    if len(sessions) < 2 or not sides:
        return {}
    points = len(sides) / len(sessions)
    weights = {True: (1 - 1 / len(sessions)) / points, False: -1 / len(sessions) / points}
    return {
        session: estimate(
            make_term(weights[at == session], side)._replace(sessions=None)
            for (_, at), side in sides.items()
        )
        for session in sessions
    }


def format_percent(made: Estimate, bounds: Interval | None) -> str:
    """Return a ratio as a change such as '+3.1 % (+0.2 to +6.0)'."""
    values = [(value - 1) * 100 for value in (made.ratio, *(bounds or ()))]
    text = f"{values[0]:+.1f} %"
    return f"{text} ({values[1]:+.1f} to {values[2]:+.1f})" if bounds else text


def draw_drift(rows: pd.DataFrame) -> Figure:
    """Draw the deviations, hollow for forks that ran disturbed, and each session's level."""
    figure, ((axes,),) = new_figure(height=3.0)
    axes.axhline(0, color="#777777", lw=0.8)
    for mechanism, forks in rows.groupby("mechanism"):
        look = STUDY.look(mechanism)
        fill = np.where(forks["disturbed"] == "", look.colour, "white")
        style = {"marker": look.dot, "s": 11, "lw": 0.6, "alpha": 0.6, "zorder": 3}
        axes.scatter(forks["place"], forks["percent"], c=fill, edgecolors=look.colour, **style)
    levels = compare_sessions(rows)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.12 * (high - low))
    for session, part in rows.groupby("session"):
        draw_session(axes, part, session, levels.get(session))
    axes.set(xlabel="forks, in the order of execution", ylabel="time above the point's level (%)")
    axes.set_xlim(-len(rows) * 0.01, len(rows) * 1.01)
    axes.grid(visible=False, axis="x")
    looks = [STUDY.look(name) for name in list_series(rows)]
    draw_legend(figure, [make_handle(look._replace(marker=look.dot)) for look in looks])
    return figure


def draw_session(axes: Axes, part: pd.DataFrame, session: int, level: Estimate | None) -> None:
    """Draw a session's border and name, and its level with its interval where it has one."""
    first, last = part["place"].min(), part["place"].max()
    if first > 0:
        axes.axvline(first - 0.5, color="#777777", lw=0.8)
    if level is None:
        return
    bounds = level.interval()
    axes.hlines((level.ratio - 1) * 100, first, last, color="black", lw=2, zorder=5)
    if bounds:
        low, high = ((bound - 1) * 100 for bound in bounds)
        axes.fill_between([first, last], low, high, color="black", alpha=0.25, lw=0, zorder=4)
    words = f"session {session}: {format_percent(level, bounds)}"
    label_place(axes, (first + last) / 2, words, ha="center")


def write_words(rows: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; the title says how sessions differ."""
    levels = compare_sessions(rows)
    title = "Each fork against its point's level, in the order of execution"
    if levels:
        slow = max(levels, key=lambda session: levels[session].ratio)
        change = format_percent(levels[slow], levels[slow].interval())
        title = (
            f"Session {slow} against the mean of all {len(levels)}, by the same points: {change}"
        )
    points = pluralize(rows["point"].nunique(), "point")
    caption = f"Dots: {len(rows):,} forks of {points}; hollow: ran on a busy or slow machine."
    if levels:
        caption += (
            " Black: a session's level with its 95 % interval. What a session does to all points"
            " alike cancels in ratios, which compare within sessions."
        )
    return Words(title, caption, f"{title}. {caption}", note, main=False)
