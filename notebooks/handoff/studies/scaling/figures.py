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
    drift,
    load,
    paper_figures,
    paper_panel,
    sensitivity,
    warmup_figure,
)
from handoff.studies.scaling import steadiness as steady
from handoff.studies.scaling.speedup_figure import compute_speedups, draw_speedups


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

    def noted(self, name: str, *sorts: int, band: str = footnotes.BAND) -> str:
        """Return the footnote, with its trace, of a figure for the given loads, or for all."""
        forks = self.baseline[self.baseline["sorts"].isin(sorts or self.baseline["sorts"])]
        points = self.points[self.points["sorts"].isin(sorts or self.points["sorts"])]
        return footnotes.write_footnote(
            self.run,
            forks,
            points,
            paper_figures.describe_events(forks),
            paper_figures.describe_marks(forks),
            band,
        ) + self.trace(name, forks)

    def figure(self, quantity: str, sorts: int) -> Figure | None:
        """Draw one of figures 3 to 8."""
        if self.baseline.empty or sorts not in set(self.baseline["sorts"]):
            return None
        name = f"figure-{paper_panel.FIGURES[quantity, sorts]}"
        fig = paper_figures.draw_figure(
            self.baseline, quantity, sorts, self.cores, self.noted(name, sorts)
        )
        return self.save(fig, name)

    @property
    def whole(self) -> bool:
        """Whether the run has all three loads."""
        return not self.baseline.empty and set(FREQUENCIES) <= set(self.baseline["sorts"])

    def page(self) -> Figure | None:
        """Draw figures 3 to 8 on one page."""
        if not self.whole:
            return None
        note = self.noted("scaling", *FREQUENCIES)
        return self.save(paper_figures.draw_page(self.baseline, self.cores, note), "scaling")

    def ratios(self) -> Figure | None:
        """Draw times over one thread's alone, on a logarithmic axis."""
        if self.baseline.empty or not paper_figures.has_ratios(self.baseline):
            return None
        fig = paper_figures.draw_ratios(
            self.baseline, self.noted("ratios", *FREQUENCIES, band=paper_figures.BARS)
        )
        return self.save(fig, "scaling-ratios")

    def speedups(self) -> Figure | None:
        """Draw speed-up and efficiency at the paper's loads."""
        table = pd.DataFrame() if self.baseline.empty else compute_speedups(self.fitting)
        table = table[table["sorts"].isin(FREQUENCIES)] if len(table) else table
        if table.empty:
            return None
        note = self.noted("scaling-speedup", *FREQUENCIES, band="bars: 95 % interval")
        return self.save(draw_speedups(table, note), "scaling-speedup")

    def load(self) -> Figure | None:
        """Draw the load sweep."""
        if self.baseline.empty or not load.has_loads(self.baseline):
            return None
        fig = load.draw_load(self.baseline, self.noted("load", band="band: 95 % interval"))
        return self.save(fig, "load")

    def sensitivity(self) -> Figure | None:
        """Draw each unstated choice against the defaults."""
        if sensitivity.compute_arms(self.forks).empty:
            return None
        fig = sensitivity.draw_sensitivity(
            self.forks,
            self.note(
                "sensitivity",
                self.forks,
                paper_figures.describe_events(self.forks),
                paper_figures.describe_marks(self.forks),
            ),
        )
        return self.save(fig, "sensitivity")

    def drift(self) -> Figure | None:
        """Draw each fork by order of execution."""
        rows = drift.compute_residuals(self.forks)
        if rows.empty:
            return None
        words = f"{len(rows)} forks of points with at least {drift.MIN_FORKS}." + (
            " Hollow: ran on a busy or slow machine." if (rows["disturbed"] != "").any() else ""
        )
        warnings = footnotes.list_warnings(self.run, rows, self.points)
        fig = drift.draw_drift(
            rows,
            "\n".join(filter(None, [words, warnings, self.run.title()]))
            + self.trace("drift", rows),
        )
        return self.save(fig, "drift")

    def warmup(self) -> Figure | None:
        """Draw every shot of every fork, in order, of the points with the fewest consumers."""
        if self.baseline.empty or not self.steady_forks["enough"].any():
            return None
        words = (
            "One line per fork: its shots over the median of their later half. Grey: warm-up, left"
            " out."
        )
        note = f"{words} {self.steadiness()}\n{self.run.title()}"
        fig = warmup_figure.draw_warmup(
            self.fewest_consumers(),
            note
            + self.trace(
                "warmup", self.forks[self.forks["point"].isin(self.fewest_consumers()["point"])]
            ),
        )
        return self.save(fig, "warmup")

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
