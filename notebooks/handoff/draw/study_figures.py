"""Base class of the figures of every study."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.forks import compute_fork_means
from handoff.draw.left_out import describe_left_out
from handoff.draw.page import save_figure, use_style
from handoff.draw.words import GREY, NOTHING, Words, write_footnote
from handoff.run.host.machine import count_usable_cores
from handoff.run.store.run import Run
from handoff.study import find_study
from handoff.tables import tidy, trace


class StudyFigures:
    """Tables of one study of a run, ready to draw: `points`, `shots`, `forks` and `baseline`.

    They are empty if the run did not measure the study. A method that draws a figure returns None
    if the run has no forks for it. A subclass for one study has its `name`.
    """

    name = ""
    every_arm = False
    """True if all arms are drawn, not the first alone."""

    def __init__(self, run: Run, folder: Path, name: str = "") -> None:
        use_style()
        name = name or self.name
        self.study = find_study(name)
        self.run = run
        self.folder = folder / "figures"
        self.cores = count_usable_cores(run.machine)
        points = tidy.load_table(run, "points", every_arm=True)
        points = points[points["study"] == name]
        self.measured = points[points["found"] > 0]
        if "arm" in points and not self.every_arm:
            points = points[points["arm"] == run.sweep.first_arm]
        self.points = points
        self.shots = (
            pd.DataFrame() if self.points.empty else tidy.load_table(run, name, self.every_arm)
        )
        self.forks = compute_fork_means(self.shots)
        self.baseline = self.select(self.forks)

    @staticmethod
    def select(forks: pd.DataFrame) -> pd.DataFrame:
        """Return the forks under the choices that the study's figures show."""
        return forks

    def note(
        self,
        name: str,
        forks: pd.DataFrame,
        caption: str = "",
        marks: str = GREY,
        band: str = "",
        planned: pd.DataFrame | None = None,
    ) -> str:
        """Return the footnote of a figure made from these forks, with its trace.

        It says what the figure leaves out of the study, and names incomplete points among those
        `planned` for the figure, by default all. Without forks, there is nothing to show.
        """
        if forks.empty:
            return NOTHING
        points = self.points if planned is None else planned
        incomplete = points["found"] < points["asked"]
        shown = points[points["point"].isin(forks["point"]) | incomplete]
        caption = f"{caption} {describe_left_out(self.study, forks, self.measured)}"
        note = write_footnote(self.run, forks, shown, caption, marks, band)
        return f"{note} trace {trace.record_trace(self.run, name, forks)}"

    def save(self, figure: Figure, name: str, words: Words) -> Figure:
        """Write the figure's files, with its words, and return it."""
        save_figure(figure, self.folder, name, words)
        return figure
