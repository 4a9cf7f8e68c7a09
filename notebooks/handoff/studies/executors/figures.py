"""Figures of the executors: ranking, cliff where threads outnumber cores, single choices."""

from pathlib import Path

from matplotlib.figure import Figure

from handoff.draw import one_factor
from handoff.draw.study_figures import StudyFigures
from handoff.run.store.run import Run
from handoff.studies.executors.cliff_figure import draw_cliff
from handoff.studies.executors.numbers import (
    INTENDED_CAPACITY,
    ONE_FACTOR,
    compute_ratios_to_pool,
    select_baseline,
)
from handoff.studies.executors.ranking_figure import draw_ranking

RINGS = f"Rings with {INTENDED_CAPACITY:,} places."
RANKING = f"Fastest above. Mean of forks over the fixed pool's. {RINGS}"
CLIFF = (
    "The post's times, and ours (means of forks) at the numbers of workers that were measured."
    f" {RINGS} Lines join only neighbours. Right of the dotted line, threads outnumber the 8 cores"
    " of the post's machine."
)
HOLLOW = "Hollow and coloured: threads share cores."


class ExecutorsFigures(StudyFigures):
    """Figures of the study; `baseline` is as published, with rings of the intended capacity."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "executors")
        self.baseline = (
            self.forks if self.forks.empty else select_baseline(self.forks, INTENDED_CAPACITY)
        )

    def ranking(self) -> Figure | None:
        """Draw the times over the fixed pool's; None without forks of that pool."""
        rows = compute_ratios_to_pool(self.baseline).dropna(subset=["ratio"])
        if rows.empty:
            return None
        note = self.note("executors-ranking", self.baseline, RANKING, HOLLOW, "bars: 95 % interval")
        return self.save(draw_ranking(rows, note), "executors-ranking")

    def cliff(self) -> Figure | None:
        """Draw the times by number of workers."""
        if self.baseline.empty:
            return None
        note = self.note("executors-cliff", self.baseline, CLIFF, HOLLOW, band="")
        return self.save(draw_cliff(compute_ratios_to_pool(self.baseline), note), "executors-cliff")

    def changes(self) -> Figure | None:
        """Draw what one choice changes by itself, where all threads have a core."""
        rows = one_factor.select_fitting(ONE_FACTOR, self.forks)
        if rows.empty:
            return None
        note = self.note(
            "executors-changes",
            one_factor.select_drawn(rows, self.forks),
            one_factor.CAPTION,
            marks="",
            band=one_factor.BARS,
        )
        return self.save(one_factor.draw_pairs(ONE_FACTOR, rows, note), "executors-changes")
