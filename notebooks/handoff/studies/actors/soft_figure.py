"""Soft affinity against both of its rivals: rows of sizes under the scene that they share."""

from itertools import groupby

import pandas as pd
from matplotlib.figure import Figure

from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, new_figure
from handoff.studies.actors import STUDY
from handoff.studies.actors.soft_affinity import LOSS_RATIO, RIVALS

ROW_INCHES = 0.24
ASIDE = 0.16
"""How far above and below the row's middle the two rivals stand."""


def list_rows(rows: pd.DataFrame) -> list[tuple[str, int | None]]:
    """From above: a scene's name alone, then its sizes of state in bytes."""
    ordered = rows.sort_values(["route", "scene", "bytes"], ascending=[False, True, True])
    places = dict.fromkeys(zip(ordered["scene"], ordered["bytes"], strict=True))
    listed: list[tuple[str, int | None]] = []
    for scene, own in groupby(places, key=lambda place: place[0]):
        listed += [(scene, None), *own]
    return listed


def draw_soft_affinity(rows: pd.DataFrame, note: str) -> Figure:
    """From `compare_rivals`: a row a point, a mark for each rival."""
    listed = list_rows(rows)
    figure, grid = new_figure(height=ROW_INCHES * len(listed) + 1.0)
    axes = grid[0][0]
    axes.set(xscale="log", ylim=(len(listed) - 0.4, -0.6))
    axes.axvline(1, color="black", lw=0.8)
    axes.axvline(LOSS_RATIO, color="black", lw=0.8, ls=":")
    for row in rows.itertuples():
        at = listed.index((row.scene, row.bytes))
        bounds = None if pd.isna(row.low) else (row.low, row.high)
        marks.draw_ratio_row(
            axes,
            at + (ASIDE if row.rival == RIVALS[0] else -ASIDE),
            (row.ratio, bounds),
            STUDY.look(row.rival),
            row.oversubscribed,
        )
    for at, (scene, size) in enumerate(listed):
        if size is None:
            across = axes.get_yaxis_transform()
            axes.text(
                0.005,
                at + 0.1,
                scene,
                transform=across,
                va="center",
                weight="bold",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            )
    axes.set_yticks(
        [at for at, (_, size) in enumerate(listed) if size is not None],
        [f"{size:,} bytes" for _, size in listed if size is not None],
    )
    axes.set_xlabel("time of soft affinity / time of the rival")
    axes.set_title("Soft affinity against its rivals, by the size of an actor's state")
    marks.format_log_axis(axes.xaxis)
    draw_legend(
        figure,
        [
            marks.make_handle(seen, f"over {seen.label}", line="-")
            for seen in map(STUDY.look, RIVALS)
        ],
    )
    draw_note(figure, note)
    return figure
