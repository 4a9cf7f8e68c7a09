"""The actors' first figure: time over the size of an actor's state, with the caches marked."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.catalog import load_catalog
from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, hide_rest, new_figure
from handoff.studies.actors import STUDY
from handoff.studies.actors.numbers import format_percent

ASIDE = 1.12
"""By what factor of the size neighbouring mechanisms stand apart."""


def list_mechanisms(rows: pd.DataFrame) -> list[str]:
    return [name for name in load_catalog()["actors"].mechanisms if name in set(rows["mechanism"])]


def draw_state(rows: pd.DataFrame, caches: list[dict], note: str) -> Figure:
    scenes = list(
        dict.fromkeys(
            rows.sort_values(["route", "accesses", "perworker"], ascending=[False, False, True])[
                "scene"
            ]
        )
    )
    wide = min(2, len(scenes))
    tall = -(-len(scenes) // wide)
    figure, grid = new_figure(tall, wide, 2.3 * tall + 0.6, sharex=True, sharey=True)
    for axes, text in zip(grid.flat, scenes, strict=False):
        own = rows[rows["scene"] == text]
        mechanisms = list_mechanisms(rows)
        for place, mechanism in enumerate(mechanisms):
            line = own[own["mechanism"] == mechanism].sort_values("bytes")
            aside = ASIDE ** (place - (len(mechanisms) - 1) / 2)
            if len(line):
                draw_line(axes, line.assign(bytes=line["bytes"] * aside), mechanism)
        axes.set(xscale="log", yscale="log")
        axes.set_title(text.replace(" each, ", " each,\n"), fontsize=7.5)
    hide_rest(grid, len(scenes))
    for axes, text in zip(grid.flat, scenes, strict=False):
        mark_caches(axes, rows[rows["scene"] == text], caches)
    marks.format_log_axis(grid[0][0].xaxis)
    marks.format_time_axis(grid[0][0].yaxis)
    figure.supylabel("a message takes", fontsize=8)
    figure.supxlabel("bytes of one actor's state", fontsize=8)
    seen = [STUDY.look(name) for name in list_mechanisms(rows)]
    draw_legend(figure, [marks.make_handle(one, line=one.line) for one in seen])
    draw_note(figure, note)
    return figure


def draw_line(axes: Axes, own: pd.DataFrame, mechanism: str) -> None:
    seen, shared = STUDY.look(mechanism), bool(own["oversubscribed"].any())
    axes.plot(own["bytes"], own["ns"], color=seen.colour, ls=seen.line, lw=1.1, zorder=2)
    axes.plot(
        own["bytes"],
        own["ns"],
        seen.marker,
        color=seen.colour,
        mfc="white" if shared else seen.colour,
        ms=5,
        zorder=3,
    )
    sure = own.dropna(subset=["low"])
    if not shared and len(sure):
        axes.vlines(
            sure["bytes"],
            sure["low"].astype(float).clip(lower=1),
            sure["high"].astype(float),
            color=seen.colour,
            lw=1.3,
            zorder=2,
        )


def mark_caches(axes: Axes, own: pd.DataFrame, caches: list[dict]) -> None:
    """Where the caches are full."""
    low, high = axes.get_xlim()
    for cache in caches:
        actors = int(own["perworker"].iloc[0]) * (
            int(own["workers"].iloc[0]) if cache["shared"] > 1 else 1
        )
        full = cache["bytes"] / actors
        if low < full < high:
            axes.axvline(full, color="#999999", lw=0.9, ls=(0, (4, 2)), zorder=1)
            axes.text(
                full,
                axes.get_ylim()[1],
                f"L{cache['level']} ",
                fontsize=7,
                color="#777777",
                va="top",
                ha="right",
            )


ZERO_POSITION = 2e-7
"""Where 'no message moved' stands on a logarithmic axis."""
TICKS = (1e-5, 1e-3, 1e-1, 1)
ROW_INCHES = 0.5


def draw_migration(rows: pd.DataFrame, note: str) -> Figure:
    """A row a scene, a mark for each mechanism and size of state."""
    scenes = list(
        dict.fromkeys(
            rows.sort_values(["route", "accesses", "perworker"], ascending=[True, True, False])[
                "scene"
            ]
        )
    )
    figure, grid = new_figure(height=ROW_INCHES * len(scenes) + 1.3)
    axes = grid[0][0]
    for height, text in enumerate(scenes):
        own = rows[rows["scene"] == text]
        for step, mechanism in enumerate(list_mechanisms(rows)):
            seen = STUDY.look(mechanism)
            moved = own.loc[own["mechanism"] == mechanism, "moved"].clip(lower=ZERO_POSITION)
            at = [height + 0.12 * (2 - step)] * len(moved)
            axes.plot(moved, at, seen.marker, color=seen.colour, ms=4.5, zorder=3)
        axes.vlines(
            own["random"].iloc[0], height - 0.4, height + 0.4, color="black", ls="--", lw=0.9
        )
    axes.set_yticks(range(len(scenes)), [text.replace(" each, ", " each,\n") for text in scenes])
    axes.set(xscale="log", xlim=(ZERO_POSITION / 2, 1.5), ylim=(-0.6, len(scenes) - 0.4))
    axes.set(xlabel="messages that moved", title="How often an actor's next message changed thread")
    axes.set_xticks([ZERO_POSITION, *TICKS], ["none", *(format_percent(tick) for tick in TICKS)])
    axes.minorticks_off()
    draw_legend(figure, [marks.make_handle(STUDY.look(n)) for n in list_mechanisms(rows)])
    draw_note(figure, note)
    return figure
