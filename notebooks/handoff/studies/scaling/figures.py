"""Figures of the study scaling; each is None if the run has no data for it."""

from functools import cached_property
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handoff.draw import footnotes
from handoff.draw.study_figures import StudyFigures
from handoff.run.store.run import Run
from handoff.studies.scaling import (
    FREQUENCIES,
    cost_figure,
    drift,
    paper_figures,
    paper_panel,
    paper_words,
    sensitivity,
    warmup_figure,
)
from handoff.studies.scaling import steadiness as steady
from handoff.studies.scaling.numbers import tabulate_ratios


class ScalingFigures(StudyFigures):
    """Figures of the paper's study.

    `baseline` has the forks under the paper's choices, split into `fitting` (a core for each
    thread) and `oversubscribed`.
    """

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "scaling")
        if self.forks.empty:
            self.baseline = self.fitting = self.oversubscribed = self.forks
            return
        self.baseline = paper_figures.select_baseline(self.forks)
        self.fitting = self.baseline[~self.baseline["oversubscribed"]]
        self.oversubscribed = self.baseline[self.baseline["oversubscribed"]]

    def noted(self, name: str, forks: pd.DataFrame, *sorts: int, band: str = "") -> str:
        """Return the footnote, with its trace, of a figure of these forks at the given loads."""
        forks = forks[forks["sorts"].isin(sorts)]
        points = self.points[
            self.points["point"].isin(forks["point"])
            | (self.points["found"] < self.points["asked"]) & self.points["sorts"].isin(sorts)
        ]
        events, marks = paper_figures.describe_events(forks), paper_figures.describe_marks(forks)
        note = footnotes.write_footnote(self.run, forks, points, events, marks, band)
        return note + self.trace(name, forks)

    @property
    def judged(self) -> pd.DataFrame:
        """The forks with a core for each thread, or all where no hand-over has them."""
        handed = self.fitting[self.fitting["mechanism"] != self.study.sequential]
        return self.fitting if len(handed) else self.baseline

    def figure(self, quantity: str, sorts: int) -> Figure | None:
        """Draw one of figures 3 to 8, at the numbers of consumers that can be judged."""
        if self.baseline.empty or sorts not in set(self.judged["sorts"]):
            return None
        name = f"figure-{paper_panel.FIGURES[quantity, sorts]}"
        note = self.noted(name, self.judged, sorts)
        words = paper_words.describe_figure(self.judged, quantity, sorts, note)
        drawn = paper_figures.draw_figure(self.judged, quantity, sorts, self.cores)
        return self.save(drawn, name, words)

    @property
    def whole(self) -> bool:
        """The run has all three loads."""
        return not self.baseline.empty and set(FREQUENCIES) <= set(self.judged["sorts"])

    def page(self) -> Figure | None:
        """Draw figures 3 to 8 on one page."""
        if not self.whole:
            return None
        words = paper_words.describe_page(
            self.judged, self.noted("scaling", self.judged, *FREQUENCIES)
        )
        return self.save(paper_figures.draw_page(self.judged, self.cores), "scaling", words)

    def oversubscribed_page(self) -> Figure | None:
        """Draw figures 3 to 8 with all measured numbers of consumers."""
        if not self.whole or self.oversubscribed.empty or self.judged is self.baseline:
            return None
        name = "scaling-oversubscribed"
        words = paper_words.describe_page(
            self.baseline, self.noted(name, self.baseline, *FREQUENCIES)
        )
        words = words._replace(title=paper_words.OVERSUBSCRIBED, main=False)
        return self.save(paper_figures.draw_page(self.baseline, self.cores), name, words)

    def cost(self, consumers: int = 1) -> Figure | None:
        """Draw time over one thread's, and cores kept busy, by the work of an event."""
        costs = cost_figure.tabulate_costs(self.baseline, consumers)
        if not cost_figure.choose_mechanisms(costs):
            return None
        name = "scaling_cost" if consumers == 1 else f"scaling_cost-{consumers}"
        alone = self.baseline["mechanism"] == self.study.sequential
        drawn = self.baseline["mechanism"].isin(cost_figure.choose_mechanisms(costs))
        drawn &= self.baseline["consumers"] == consumers
        forks = self.baseline[(alone | drawn) & self.baseline["sorts"].isin(costs["sorts"])]
        note = self.note(name, forks, band="")
        words = cost_figure.write_words(costs, note, consumers)
        words = words._replace(main=consumers == 1)
        return self.save(cost_figure.draw_costs(costs, self.cores, consumers), name, words)

    def ratios(self) -> Figure | None:
        """Draw times over one thread's by consumers; None unless several can be judged."""
        if self.baseline.empty or paper_figures.count_judged(self.baseline) < 2:
            return None
        table = tabulate_ratios(self.fitting)
        table = table[table["sorts"].isin(FREQUENCIES)]
        if table.empty:
            return None
        note = self.noted("scaling-ratios", self.fitting, *FREQUENCIES)
        words = paper_words.describe_ratios(table, note)
        return self.save(paper_figures.draw_ratios(self.fitting), "scaling-ratios", words)

    def sensitivity(self) -> Figure | None:
        """Draw each unstated choice against the defaults, where threads have a core each."""
        arms = sensitivity.compute_arms(self.forks)
        arms = arms[~arms["oversubscribed"].astype(bool)]
        if arms.empty:
            return None
        fitting = self.forks[~self.forks["oversubscribed"].astype(bool)]
        note = self.note("sensitivity", fitting, band="")
        words = sensitivity.write_words(arms, note)
        return self.save(sensitivity.draw_sensitivity(arms), "sensitivity", words)

    def drift(self) -> Figure | None:
        """Draw each fork by session and order of execution."""
        rows = drift.compute_residuals(self.forks)
        if rows.empty:
            return None
        note = self.note("drift", rows, band="")
        return self.save(drift.draw_drift(rows), "drift", drift.write_words(rows, note))

    def warmup(self) -> Figure | None:
        """Draw every shot of every fork, in order, of the points with the fewest consumers."""
        if self.baseline.empty or not self.steady_forks["enough"].any():
            return None
        shots = self.fewest_consumers()
        note = self.note("warmup", self.forks[self.forks["point"].isin(shots["point"])], band="")
        words = warmup_figure.write_words(self.steadiness(), note)
        return self.save(warmup_figure.draw_warmup(shots), "warmup", words)

    def fewest_consumers(self) -> pd.DataFrame:
        """Return the shots of the point with the fewest consumers per mechanism and load."""
        if self.baseline.empty:
            return self.shots
        fewest = self.baseline.groupby(["mechanism", "sorts"])["consumers"].transform("min")
        return self.shots[
            self.shots["point"].isin(
                self.baseline.loc[self.baseline["consumers"] == fewest, "point"]
            )
        ]

    def steadiness(self) -> str:
        """Return one sentence on whether the forks became steady."""
        return steady.describe_steadiness(self.steady_forks)

    def steady(self) -> pd.DataFrame:
        """Return the table of change points; empty if the forks have too few shots."""
        return steady.tabulate_steadiness(self.steady_forks)

    @cached_property
    def steady_forks(self) -> pd.DataFrame:
        """Return from which shot on each of these forks is steady."""
        return steady.tabulate_forks(self.fewest_consumers())
