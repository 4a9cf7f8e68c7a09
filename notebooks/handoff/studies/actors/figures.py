"""Figures of the actors: time over the size of the state, messages that moved, soft affinity
against its rivals.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from handoff.draw.note import draw_note
from handoff.draw.study_figures import StudyFigures
from handoff.run.store import Run
from handoff.studies.actors import STUDY
from handoff.studies.actors.numbers import format_percent, tabulate_points
from handoff.studies.actors.scenes import select_baseline
from handoff.studies.actors.soft_affinity import LOSS_RATIO, RIVALS, compare_rivals
from handoff.studies.actors.state_figure import draw_state, list_mechanisms

STATE = (
    "Mean of forks. Grey lines: where the states of a worker's actors together fill its cache of"
    " that level, of all actors a shared one."
)
MOVED = (
    "Share of messages that ran on another thread than their actor's one before. Dashed: if threads"
    " were drawn at random."
)
SOFT = (
    f"Soft affinity's time over each rival's. Dotted: {LOSS_RATIO}, beyond which an interval speaks"
    " against it. Filled: the faster rival."
)
ZERO_POSITION = 2e-7
"""Where 'no message moved' stands on a logarithmic axis."""


class ActorsFigures(StudyFigures):
    """The study's figures."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "actors")
        self.forks = select_baseline(self.forks)

    def state(self) -> Figure | None:
        """Time of a message over the size of an actor's state, a panel a scene;
        None without forks.
        """
        if self.forks.empty:
            return None
        note = self.note(
            "actors-state",
            self.forks,
            STATE,
            "Hollow: threads share cores.",
            "bars: 95 % t interval",
        )
        return self.save(
            draw_state(tabulate_points(self.forks), self.run.machine.get("caches", []), note),
            "actors-state",
        )

    def migration(self) -> Figure | None:
        """The share of messages that moved; None without forks."""
        rows = tabulate_points(self.forks)
        rows = rows.dropna(subset=["moved"]) if len(rows) else rows
        if rows.empty:
            return None
        return self.save(
            draw_migration(
                rows, self.note("actors-migration", self.forks, MOVED, marks="", band="")
            ),
            "actors-migration",
        )

    def soft(self) -> Figure | None:
        """Soft affinity against both rivals; None where one is lacking."""
        rows = compare_rivals(self.forks)
        if rows.empty:
            return None
        return self.save(
            draw_soft_affinity(
                rows,
                self.note(
                    "actors-soft", self.forks, SOFT, marks="", band="bars: 95 % Welch interval"
                ),
            ),
            "actors-soft",
        )


def draw_migration(rows: pd.DataFrame, note: str) -> Figure:
    """A row a scene, a mark for each mechanism and size of state."""
    scenes = list(
        dict.fromkeys(
            rows.sort_values(["route", "accesses", "perworker"], ascending=[True, True, False])[
                "scene"
            ]
        )
    )
    figure, axes = plt.subplots(figsize=(8, 0.5 * len(scenes) + 1.6))
    for height, text in enumerate(scenes):
        own = rows[rows["scene"] == text]
        for step, mechanism in enumerate(list_mechanisms(own)):
            seen, moved = (
                STUDY.look(mechanism),
                own.loc[own["mechanism"] == mechanism, "moved"].clip(lower=ZERO_POSITION),
            )
            axes.plot(
                moved,
                [height + 0.12 * (2 - step)] * len(moved),
                seen.marker,
                color=seen.colour,
                ms=4.5,
                zorder=3,
            )
        axes.vlines(
            own["random"].iloc[0], height - 0.4, height + 0.4, color="black", ls="--", lw=0.9
        )
    axes.set_yticks(range(len(scenes)), scenes, fontsize=8)
    axes.set(
        xscale="log", xlim=(ZERO_POSITION / 2, 1.5), xlabel="messages that moved to another thread"
    )
    ticks = [ZERO_POSITION, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1]
    axes.set_xticks(ticks, ["none", *(format_percent(tick) for tick in ticks[1:])], fontsize=8)
    axes.minorticks_off()
    handles = [
        Line2D(
            [],
            [],
            color=STUDY.look(n).colour,
            marker=STUDY.look(n).marker,
            ls="",
            label=STUDY.look(n).label,
        )
        for n in list_mechanisms(rows)
    ]
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8)
    draw_note(figure, 0.02, -0.06, note)
    return figure


def draw_soft_affinity(rows: pd.DataFrame, note: str) -> Figure:
    """A row a point, a mark for each rival."""
    places = list(
        dict.fromkeys(
            (r.scene, r.bytes)
            for r in rows.sort_values(["route", "scene", "bytes"], ascending=False).itertuples()
        )
    )
    figure, axes = plt.subplots(figsize=(8.5, 0.24 * len(places) + 1.4))
    for r in rows.itertuples():
        seen, height = (
            STUDY.look(r.rival),
            places.index((r.scene, r.bytes)) + (0.15 if r.rival == RIVALS[0] else -0.15),
        )
        if not pd.isna(r.low):
            axes.hlines(height, r.low, r.high, color=seen.colour, lw=1.4)
        axes.plot(
            r.ratio,
            height,
            seen.marker,
            color=seen.colour,
            mfc=seen.colour if r.better else "white",
            ms=5,
        )
    axes.axvline(1, color="black", lw=0.8)
    axes.axvline(LOSS_RATIO, color="black", lw=0.8, ls=":")
    axes.set_yticks(
        range(len(places)), [f"{text}, {state:,} bytes" for text, state in places], fontsize=7.5
    )
    axes.set(
        xscale="log",
        xlabel="time of soft affinity / time of the rival",
        title="Soft affinity against its rivals",
    )
    low, high = axes.get_xlim()
    ticks = [tick for tick in (0.05, 0.1, 0.2, 0.5, 0.7, 1, 1.5, 2, 5) if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    handles = [
        Line2D(
            [],
            [],
            color=STUDY.look(n).colour,
            marker=STUDY.look(n).marker,
            ls="",
            label=f"over {STUDY.look(n).label}",
        )
        for n in RIVALS
    ]
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8)
    draw_note(figure, 0.02, -0.04, note)
    return figure
