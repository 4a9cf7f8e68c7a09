"""The share of the actors' messages that ran on another thread than their actor's one before."""

import pandas as pd
from matplotlib.figure import Figure

from handoff.draw import marks
from handoff.draw.page import draw_legend, draw_note, new_figure
from handoff.studies.actors import STUDY
from handoff.studies.actors.numbers import format_percent
from handoff.studies.actors.state_figure import list_mechanisms

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
