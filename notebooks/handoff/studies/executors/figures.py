"""Figure of the executors: their ranking."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, format_brief
from handoff.run.store.run import Run
from handoff.studies.executors import STUDY
from handoff.studies.executors.numbers import (
    INTENDED_CAPACITY,
    POOL,
    compute_ratios_to_pool,
    select_baseline,
)
from handoff.studies.executors.ranking_figure import choose_workers, draw_ranking
from handoff.text import pluralize

CAPTION = (
    "Time of as many tasks over the fixed thread pool's, the fastest above; bars: 95 % interval;"
    f" hollow: the post. Rings with {INTENDED_CAPACITY:,} places, as the post intended."
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
        note = self.note("executors-ranking", self.baseline, marks=HOLLOW, band="")
        return self.save(draw_ranking(rows), "executors-ranking", write_words(rows, note))


def write_words(rows: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; the title names what surely differs from the pool."""
    title = "Time of small tasks by each executor, over the fixed thread pool's"
    fewest = rows[rows["threads"] == min(choose_workers(rows))]
    sure = fewest[fewest["low"].notna() & (fewest["mechanism"] != POOL)]
    if len(sure):
        faster, slower = sure[sure["high"] < 1], sure[sure["low"] > 1]
        title = (
            f"With {pluralize(int(fewest['threads'].iloc[0]), 'worker')}, {len(faster)} of"
            f" {len(sure)} executors are faster than the fixed pool and {len(slower)} slower"
        )
        if len(slower):
            worst = slower.loc[slower["ratio"].astype(float).idxmax()]
            name = STUDY.look(worst["mechanism"]).label
            title += f"; the {name} takes {format_brief(worst['ratio'])} times its time"
    parts = [
        f"{STUDY.look(row.mechanism).label} {format_brief(row.ratio)}"
        f" ({pluralize(int(row.threads), 'worker')})"
        for row in rows.itertuples()
    ]
    return Words(title, CAPTION, f"Time over the fixed pool's. {'; '.join(parts)}.", note)
