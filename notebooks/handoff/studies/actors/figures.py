"""Figure of the actors: messages that changed thread, and soft affinity against its rivals."""

import textwrap
from itertools import groupby

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.catalog import load_catalog
from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, capitalize, format_brief
from handoff.studies.actors import STUDY
from handoff.studies.actors.numbers import (
    LOSS_RATIO,
    OURS,
    RIVALS,
    compare_rivals,
    count_standings,
    format_percent,
    select_baseline,
    tabulate_points,
)

CAPTION = (
    "One row per size of an actor's state. Left: messages that ran on another thread than their"
    " actor's previous one; dashed: if threads were drawn at random. Right: soft affinity's time"
    f" over a rival's, in the rival's colour; bars: 95 % interval; dotted: {LOSS_RATIO}; slower:"
    " beyond it."
)
ROW_INCHES, ASIDE = 0.34, 0.14
SCENE_LETTERS = 44
"""Letters of a line of a scene's name, which fits its panel."""
ZERO_POSITION, TICKS = 2e-7, (1e-5, 1e-3, 1e-1)
"""Position of 'no message moved' on the logarithmic axis, and the other ticks."""

Place = tuple[str, int | None]
"""A scene with a size of state in bytes, or None in the row of its name."""


class ActorsFigures(StudyFigures):
    """The study's figure."""

    name = "actors"
    select = staticmethod(select_baseline)

    def figure(self) -> Figure | None:
        """Draw messages that moved, and soft affinity over its rivals."""
        points, rivals = tabulate_points(self.baseline), compare_rivals(self.baseline)
        if points.empty:
            return None
        note = self.note("actors", self.baseline, marks="")
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
    counts = count_standings(rivals)
    judged = sum(counts.values())
    if judged:
        standing = ", ".join(f"{word} at {number}" for word, number in counts.items() if number)
        parts.append(f"soft affinity is {standing} of {judged} points, against its faster rival")
    title = ", ".join(parts) or "Where an actor's messages run"
    alt = "; ".join(
        f"{row.scene}, {format_bytes(row.bytes)}, over {STUDY.look(row.rival).short}:"
        f" {format_brief(row.ratio)}"
        for row in rivals.itertuples()
    )
    return Words(capitalize(title), CAPTION, f"{capitalize(title)}. {alt}".strip(), note)


def list_mechanisms(rows: pd.DataFrame) -> list[str]:
    return [name for name in load_catalog()["actors"].mechanisms if name in set(rows["mechanism"])]


def list_rows(points: pd.DataFrame) -> list[Place]:
    """Return the rows from the top: a scene's name alone, then its sizes of state in bytes."""
    ordered = points.sort_values(["route", "scene", "bytes"], ascending=[False, True, True])
    places = dict.fromkeys(zip(ordered["scene"], ordered["bytes"], strict=True))
    listed: list[Place] = []
    for scene, sizes in groupby(places, key=lambda place: place[0]):
        listed += [(scene, None), *sizes]
    return listed


def draw_affinity(points: pd.DataFrame, rivals: pd.DataFrame) -> Figure:
    """Draw one row per scene and size: moved messages on the left, ratios on the right.

    `points` is from `tabulate_points`; `rivals`, from `compare_rivals`, may be empty.
    """
    listed = list_rows(points)
    figure, grid = new_figure(1, 2, ROW_INCHES * len(listed) + 1.1, sharey=True)
    left, right = grid[0]
    left.set_ylim(len(listed) - 0.5, -0.6)
    draw_moved(left, points, listed)
    draw_rivals(right, rivals, listed)
    for at, (scene, size) in enumerate(listed):
        if size is None:
            words = textwrap.fill(scene, SCENE_LETTERS)
            name = left.text(0.01, at + 0.3, words, transform=left.get_yaxis_transform())
            name.set(weight="bold", fontsize=7, in_layout=False)
    sizes = {at: format_bytes(size) for at, (_, size) in enumerate(listed) if size is not None}
    left.set_yticks(list(sizes), list(sizes.values()))
    for axes in (left, right):
        axes.grid(visible=False, axis="y")
    looks = [STUDY.look(name) for name in list_mechanisms(points)]
    draw_legend(figure, [marks.make_handle(look) for look in looks])
    return figure


def format_bytes(size: int) -> str:
    """Return a size such as '64 B', '32 kB' or '3.2 MB'."""
    unit, name = next((u, n) for u, n in ((1e6, "MB"), (1e3, "kB"), (1, "B")) if size >= u)
    return f"{size / unit:g} {name}"


def draw_moved(axes: Axes, points: pd.DataFrame, listed: list[Place]) -> None:
    """Draw the share of messages that moved; dashed: if threads were drawn at random."""
    names = list_mechanisms(points)
    for row in points.dropna(subset=["moved"]).itertuples():
        at = listed.index((row.scene, row.bytes))
        look = STUDY.look(row.mechanism)
        aside = 0.11 * (names.index(row.mechanism) - (len(names) - 1) / 2)
        moved = max(row.moved, ZERO_POSITION)
        axes.plot(moved, at + aside, look.marker, color=look.colour, ms=4.5, zorder=3)
        axes.vlines(row.random, at - 0.4, at + 0.4, color="black", ls="--", lw=0.8)
    axes.set(xscale="log", xlim=(ZERO_POSITION / 2, 2), xlabel="share of messages that moved")
    axes.set_xticks([ZERO_POSITION, *TICKS], ["none", *map(format_percent, TICKS)])
    axes.set_title("Messages that changed thread")
    axes.minorticks_off()


def draw_rivals(axes: Axes, rivals: pd.DataFrame, listed: list[Place]) -> None:
    """Draw soft affinity's time over each rival's, in the rival's colour."""
    axes.set(xscale="log", xlabel="time of soft affinity ÷ its rival's")
    axes.set_title("Soft affinity against its rivals")
    axes.axvline(1, color="black", lw=1)
    axes.axvline(LOSS_RATIO, color="black", lw=0.8, ls=":")
    for row in rivals.itertuples():
        at = listed.index((row.scene, row.bytes)) + (ASIDE if row.rival == RIVALS[0] else -ASIDE)
        ratio, look = (row.ratio, row.low, row.high), STUDY.look(row.rival)
        marks.draw_ratio(axes, at, ratio, look, row.oversubscribed, horizontal=True)
    marks.format_log_axis(axes.xaxis, 6)
