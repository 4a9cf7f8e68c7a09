"""Figures of the actors: time by size of state, messages that moved, soft affinity's rivals."""

from pathlib import Path

from matplotlib.figure import Figure

from handoff.draw.study_figures import StudyFigures
from handoff.run.store.run import Run
from handoff.studies.actors.numbers import tabulate_points
from handoff.studies.actors.soft_affinity import LOSS_RATIO, compare_rivals, select_baseline
from handoff.studies.actors.soft_figure import draw_soft_affinity
from handoff.studies.actors.state_figure import draw_migration, draw_state

STATE = (
    "Mean of forks. Grey lines: sizes at which the states of a worker's actors together fill its"
    " cache of that level, or those of all actors a shared cache."
)
MOVED = (
    "Share of messages that ran on another thread than their actor's previous message. Dashed: if"
    " threads were drawn at random."
)
SOFT = (
    f"Soft affinity's time over each rival's. Dotted: {LOSS_RATIO}; an interval beyond it means"
    " slower. The mark further right is against the faster rival."
)


class ActorsFigures(StudyFigures):
    """The study's figures."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "actors")
        self.forks = select_baseline(self.forks)

    def state(self) -> Figure | None:
        """Draw the time of a message by size of state, one panel per scene."""
        if self.forks.empty:
            return None
        note = self.note(
            "actors-state",
            self.forks,
            STATE,
            "Hollow: threads share cores.",
            "bars: 95 % interval",
        )
        return self.save(
            draw_state(tabulate_points(self.forks), self.run.machine.get("caches", []), note),
            "actors-state",
        )

    def migration(self) -> Figure | None:
        """Draw the share of messages that moved."""
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
        """Draw soft affinity against its rivals; None without any of them."""
        rows = compare_rivals(self.forks)
        if rows.empty:
            return None
        return self.save(
            draw_soft_affinity(
                rows,
                self.note("actors-soft", self.forks, SOFT, marks="", band="bars: 95 % interval"),
            ),
            "actors-soft",
        )
