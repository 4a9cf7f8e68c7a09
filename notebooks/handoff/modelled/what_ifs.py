"""What if the machine were another one? Each change is compared arm by arm with the machine as it
is, so that what the model does not know is the same on both sides.
"""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.draw.page import draw_legend, new_figure
from handoff.draw.save import save_figure, use_style
from handoff.modelled import look
from handoff.modelled.arms import BASE, MOST_APART, ONE_SOCKET
from handoff.modelled.claims import Near
from handoff.modelled.predictions import LOADS, MOST_CONSUMERS
from handoff.modelled.world import TIME

KEYS = ["arm", "mechanism", "sorts", "consumers"]
POINT = ["what_if", "mechanism", "sorts", "consumers"]
FULL_SOCKET, BEYOND = 5, (6, 8, 11)
"""Five consumers and a producer fill one socket."""

QUEUE, MEDIUM = "ARRAY_BLOCKING_QUEUE", 15
CANNOT_SAY = "the model cannot say"


class Range(NamedTuple):
    """A ratio over so many arms: of the base, the least, and the greatest."""

    base: float
    least: float
    most: float
    arms: int

    @property
    def said(self) -> bool:
        """Whether the arms agree on the side of 1, or that nothing changes, and are near enough to
        each other; one alone tells nothing.
        """
        agreed = self.least > 1 or self.most < 1 or self.least == self.most
        return self.arms > 1 and agreed and self.most / self.least <= MOST_APART

    def __str__(self) -> str:
        told = f"{self.base:.2f} [{self.least:.2f} to {self.most:.2f}]"
        return told if self.said else f"{told}: {CANNOT_SAY}"


def find_range(ratios: pd.Series) -> Range:
    """Of one ratio an arm, by arm."""
    return Range(float(ratios[BASE]), float(ratios.min()), float(ratios.max()), len(ratios))


def compare_what_ifs(table: pd.DataFrame, changed: pd.DataFrame, near: Near) -> pd.DataFrame:
    """One row a what-if and point: time with the change over time as it is, in the same arm;
    columns `base`, `least`, `most`, `said`. Nothing is said of curves that were too far off.
    """
    both = changed.merge(table, on=KEYS, suffixes=("", "_as_it_is"))
    both["ratio"] = both["ns"] / both["ns_as_it_is"]
    rows = []
    for key, own in both.groupby(POINT, sort=False):
        found = find_range(own.set_index("arm")["ratio"])
        point = dict(zip(POINT, key, strict=True))
        passed = (point["mechanism"], point["sorts"]) in near[TIME]
        rows.append({**point, **found._asdict(), "said": found.said and passed})
    return pd.DataFrame(rows)


def tabulate_fall(table: pd.DataFrame, changed: pd.DataFrame) -> pd.DataFrame:
    """Figure 7's fall: the queue's time at 15 sorts with more consumers than a socket holds over
    its time with five, in two sockets and in one. Above 1 more consumers make it slower. The last
    column is the first two's quotient: what the second socket adds.
    """
    rows = {}
    for n in BEYOND:
        two = measure_fall(table, n)
        one = measure_fall(changed[changed["what_if"] == ONE_SOCKET], n)
        rows[n] = {
            "two sockets": str(find_range(two)),
            "one socket of twelve": str(find_range(one)),
            "two over one": str(find_range(two / one)),
        }
    found = pd.DataFrame.from_dict(rows, orient="index").rename_axis("consumers")
    return found.rename_axis(columns="MODEL")


def measure_fall(table: pd.DataFrame, consumers: int) -> pd.Series:
    """By arm."""
    own = table[(table["mechanism"] == QUEUE) & (table["sorts"] == MEDIUM)]
    times = own.pivot(index="arm", columns="consumers", values="ns")
    return times[consumers] / times[FULL_SOCKET]


def draw_what_ifs(table: pd.DataFrame, changed: pd.DataFrame, near: Near, folder: Path) -> Figure:
    """Time with the change over time as it is, by what is changed and load."""
    use_style()
    found = compare_what_ifs(table, changed, near)
    names = list(found["what_if"].unique())
    fig, grid = new_figure(2, len(names), 4.8, sharex=True, sharey=True)
    for row, sorts in enumerate(LOADS[:2]):
        for axes, name in zip(grid[row], names, strict=True):
            own = found[(found["what_if"] == name) & (found["sorts"] == sorts)]
            for mechanism, marker in look.MARKERS.items():
                draw_ratio(axes, own[own["mechanism"] == mechanism], mechanism, marker)
            axes.set_title(f"{look.STAMP}: {name}, {look.LOAD_WORDS[sorts]}", fontsize=8)
            axes.axhline(1, color=look.INK, ls=":", lw=1)
            axes.set(xticks=range(1, MOST_CONSUMERS + 1), yscale="log")
            axes.set_yticks([0.25, 0.5, 1, 2, 4], labels=["1/4", "1/2", "1", "2", "4"])
            axes.minorticks_off()
            look.shade_sockets(axes)
            look.stamp(axes)
        grid[row][0].set_ylabel("time over time as it is\n(below 1: faster)")
    for axes in grid[1]:
        axes.set_xlabel("consumers")
    draw_legend(
        fig,
        look.list_handles(),
        f"{look.STAMPED} what if the sockets were one,\n"
        "or waking cost a tenth? (bars: if a constant is off, no interval;\n"
        "hollow: cannot say, or too far off; grey ground: both sockets)",
    )
    save_figure(fig, folder, "MODEL-what-if")
    return fig


def draw_ratio(axes: Axes, rows: pd.DataFrame, mechanism: str, marker: str) -> None:
    """The base as a line; a bar where there are arms."""
    rows = rows.sort_values("consumers")
    x, base = rows["consumers"], rows["base"]
    shift = (list(look.MARKERS).index(mechanism) - 1) * 0.12
    armed = rows["least"] < rows["most"]
    axes.plot(x + shift, base, ls="--", color=look.INK, lw=0.8)
    axes.vlines(x[armed] + shift, rows["least"][armed], rows["most"][armed], color=look.NEAR, lw=3)
    look.draw_marks(axes, x + shift, base, rows["said"].astype(bool), marker)
