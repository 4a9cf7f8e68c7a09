"""All figures of the study scaling that a run has data for."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handoff import tidy, trace
from handoff.draw import drift, load, scaling, sensitivity, warmup
from handoff.draw.save import save_figure, use_style
from handoff.judge import warmup as steady
from handoff.judge.forks import fork_means
from handoff.names import FREQUENCIES
from handoff.run.machine import usable_cores
from handoff.run.store import Run


class Scaling:
    """The study's forks of one run, ready to draw: `shots`, `forks`, and of them `baseline` (the paper's choices), split into
    `fitting` (a core for each thread) and `oversubscribed`."""

    def __init__(self, run: Run, folder: Path) -> None:
        use_style()
        self.folder = folder / "figures"
        self.points = tidy.load(run, "points")
        self.shots = tidy.load(run, "scaling")
        self.forks = fork_means(self.shots)
        if self.forks.empty:
            self.baseline = self.fitting = self.oversubscribed = self.forks
            return
        self.baseline = scaling.baseline(self.forks)
        self.fitting = self.baseline[~self.baseline["oversubscribed"]]
        self.oversubscribed = self.baseline[self.baseline["oversubscribed"]]
        self.run = run
        self.cores = usable_cores(run.machine)

    def note(self, name: str, *sorts: int) -> str:
        """The footnote of a figure for the given loads, or for all, with its trace."""
        forks, points = (table[table["sorts"].isin(sorts or table["sorts"])] for table in (self.baseline, self.points))
        return scaling.footnote(self.run, forks, points) + self.trace(name, forks)

    def trace(self, name: str, forks: pd.DataFrame) -> str:
        """The id that leads from the figure back to these forks."""
        return f" trace {trace.record(self.run, name, forks)}"

    def figure(self, quantity: str, sorts: int) -> Figure | None:
        """One of figures 3 to 8, drawn and saved; None when the run has no point of that load."""
        if self.baseline.empty or sorts not in set(self.baseline["sorts"]):
            return None
        name = f"figure-{scaling.FIGURES[quantity, sorts]}"
        drawn = scaling.figure(self.baseline, quantity, sorts, self.cores, self.note(name, sorts))
        save_figure(drawn, self.folder, name)
        return drawn

    def page(self) -> Figure | None:
        """The six on one page; None unless the run has all three loads."""
        if self.baseline.empty or not set(FREQUENCIES) <= set(self.baseline["sorts"]):
            return None
        drawn = scaling.page(self.baseline, self.cores, self.note("scaling"))
        save_figure(drawn, self.folder, "scaling")
        return drawn

    def load(self) -> Figure | None:
        """The load sweep; None in a run without one."""
        if self.baseline.empty or not load.has_load(self.baseline):
            return None
        drawn = load.figure(self.baseline, self.note("load"))
        save_figure(drawn, self.folder, "load")
        return drawn

    def sensitivity(self) -> Figure | None:
        """Each unstated choice against the defaults; None in a run that varies none."""
        if sensitivity.arms(self.forks).empty:
            return None
        drawn = sensitivity.figure(self.forks, scaling.footnote(self.run, self.forks, self.points) + self.trace("sensitivity", self.forks))
        save_figure(drawn, self.folder, "sensitivity")
        return drawn

    def drift(self) -> Figure | None:
        """Each fork against the order of execution; None in a run without points of three forks."""
        rows = drift.residuals(self.forks)
        if rows.empty:
            return None
        words = f"{len(rows)} forks, of points with {drift.FEWEST} or more. Hollow: ran on a busy or slow machine."
        warnings = scaling.warnings(self.run, rows, self.points)
        drawn = drift.figure(rows, "\n".join(filter(None, [words, warnings, self.run.title()])) + self.trace("drift", rows))
        save_figure(drawn, self.folder, "drift")
        return drawn

    def warmup(self) -> Figure | None:
        """Every shot of every fork, in order, with the fewest consumers."""
        if self.baseline.empty:
            return None
        words = "A line a fork: its shots over the median of its later half. Grey: left out as warm-up."
        note = f"{words} {self.steadiness()}\n{self.run.title()}"
        drawn = warmup.figure(
            self.fewest_consumers(), note + self.trace("warmup", self.forks[self.forks["point"].isin(self.fewest_consumers()["point"])])
        )
        save_figure(drawn, self.folder, "warmup")
        return drawn

    def fewest_consumers(self) -> pd.DataFrame:
        """The shots of one point for each mechanism and load: that under the run's standing choices with the fewest consumers."""
        if self.baseline.empty:
            return self.shots
        fewest = self.baseline.groupby(["mechanism", "sorts"])["consumers"].transform("min")
        return self.shots[self.shots["point"].isin(self.baseline.loc[self.baseline["consumers"] == fewest, "point"])]

    def steadiness(self) -> str:
        """Whether the forks became steady, in one sentence."""
        return steady.in_words(steady.by_fork(self.fewest_consumers()))

    def steady(self) -> pd.DataFrame:
        """The table of change points; empty where shots are too few."""
        return steady.table(steady.by_fork(self.fewest_consumers()), steady.quick_counts())
