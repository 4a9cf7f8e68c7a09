"""Figures of the actors: time over the size of the state, messages that moved, soft affinity
against its rivals.
"""

from pathlib import Path

from matplotlib.figure import Figure

from handoff.draw.study_figures import StudyFigures
from handoff.run.store.run import Run
from handoff.studies.actors.numbers import tabulate_points
from handoff.studies.actors.soft_affinity import LOSS_RATIO, compare_rivals, select_baseline
from handoff.studies.actors.soft_figure import draw_soft_affinity
from handoff.studies.actors.state_figure import draw_migration, draw_state

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
    " against it. The mark further right is against the faster rival."
)


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
