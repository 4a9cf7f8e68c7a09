"""Figures of the study scaling; each is None if the run has no data for it."""

from functools import cached_property
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, capitalize
from handoff.run.store.run import Run
from handoff.studies.scaling import (
    FREQUENCIES,
    cost_figure,
    cost_table,
    drift,
    paper_figures,
    paper_panel,
    park,
    sensitivity,
    steadiness,
)
from handoff.text import pluralize


class ScalingFigures(StudyFigures):
    """Figures of the paper's study, in one setting where the run has several.

    `baseline` has the forks under the paper's choices, split into `fitting` (a core for each
    thread) and `oversubscribed`; `judged` is `fitting`, or all where no hand-over fits.
    """

    name = "scaling"

    def __init__(self, run: Run, folder: Path, setting: str = "") -> None:
        super().__init__(run, folder)
        self.setting = setting
        if self.forks.empty:
            self.baseline = self.fitting = self.oversubscribed = self.judged = self.forks
            return
        self.baseline = paper_figures.select_baseline(self.forks, setting)
        self.fitting = self.baseline[~self.baseline["oversubscribed"]]
        self.oversubscribed = self.baseline[self.baseline["oversubscribed"]]
        handed = self.fitting["mechanism"] != self.study.sequential
        self.judged = self.fitting if handed.any() else self.baseline

    def list_settings(self) -> list[str]:
        """Return the settings that the run has, each for figures of its own; [''] for only one."""
        return [""] if self.forks.empty else paper_figures.list_settings(self.forks)

    def save_setting(self, drawn: Figure, name: str, words: Words) -> Figure:
        """Save a figure under its name and setting, which its title names."""
        if self.setting:
            name, title = f"{name}-{self.setting}", f"{capitalize(self.setting)}. {words.title}"
            words = words._replace(title=title)
        return self.save(drawn, name, words)

    def noted(self, name: str, forks: pd.DataFrame, *sorts: int) -> str:
        """Return the footnote, with its trace, of a figure of these forks at the given loads."""
        forks = forks[forks["sorts"].isin(sorts)]
        points = self.points[self.points["sorts"].isin(sorts)]
        events = [
            f"{rows['events'].iloc[0]:,} events at {pluralize(load, 'sort')}"
            for load, rows in forks.groupby("sorts")
        ]
        marks = paper_figures.describe_marks(forks)
        return self.note(name, forks, f"Measured: {', '.join(events)}.", marks, planned=points)

    def figure(self, quantity: str, sorts: int) -> Figure | None:
        """Draw one of figures 3 to 8, at the numbers of consumers that can be judged."""
        if self.baseline.empty or sorts not in set(self.judged["sorts"]):
            return None
        name = f"figure-{paper_panel.FIGURES[quantity, sorts]}"
        forks = self.judged[self.judged["sorts"] == sorts]
        words = paper_figures.describe_figure(
            forks, quantity, sorts, self.noted(name, forks, sorts)
        )
        drawn = paper_figures.draw_figure(forks, quantity, sorts, self.cores)
        return self.save_setting(drawn, name, words)

    def page(self) -> Figure | None:
        """Draw figures 3 to 8 on one page."""
        return self.draw_page("scaling", self.judged)

    def oversubscribed_page(self) -> Figure | None:
        """Draw figures 3 to 8 with all measured numbers of consumers."""
        if self.oversubscribed.empty or self.judged is self.baseline:
            return None
        return self.draw_page("scaling-oversubscribed", self.baseline, paper_figures.OVERSUBSCRIBED)

    def draw_page(self, name: str, forks: pd.DataFrame, title: str = "") -> Figure | None:
        """Draw figures 3 to 8 of these forks on one page; with a `title`, for the appendix.

        None if the run does not have all three loads.
        """
        if self.baseline.empty or not set(FREQUENCIES) <= set(self.judged["sorts"]):
            return None
        words = paper_figures.describe_page(forks, self.noted(name, forks, *FREQUENCIES))
        if title:
            words = words._replace(title=title, main=False)
        return self.save_setting(paper_figures.draw_page(forks, self.cores), name, words)

    def cost(self) -> Figure | None:
        """Draw time over one thread's, and cores kept busy, by the work of an event."""
        forks = cost_table.select_forks(self.forks, self.baseline)
        costs = cost_table.tabulate_costs(forks)
        if costs.empty:
            return None
        shown = forks[forks["sorts"].isin(costs["sorts"])]
        asleep = park.describe_parks(park.list_parks(forks, park.load_sleeps(self.run)))
        words = cost_figure.write_words(costs, self.note("scaling_cost", shown), asleep)
        return self.save(cost_figure.draw_costs(costs, self.cores), "scaling_cost", words)

    def sensitivity(self) -> Figure | None:
        """Draw each unstated choice alone, with a core per thread; None at several loads."""
        arms = sensitivity.compute_arms(self.forks)
        arms = arms[~arms["oversubscribed"].astype(bool)]
        if arms.empty or self.forks["sorts"].nunique() > 1:
            return None
        fitting = self.forks[~self.forks["oversubscribed"].astype(bool)]
        note = self.note("sensitivity", fitting)
        words = sensitivity.write_words(arms, note)
        return self.save(sensitivity.draw_sensitivity(arms), "sensitivity", words)

    def drift(self) -> Figure | None:
        """Draw each fork by session and order of execution."""
        rows = drift.compute_residuals(self.forks)
        if rows.empty:
            return None
        note = self.note("drift", rows)
        return self.save(drift.draw_drift(rows), "drift", drift.write_words(rows, note))

    def warmup(self, figure: Figure) -> Figure | None:
        """Save a figure of the shots of `fewest_consumers`, unless the forks have too few."""
        if not self.steady_forks["enough"].any():
            return None
        points = self.fewest_consumers()["point"]
        note = self.note("warmup", self.forks[self.forks["point"].isin(points)], marks="")
        words = steadiness.write_words(self.steady_forks, note)
        return self.save(figure, "warmup", words)

    def fewest_consumers(self) -> pd.DataFrame:
        """Return the shots of the point with the fewest consumers per mechanism and load."""
        if self.baseline.empty:
            return self.shots
        fewest = self.baseline.groupby(["mechanism", "sorts"])["consumers"].transform("min")
        chosen = self.baseline.loc[self.baseline["consumers"] == fewest, "point"]
        return self.shots[self.shots["point"].isin(chosen)]

    @cached_property
    def steady_forks(self) -> pd.DataFrame:
        """Return from which shot on each of these forks is steady."""
        return steadiness.tabulate_forks(self.fewest_consumers())
