"""Base class of the figures of every study."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.forks import compute_fork_means, measure_level
from handoff.draw import footnotes
from handoff.draw.marks import differ_widely, draw_dots, spread_bars
from handoff.draw.page import new_figure
from handoff.draw.save import save_figure, use_style
from handoff.draw.words import Words
from handoff.registry import find_study
from handoff.run.host.machine import count_usable_cores
from handoff.run.store.run import Run
from handoff.study import Study
from handoff.tables import tidy, trace

ROW_INCHES = 0.22
CAPTION = "One row per point, one mark per fork; thick: the mean. Hollow: threads share cores."


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
        points = tidy.load_table(run, "points", self.every_arm)
        self.points = points[points["study"] == name]
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
        marks: str = footnotes.GREY,
        band: str = "",
        planned: pd.DataFrame | None = None,
    ) -> str:
        """Return the footnote of a figure made from these forks, with its trace.

        It names incomplete points among those `planned` for the figure, by default all. Without
        forks it says that there is nothing to show.
        """
        if forks.empty:
            return footnotes.NOTHING
        points = self.points if planned is None else planned
        incomplete = points["found"] < points["asked"]
        shown = points[points["point"].isin(forks["point"]) | incomplete]
        note = footnotes.write_footnote(self.run, forks, shown, caption, marks, band)
        return f"{note} trace {trace.record_trace(self.run, name, forks)}"

    def save(self, figure: Figure, name: str, words: Words | None = None) -> Figure:
        """Write the figure's files, with its words, and return it."""
        save_figure(figure, self.folder, name, words)
        return figure

    def overview(self) -> Figure | None:
        """Draw every fork of every point; the figure of a study without its own figures."""
        if self.forks.empty:
            return None
        name = f"{self.study.name}-points"
        note = self.note(name, self.forks, marks="", band="line: 95 % interval")
        title = f"{self.study.title or self.study.name}: every fork of every point"
        alt = f"{CAPTION} {len(self.forks)} forks of {self.forks['point'].nunique()} points."
        words = Words(title, CAPTION, alt, note, main=False)
        labels = {
            point.key: str(point).removeprefix(f"{self.study.name} ")
            for point in self.run.points
            if point.study == self.study.name
        }
        return self.save(draw_points(self.study, self.forks, labels), name, words)


def draw_points(study: Study, forks: pd.DataFrame, labels: dict[str, str]) -> Figure:
    """Draw nanoseconds per event of every fork, one row per point; `labels` are by point key."""
    keys = [key for key in labels if key in set(forks["point"])][::-1]
    figure, ((axes,),) = new_figure(height=ROW_INCHES * len(keys) + 0.9)
    for height, key in enumerate(keys):
        rows = forks[forks["point"] == key]
        look, hollow = study.look(rows["mechanism"].iloc[0]), rows["oversubscribed"].any()
        draw_dots(axes, rows["ns_per_event"], [height] * len(rows), look, hollow, s=18, lw=0.8)
        level, bars = measure_level(rows)
        axes.vlines(level, height - 0.3, height + 0.3, color=look.colour, lw=1.8)
        for place, bounds in spread_bars(height, bars):
            axes.hlines(place, *bounds, color=look.colour, lw=1.2)
    axes.set_yticks(range(len(keys)), [labels[key] for key in keys], fontsize=7)
    axes.set(xlabel="ns per event")
    if differ_widely(forks["ns_per_event"]):
        axes.set_xscale("log")
    else:
        axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.6g}")
    return figure
