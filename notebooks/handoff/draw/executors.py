"""Figures of the executors: times over the fixed pool's and the cliff, the post's beside ours, and what one choice changes."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import changes, dots
from handoff.draw.base import Study
from handoff.draw.save import NOTE
from handoff.judge.executors import MEANT, VARIED, baseline, order, over_pool, theirs
from handoff.names import look
from handoff.run.store import Run

POST_CORES = 8
QUANTITIES = {"ratio": "time / fixed thread pool's", "ms": "ms for a million tasks"}
TOLD = f"Left: the post's numbers. Right: here, mean of forks; rings with {MEANT:,} places. Hollow: threads share cores."
GROUND = "Lines: beyond them a worker shares a core, dashed where two more threads work, dotted where one does."


class Executors(Study):
    """`baseline`: as published, but the rings with the capacity that was meant."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "executors")
        self.baseline = self.forks if self.forks.empty else baseline(self.forks, MEANT)

    def by_workers(self, quantity: str) -> Figure | None:
        """'ratio': times over the fixed pool's; 'ms': absolute, where the cliff is seen. None without forks."""
        if self.baseline.empty:
            return None
        name = {"ratio": "executors-relative", "ms": "executors-cliff"}[quantity]
        drawn = by_workers(self.baseline, quantity, self.cores, self.note(name, self.baseline, TOLD, marks=GROUND, band=""))
        return self.save(drawn, name)

    def changes(self) -> Figure | None:
        """What one choice changes by itself, where all threads have a core; None where nothing was varied."""
        rows = changes.certain(VARIED, self.forks)
        if rows.empty:
            return None
        note = self.note("executors-changes", self.forks, changes.TOLD, marks="", band=changes.BAND)
        return self.save(changes.figure(VARIED, rows, note), "executors-changes")


def by_workers(forks: pd.DataFrame, quantity: str, cores: int, note: str) -> Figure:
    """The post's panel and ours, a line a mechanism over the number of workers."""
    drawn, grid = plt.subplots(1, 2, figsize=(11, 4.8), sharey=True)
    ours, post = over_pool(forks), theirs()
    panel(grid[0], post.assign(oversubscribed=False), quantity, POST_CORES)
    panel(grid[1], ours, quantity, cores)
    grid[0].set(title="the post: 2 x Xeon E5410, 8 cores", ylabel=QUANTITIES[quantity], yscale="log")
    grid[1].set(title=f"here: {cores} cores")
    dots.plain_log(grid[0])
    there = [name for name in order() if name in set(ours["mechanism"]) | set(post["mechanism"])]
    seen = [look(name) for name in there]
    marks = [Line2D([], [], color=one.colour, marker=one.marker, ls=one.line, label=one.label) for one in seen]
    grid[1].legend(handles=marks, loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8)
    drawn.text(0.1, -0.02, note, fontsize=6.5, color="#555555", va="top", gid=NOTE)
    return drawn


def panel(axes: Axes, rows: pd.DataFrame, quantity: str, cores: int) -> None:
    for mechanism, own in rows.dropna(subset=[quantity]).groupby("mechanism"):
        seen, line = look(mechanism), own.sort_values("threads")
        axes.plot(line["threads"], line[quantity], color=seen.colour, ls=seen.line, lw=1.1, zorder=2)
        for shared, group in line.groupby("oversubscribed"):
            fill = "white" if shared else seen.colour
            axes.plot(group["threads"], group[quantity], seen.marker, color=seen.colour, mfc=fill, ms=5, zorder=3)
        if quantity == "ratio" and "low" in line:
            sure = line.dropna(subset=["low"])
            axes.vlines(sure["threads"], sure["low"].astype(float), sure["high"].astype(float), color=seen.colour, lw=1.4, zorder=2)
    for more, style in ((2, "--"), (1, ":")):
        axes.axvline(cores - more + 0.5, color="#777777", ls=style, lw=0.9, zorder=1)
    axes.set_xlabel("workers")
    axes.xaxis.get_major_locator().set_params(integer=True)
