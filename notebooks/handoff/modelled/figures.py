"""What the model says, drawn so that nobody takes it for a measurement: grey, dashed, and called
MODEL in the title, the legend and the file's name.
"""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from handoff.draw.marks import format_log_axis
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.save import save_figure, use_style
from handoff.model.mechanisms import SEQUENTIAL
from handoff.modelled import look
from handoff.modelled.arms import BASE, MOST_APART
from handoff.modelled.claims import Near
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
    fig, grid = new_figure(2, 3, 5.4, sharex=True)
    for row, (column, label) in enumerate(
        ((RATIO, "time over one thread's alone"), (CORES, "cores kept busy"))
    ):
        seen = spread(table, column)
        for axes, sorts in zip(grid[row], LOADS, strict=True):
            passing = near[TIME if column == RATIO else CPU]
            drawn = {m: (m, sorts) in passing for m in look.NAMES}
            draw_panel(axes, seen[seen["sorts"] == sorts], drawn)
            name_missing(axes, drawn, "right" if column == RATIO else "left")
            if column == RATIO:
                axes.set_yscale("log")
                axes.axhline(1, color=look.INK, ls=":", lw=1)
                format_log_axis(axes.yaxis)
            else:
                axes.set_ylim(0, MOST_CONSUMERS + 3)
            number = 3 + 3 * row + LOADS.index(sorts)
            axes.set_title(f"{look.STAMP} of fig. {number}: {look.LOAD_WORDS[sorts]}", fontsize=8)
            axes.set_ylabel(label if sorts == LOADS[0] else "")
    for axes in grid[1]:
        axes.set_xlabel("consumers")
    handles = [
        *look.list_handles(),
        Line2D([], [], color=look.INK, ls=":", label=f"{look.STAMP}: one thread alone"),
        Patch(color=look.NEAR, alpha=0.5, lw=0, label="band: if a constant is off (no interval)"),
        Line2D(
            [],
            [],
            color=look.INK,
            ls="",
            marker="s",
            mfc="white",
            label="hollow: cannot say, its variants differ > 2x",
        ),
    ]
    draw_legend(
        fig,
        handles,
        f"{look.STAMPED} what 2 x Xeon X5650 might do\n(grey ground: both sockets)",
    )
    save_figure(fig, folder, "MODEL-figures-3-to-8")
    return fig


def draw_panel(axes: Axes, rows: pd.DataFrame, drawn: Mapping[str, bool]) -> None:
    look.shade_sockets(axes)
    for mechanism, marker in look.MARKERS.items():
        if not drawn[mechanism]:
            continue
        own = rows[rows["mechanism"] == mechanism].sort_values("consumers")
        x, base = own["consumers"], own["base"]
        axes.fill_between(x, own["least"], own["most"], color=look.NEAR, alpha=0.4, lw=0, zorder=1)
        axes.plot(x, base, ls="--", color=look.INK, lw=1, zorder=2)
        said = own["most"] / own["least"] <= MOST_APART
        look.draw_marks(axes, x, base, said, marker)
    axes.set(xlim=(0.5, MOST_CONSUMERS + 0.5), xticks=range(1, MOST_CONSUMERS + 1))
    axes.tick_params(labelsize=7)
    look.stamp(axes)


def name_missing(axes: Axes, drawn: Mapping[str, bool], side: str) -> None:
    """Which curves are not there, and why, in the upper corner of this side, where none runs."""
    missing = [look.NAMES[mechanism] for mechanism, shown in drawn.items() if not shown]
    if missing:
        told = "not drawn, too far off with\none consumer:\n" + ",\n".join(missing)
        some = any(drawn.values())
        at = {"left": 0.02, "right": 0.98}[side] if some else 0.5
        axes.text(
            at,
            0.97 if some else 0.5,
            told,
            transform=axes.transAxes,
            fontsize=7,
            ha=side if some else "center",
            va="top" if some else "center",
            zorder=6,
        )


def draw_moves(table: pd.DataFrame, folder: Path, sorts: int = 1) -> Figure:
    """Lines moved an event, within a socket and between two, by mechanism and consumers."""
    use_style()
    base = table[(table["arm"] == BASE) & (table["sorts"] == sorts)]
    fig, grid = new_figure(1, 3, 2.8, sharey=True)
    for axes, (mechanism, name) in zip(grid[0], look.NAMES.items(), strict=True):
        own = base[base["mechanism"] == mechanism].sort_values("consumers")
        axes.bar(
            own["consumers"], own["near"], color=look.NEAR, edgecolor=look.INK, lw=0.5, ls="--"
        )
        axes.bar(
            own["consumers"],
            own["far"],
            bottom=own["near"],
            color=look.FAR,
            edgecolor=look.INK,
            lw=0.5,
            hatch="//",
        )
        axes.set_title(f"{look.STAMP}: {name}", fontsize=8)
        look.stamp(axes)
        axes.set(xlabel="consumers", xticks=range(1, MOST_CONSUMERS + 1))
        axes.tick_params(labelsize=7)
    grid[0][0].margins(y=0.08)
    grid[0][0].set_ylabel("lines that move")
    draw_legend(
        fig,
        [
            Patch(facecolor=look.NEAR, edgecolor=look.INK, label=f"{look.STAMP}: within a socket"),
            Patch(facecolor=look.FAR, hatch="//", label=f"{look.STAMP}: between two sockets"),
        ],
        f"{look.STAMPED} cache lines that move\nfor each event, 2 x Xeon X5650, one sort",
    )
    save_figure(fig, folder, "MODEL-lines-moved")
    return fig
