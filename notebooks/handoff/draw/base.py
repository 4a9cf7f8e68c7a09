"""What the figures of every study start from."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handoff import tidy, trace
from handoff.draw import notes
from handoff.draw.save import save_figure, use_style
from handoff.judge.forks import fork_means
from handoff.run.machine import usable_cores
from handoff.run.store import Run


class Study:
    """The forks of one study of a run, ready to draw: `points` as planned, `shots`, `forks`; all empty where it did not measure it."""

    def __init__(self, run: Run, folder: Path, name: str) -> None:
        use_style()
        self.run = run
        self.folder = folder / "figures"
        self.cores = usable_cores(run.machine)
        points = tidy.load(run, "points")
        self.points = points[points["study"] == name]
        self.shots = pd.DataFrame() if self.points.empty else tidy.load(run, name)
        self.forks = fork_means(self.shots)

    def note(self, name: str, forks: pd.DataFrame, told: str = "", marks: str = notes.GREY, band: str = notes.BAND) -> str:
        """The footnote of a figure made from these forks, with its trace."""
        points = self.points[self.points["point"].isin(forks["point"]) | (self.points["found"] < self.points["asked"])]
        return notes.footnote(self.run, forks, points, told, marks, band) + self.trace(name, forks)

    def trace(self, name: str, forks: pd.DataFrame) -> str:
        """The id that leads from the figure back to these forks."""
        return f" trace {trace.record(self.run, name, forks)}"

    def save(self, drawn: Figure, name: str) -> Figure:
        save_figure(drawn, self.folder, name)
        return drawn
