"""Figure of the actors: where messages run, and what soft affinity gains by it."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, format_brief
from handoff.run.store.run import Run
from handoff.studies.actors import STUDY
from handoff.studies.actors.affinity_figure import draw_affinity, format_bytes
from handoff.studies.actors.numbers import format_percent, tabulate_points
from handoff.studies.actors.soft_affinity import (
    LOSS_RATIO,
    OURS,
    compare_rivals,
    describe_standing,
    select_baseline,
)

CAPTION = (
    "One row per size of an actor's state. Left: messages that ran on another thread than their"
    " actor's previous one; dashed: if threads were drawn at random. Right: soft affinity's time"
    f" over work stealing's and dedicated threads'; bars: 95 % interval; dotted: {LOSS_RATIO}, an"
    " interval beyond it means slower."
)


class ActorsFigures(StudyFigures):
    """The study's figure."""

    def __init__(self, run: Run, folder: Path) -> None:
        super().__init__(run, folder, "actors")
        self.forks = select_baseline(self.forks)

    def figure(self) -> Figure | None:
        """Draw messages that moved, and soft affinity over its rivals."""
        points, rivals = tabulate_points(self.forks), compare_rivals(self.forks)
        if points.empty:
            return None
        note = self.note("actors", self.forks, marks="", band="")
        return self.save(draw_affinity(points, rivals), "actors", write_words(points, rivals, note))


def write_words(points: pd.DataFrame, rivals: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; the title has the largest shares and the standing of soft."""
    most = points.groupby("mechanism")["moved"].max().dropna()
    parts = [
        f"{STUDY.look(name).short} moves"
        f" {f'up to {format_percent(most[name])} of messages' if most[name] else 'no message'}"
        for name in ("WORK_STEALING", OURS)
        if name in most
    ]
    better = rivals[rivals["better"] & rivals["low"].notna()]
    counts = [describe_standing(row.low, row.high) for row in better.itertuples()]
    standing = ", ".join(
        f"{word} at {counts.count(word)}"
        for word in ("faster", "indistinguishable", "slower")
        if word in counts
    )
    if counts:
        parts.append(
            f"soft affinity is {standing} of {len(counts)} points, against its faster rival"
        )
    title = ", ".join(parts) or "Where an actor's messages run"
    alt = "; ".join(
        f"{row.scene}, {format_bytes(row.bytes)}, over {STUDY.look(row.rival).short}:"
        f" {format_brief(row.ratio)}"
        for row in rivals.itertuples()
    )
    return Words(title[:1].upper() + title[1:], CAPTION, f"Soft affinity. {alt}.", note)
