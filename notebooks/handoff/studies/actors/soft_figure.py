"""Figure of soft affinity against both of its rivals: one row per size of state, by scene."""

from itertools import groupby

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, new_figure
from handoff.studies.actors import STUDY
from handoff.studies.actors.soft_affinity import LOSS_RATIO, RIVALS

ROW_INCHES = 0.24
ASIDE = 0.16
"""Distance of the two rivals from the middle of the row."""


def list_rows(rows: pd.DataFrame) -> list[tuple[str, int | None]]:
    """Return the rows from the top: a scene's name alone, then its sizes of state in bytes."""
    ordered = rows.sort_values(["route", "scene", "bytes"], ascending=[False, True, True])
    places = dict.fromkeys(zip(ordered["scene"], ordered["bytes"], strict=True))
    listed: list[tuple[str, int | None]] = []
    for scene, sizes in groupby(places, key=lambda place: place[0]):
        listed += [(scene, None), *sizes]
    return listed


def draw_soft_affinity(rows: pd.DataFrame, note: str) -> Figure:
    """Draw the table of `compare_rivals`: one row per point, one mark per rival."""
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
    label_rows(axes, listed)
    axes.set_xlabel("time of soft affinity / time of the rival")
    axes.set_title("Soft affinity against its rivals, by the size of an actor's state")
    marks.format_log_axis(axes.xaxis)
    looks = [STUDY.look(name) for name in RIVALS]
    draw_legend(figure, [marks.make_handle(look, f"over {look.label}", line="-") for look in looks])
    draw_note(figure, note)
    return figure


def label_rows(axes: Axes, listed: list[tuple[str, int | None]]) -> None:
    for at, (scene, size) in enumerate(listed):
        if size is None:
            axes.text(
                0.005,
                at + 0.1,
                scene,
                transform=axes.get_yaxis_transform(),
                va="center",
                weight="bold",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            )
    axes.set_yticks(
        [at for at, (_, size) in enumerate(listed) if size is not None],
        [f"{size:,} bytes" for _, size in listed if size is not None],
    )
