"""Figures of the executors: times over the fixed pool's and the cliff, the post's beside ours, and what one choice changes."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw import dots
from handoff.draw.base import Study
from handoff.draw.save import NOTE
from handoff.judge.executors import MEANT, baseline, changes, order, over_pool, theirs
from handoff.names import look
from handoff.run.store import Run

POST_CORES = 8
QUANTITIES = {"ratio": "time / fixed thread pool's", "ms": "ms for a million tasks"}
TOLD = f"Left: the post's numbers. Right: here, mean of forks; rings with {MEANT:,} places. Hollow: threads share cores."
GROUND = "Lines: beyond them a worker shares a core, dashed where two more threads work, dotted where one does."
WIDEST = 12
"""Pairs that a figure of changes can hold for each choice."""


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
        rows = changes(self.forks)
        rows = rows[~rows["oversubscribed"]] if len(rows) else rows
        if rows.empty:
            return None
        told = "Each row: two points that differ in one choice alone."
        return self.save(
            changed(rows, self.note("executors-changes", self.forks, told, marks="", band="bars: 95 % Welch interval")), "executors-changes"
        )


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


def changed(rows: pd.DataFrame, note: str) -> Figure:
    """A row for each pair, by choice: the ratio of times with its interval."""
    ordered = rows.sort_values(["choice", "threads", "mechanism", "beside"])
    rows = ordered.groupby("choice").head(WIDEST).reset_index(drop=True)[::-1]
    if len(rows) < len(ordered):
        note = f"{len(ordered) - len(rows)} more pairs are in the notebook's table. {note}"
    drawn, axes = plt.subplots(figsize=(9, 0.27 * len(rows) + 1.4))
    for height, row in enumerate(rows.itertuples()):
        seen = look(row.mechanism)
        if not pd.isna(row.low):
            axes.hlines(height, row.low, row.high, color=seen.colour, lw=1.6)
        axes.plot(row.ratio, height, seen.marker, color=seen.colour, ms=6)
    axes.axvline(1, color="black", lw=0.8)
    axes.set(xscale="log", xlabel="time after / time before", title="What one choice changes by itself")
    axes.set_yticks(range(len(rows)), [label(row) for row in rows.to_dict("records")], fontsize=7.5)
    low, high = axes.get_xlim()
    ticks = [tick for tick in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    drawn.text(0.02, -0.04, note, fontsize=6.5, color="#555555", va="top", gid=NOTE)
    return drawn


def label(row: dict) -> str:
    """'cached ring, n = 1, idle: PARK → SPIN (capacity 262144)'."""
    beside = f" ({row['beside']})" if row["beside"] else ""
    return f"{look(row['mechanism']).short}, n = {row['threads']}, {row['choice']}: {row['from']} → {row['to']}{beside}"
