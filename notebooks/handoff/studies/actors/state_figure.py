"""Actors by size of state: time of a message, with the caches marked, and moved messages."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.catalog import load_catalog
from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, hide_rest, new_figure
from handoff.studies.actors import STUDY
from handoff.studies.actors.numbers import format_percent

ASIDE = 1.12
"""Factor between the sizes at which neighbouring mechanisms are drawn."""


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
        scene = rows[rows["scene"] == text]
        mechanisms = list_mechanisms(rows)
        for place, mechanism in enumerate(mechanisms):
            line = scene[scene["mechanism"] == mechanism].sort_values("bytes")
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
    looks = [STUDY.look(name) for name in list_mechanisms(rows)]
    draw_legend(figure, [marks.make_handle(look, line=look.line) for look in looks])
    draw_note(figure, note)
    return figure


def draw_line(axes: Axes, line: pd.DataFrame, mechanism: str) -> None:
    look, shared = STUDY.look(mechanism), bool(line["oversubscribed"].any())
    axes.plot(line["bytes"], line["ns"], color=look.colour, ls=look.line, lw=1.1, zorder=2)
    axes.plot(
        line["bytes"],
        line["ns"],
        look.marker,
        color=look.colour,
        mfc="white" if shared else look.colour,
        ms=5,
        zorder=3,
    )
    sure = line.dropna(subset=["low"])
    if not shared and len(sure):
        axes.vlines(
            sure["bytes"],
            sure["low"].astype(float).clip(lower=1),
            sure["high"].astype(float),
            color=look.colour,
            lw=1.3,
            zorder=2,
        )


def mark_caches(axes: Axes, scene: pd.DataFrame, caches: list[dict]) -> None:
    """Mark the sizes of state at which the caches are full."""
    low, high = axes.get_xlim()
    for cache in caches:
        actors = int(scene["perworker"].iloc[0]) * (
            int(scene["workers"].iloc[0]) if cache["shared"] > 1 else 1
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
"""Position of 'no message moved' on the logarithmic axis."""
TICKS = (1e-5, 1e-3, 1e-1, 1)
ROW_INCHES = 0.5


def draw_migration(rows: pd.DataFrame, note: str) -> Figure:
    """Draw one row per scene, with one mark per mechanism and size of state."""
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
        scene = rows[rows["scene"] == text]
        for step, mechanism in enumerate(list_mechanisms(rows)):
            look = STUDY.look(mechanism)
            moved = scene.loc[scene["mechanism"] == mechanism, "moved"].clip(lower=ZERO_POSITION)
            at = [height + 0.12 * (2 - step)] * len(moved)
            axes.plot(moved, at, look.marker, color=look.colour, ms=4.5, zorder=3)
        axes.vlines(
            scene["random"].iloc[0], height - 0.4, height + 0.4, color="black", ls="--", lw=0.9
        )
    axes.set_yticks(range(len(scenes)), [text.replace(" each, ", " each,\n") for text in scenes])
    axes.set(xscale="log", xlim=(ZERO_POSITION / 2, 1.5), ylim=(-0.6, len(scenes) - 0.4))
    axes.set(xlabel="messages that moved", title="How often an actor's next message changed thread")
    axes.set_xticks([ZERO_POSITION, *TICKS], ["none", *(format_percent(tick) for tick in TICKS)])
    axes.minorticks_off()
    draw_legend(figure, [marks.make_handle(STUDY.look(n)) for n in list_mechanisms(rows)])
    draw_note(figure, note)
    return figure
