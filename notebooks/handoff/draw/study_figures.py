"""What the figures of every study start from."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.forks import compute_fork_means
from handoff.draw import footnotes
from handoff.draw.points import CAPTION, draw_points
from handoff.draw.save import save_figure, use_style
from handoff.registry import find_study
from handoff.run.host.machine import count_usable_cores
from handoff.run.store.run import Run
from handoff.tables import tidy, trace


class StudyFigures:
    """The forks of one study of a run, ready to draw: `points` as planned, `shots`, `forks`; all
    empty where it did not measure it.
    """

    def __init__(self, run: Run, folder: Path, name: str) -> None:
        use_style()
        self.study = find_study(name)
        self.run = run
        self.folder = folder / "figures"
        self.cores = count_usable_cores(run.machine)
        points = tidy.load_table(run, "points")
        self.points = points[points["study"] == name]
        self.shots = pd.DataFrame() if self.points.empty else tidy.load_table(run, name)
        self.forks = compute_fork_means(self.shots)

    def note(
        self,
        name: str,
        forks: pd.DataFrame,
        caption: str = "",
        marks: str = footnotes.GREY,
        band: str = footnotes.BAND,
    ) -> str:
        """The footnote of a figure made from these forks, with its trace."""
        points = self.points[
            self.points["point"].isin(forks["point"])
            | (self.points["found"] < self.points["asked"])
        ]
        return footnotes.write_footnote(self.run, forks, points, caption, marks, band) + self.trace(
            name, forks
        )

    def trace(self, name: str, forks: pd.DataFrame) -> str:
        """The id that leads from the figure back to these forks."""
        return f" trace {trace.record_trace(self.run, name, forks)}"

    def save(self, figure: Figure, name: str) -> Figure:
        save_figure(figure, self.folder, name)
        return figure

    def overview(self) -> Figure | None:
        """Every fork of every point: what a study has that draws nothing of its own."""
        if self.forks.empty:
            return None
        name = f"{self.study.name}-points"
        note = self.note(name, self.forks, CAPTION, marks="", band="line: 95 % t interval")
        labels = {
            point.key: str(point).removeprefix(f"{self.study.name} ")
            for point in self.run.points
            if point.study == self.study.name
        }
        return self.save(draw_points(self.study, self.forks, labels, note), name)
