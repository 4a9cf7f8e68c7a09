"""What the model says, drawn so that nobody takes it for a measurement: grey, dashed, and called
MODEL in the title, the legend and the file's name.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, NullFormatter

from handoff.draw.save import save_figure, use_style
from handoff.model.mechanisms import SEQUENTIAL
from handoff.modelled.arms import BASE, MOST_APART
from handoff.modelled.claims import Near
from handoff.modelled.look import (
    FAR,
    INK,
    LOAD_WORDS,
    MARKERS,
    NAMES,
    NEAR,
    STAMP,
    STAMPED,
    shade_sockets,
    stamp,
)
from handoff.modelled.predictions import FEWER, LOADS, MOST_CONSUMERS
from handoff.modelled.world import CPU, TIME

RATIO, CORES = "ratio", "cores"


def spread(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """By mechanism, consumers and sorts, where all arms have the point: the base, and the least and
    greatest of all arms. `RATIO`: time over one thread's own in the same arm, so that a sort that
    is dearer for all makes no band.
    """
    alone = table[table["mechanism"] == SEQUENTIAL].set_index(["arm", "sorts"])["ns"]
    handed = table[table["consumers"].isin(FEWER)]
    own = alone.loc[list(zip(handed["arm"], handed["sorts"], strict=True))].to_numpy()
    handed = handed.assign(**{RATIO: handed["ns"] / own})
    keys = ["mechanism", "consumers", "sorts"]
    groups = handed.groupby(keys)[column]
    base = handed[handed["arm"] == BASE].set_index(keys)[column]
    found = pd.DataFrame({"base": base, "least": groups.min(), "most": groups.max()})
    return found.reset_index()


def draw_paper_figures(table: pd.DataFrame, near: Near, folder: Path) -> Figure:
    """Figures 3 to 8 as the model has them, on one page; `near`: which curves passed the gate."""
    use_style()
    fig, grid = plt.subplots(2, 3, figsize=(7.2, 5.8), sharex=True)
    for row, (column, label) in enumerate(
        ((RATIO, "time over one thread's alone"), (CORES, "cores kept busy"))
    ):
        seen = spread(table, column)
        for axes, sorts in zip(grid[row], LOADS, strict=True):
            passing = near[TIME if column == RATIO else CPU]
            drawn = {m: (m, sorts) in passing for m in NAMES}
            draw_panel(axes, seen[seen["sorts"] == sorts], drawn)
            if column == RATIO:
                axes.set_yscale("log")
                axes.axhline(1, color=INK, ls=":", lw=1)
                axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
                axes.yaxis.set_minor_formatter(NullFormatter())
            number = 3 + 3 * row + LOADS.index(sorts)
            axes.set_title(f"{STAMP} of fig. {number}: {LOAD_WORDS[sorts]}", fontsize=8)
            axes.set_ylabel(label if sorts == LOADS[0] else "")
            if column != RATIO:
                axes.set_ylim(bottom=0)
    for axes in grid[1]:
        axes.set_xlabel("consumers")
    fig.legend(
        handles=[
            *(
                Line2D([], [], color=INK, ls="--", marker=MARKERS[m], label=f"{STAMP}: {name}")
                for m, name in NAMES.items()
            ),
            Line2D([], [], color=INK, ls=":", label=f"{STAMP}: one thread alone"),
            Patch(color=NEAR, alpha=0.5, lw=0, label="band: if a constant is off (no interval)"),
            Line2D(
                [],
                [],
                color=INK,
                ls="",
                marker="s",
                mfc="white",
                label="hollow: cannot say, its variants differ > 2x",
            ),
        ],
        loc="lower center",
        ncols=2,
        bbox_to_anchor=(0.5, -0.13),
    )
    fig.suptitle(
        f"{STAMPED} what 2 x Xeon X5650 might do; grey ground: both sockets",
        x=0.01,
        ha="left",
        fontsize=9,
    )
    fig.tight_layout(rect=(0, 0.02, 1, 1))
    save_figure(fig, folder, "MODEL-figures-3-to-8")
    return fig


def draw_panel(axes: Axes, rows: pd.DataFrame, drawn: Mapping[str, bool]) -> None:
    shade_sockets(axes)
    for mechanism, marker in MARKERS.items():
        if not drawn[mechanism]:
            continue
        own = rows[rows["mechanism"] == mechanism].sort_values("consumers")
        x, base = own["consumers"], own["base"]
        axes.fill_between(x, own["least"], own["most"], color=NEAR, alpha=0.4, lw=0, zorder=1)
        axes.plot(x, base, ls="--", color=INK, lw=1, zorder=2)
        said = own["most"] / own["least"] <= MOST_APART
        look: dict[str, Any] = {"ls": "", "marker": marker, "color": INK, "ms": 5, "zorder": 3}
        axes.plot(x[said], base[said], **look)
        axes.plot(x[~said], base[~said], mfc="white", **look)
    axes.set(xlim=(0.5, MOST_CONSUMERS + 0.5), xticks=range(1, MOST_CONSUMERS + 1))
    missing = [NAMES[mechanism] for mechanism, shown in drawn.items() if not shown]
    if missing:
        told = "not drawn, too far off with\none consumer:\n" + ",\n".join(missing)
        some = any(drawn.values())
        axes.text(
            0.98 if some else 0.5,
            0.97 if some else 0.5,
            told,
            transform=axes.transAxes,
            fontsize=7.5,
            ha="right" if some else "center",
            va="top" if some else "center",
            zorder=6,
        )
    axes.tick_params(labelsize=7)
    stamp(axes)


def draw_moves(table: pd.DataFrame, folder: Path, sorts: int = 1) -> Figure:
    """Lines moved an event, within a socket and between two, by mechanism and consumers."""
    use_style()
    base = table[(table["arm"] == BASE) & (table["sorts"] == sorts)]
    fig, grid = plt.subplots(1, 3, figsize=(7.2, 2.8), sharey=True)
    for axes, (mechanism, name) in zip(grid, NAMES.items(), strict=True):
        own = base[base["mechanism"] == mechanism].sort_values("consumers")
        axes.bar(own["consumers"], own["near"], color=NEAR, edgecolor=INK, lw=0.5, ls="--")
        axes.bar(
            own["consumers"],
            own["far"],
            bottom=own["near"],
            color=FAR,
            edgecolor=INK,
            lw=0.5,
            hatch="//",
        )
        axes.set_title(f"{STAMP}: {name}", fontsize=8)
        stamp(axes)
        axes.set(xlabel="consumers", xticks=range(1, MOST_CONSUMERS + 1))
        axes.tick_params(labelsize=7)
    grid[0].set_ylabel("lines moved an event")
    grid[-1].legend(
        handles=[
            Patch(facecolor=NEAR, edgecolor=INK, label=f"{STAMP}: within a socket"),
            Patch(facecolor=FAR, hatch="//", label=f"{STAMP}: between two"),
        ],
    )
    fig.suptitle(
        f"{STAMPED} cache lines moved an event, one sort",
        x=0.01,
        ha="left",
    )
    fig.tight_layout()
    save_figure(fig, folder, "MODEL-lines-moved")
    return fig
