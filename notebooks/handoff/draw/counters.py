"""The figure of the counters: what an increment costs, published beside ours."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import dots
from handoff.draw.base import Study
from handoff.draw.save import NOTE
from handoff.judge.choices import standing
from handoff.judge.forks import interval
from handoff.names import counted, look
from handoff.paths import PUBLISHED
from handoff.run.store import Run

ORDER = [("PLAIN", 1), ("VOLATILE", 1), ("CAS", 1), ("LOCK", 1), ("CAS", 2), ("LOCK", 2)]
"""As the claim puts them, the cheapest first."""

PUBLISHED_INCREMENTS = 500_000_000


class Counters(Study):
    """The study's one figure and table."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "counters")
        self.forks = standing(self.forks, "counters", ("threads",))

    def figure(self) -> Figure | None:
        """Nanoseconds an increment; None without forks."""
        if self.forks.empty:
            return None
        return self.save(figure(self.forks, self.note("counters", self.forks, TOLD)), "counters")

    def table(self) -> pd.DataFrame:
        return table(self.forks)


TOLD = "Black and hollow: published, ms for 500 million increments (of both threads together, we assume) as ns for one."


def theirs() -> pd.Series:
    """Published nanoseconds an increment by mechanism and threads."""
    read = pd.read_csv(PUBLISHED / "counters.csv", comment="#")
    return read.set_index(["mechanism", "threads"])["ms"] * 1e6 / PUBLISHED_INCREMENTS


def of(forks: pd.DataFrame, mechanism: str, threads: int) -> pd.DataFrame:
    return forks[(forks["mechanism"] == mechanism) & (forks["threads"] == threads)]


def table(forks: pd.DataFrame) -> pd.DataFrame:
    """One row a way to increment: forks, ns with its 95 % interval, times the plain loop, the same as published."""
    rows, published = {}, theirs()
    for mechanism, threads in ORDER if len(forks) else ():
        own = of(forks, mechanism, threads)["ns_per_event"]
        plain = of(forks, "PLAIN", 1)["ns_per_event"].mean()
        low, high = interval(own) or (None, None)
        rows[look(mechanism).label, threads] = {
            "forks": len(own),
            "ns": own.mean(),
            "low": low,
            "high": high,
            "times plain": own.mean() / plain,
            "published ns": published[mechanism, threads],
            "published times plain": published[mechanism, threads] / published["PLAIN", 1],
        }
    found = pd.DataFrame.from_dict(rows, orient="index")
    found.index.names = ["counter", "threads"] if rows else [None]
    return found.round({"ns": 2, "low": 2, "high": 2, "times plain": 1, "published ns": 1, "published times plain": 1})


def figure(forks: pd.DataFrame, note: str) -> Figure:
    """A column for each way to increment, a dot a fork, the published number beside it."""
    drawn, axes = plt.subplots()
    published = theirs()
    for place, (mechanism, threads) in enumerate(ORDER):
        own = of(forks, mechanism, threads)
        if len(own):
            shared = bool(own["oversubscribed"].any())
            dots.forks(axes, place, own["ns_per_event"], look(mechanism), shared)
            if shared:
                axes.axvspan(place - 0.5, place + 0.5, color=dots.SHARED, lw=0, zorder=0)
        dots.published(axes, place - 0.25, published[mechanism, threads], "d")
    axes.set(yscale="log", ylabel="ns per increment", title="What an increment costs", xlim=(-0.6, len(ORDER) - 0.4))
    axes.set_xticks(range(len(ORDER)), [f"{look(name).short}\n{counted(threads, 'thread')}" for name, threads in ORDER], fontsize=8)
    dots.plain_log(axes)
    mark = Line2D([], [], color="black", marker="d", mfc="none", ls="", label="published, Westmere EP 2.4 GHz")
    axes.legend(handles=[mark], loc="upper left")
    axes.text(0, -0.2, note, transform=axes.transAxes, fontsize=6.5, color="#555555", va="top", gid=NOTE)
    return drawn
