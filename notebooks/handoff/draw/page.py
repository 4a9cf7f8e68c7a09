"""Page layout of a figure: panels, a legend above them, the footnote below.

A figure is as wide as a page's text, so that type in print has its nominal size.
"""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

TEXT_INCHES = 6.6
"""Width of a page's text."""
NOTE_GID = "note"
"""Id by which saving finds the footnote, whose label is its text before line breaking."""
NOTE_SIZE, NOTE_INCHES = 7, 6.2
NOTE_INCHES_BELOW = 0.08
LETTER_INCHES, HANDLE_INCHES = 0.062, 0.5
"""Widths of a letter of the legend, and of the mark before a name."""


def new_figure(
    rows: int = 1, columns: int = 1, height: float = 3.2, **how: Any
) -> tuple[Figure, np.ndarray]:
    """Return a figure as wide as the text, and its panels in a two-dimensional array.

    `height` is in inches; `how` is passed on to `plt.subplots`.
    """
    return plt.subplots(
        rows, columns, figsize=(TEXT_INCHES, height), layout="constrained", squeeze=False, **how
    )


def draw_legend(figure: Figure, handles: Sequence[Artist], title: str = "") -> None:
    """Draw one legend for all panels above them, under `title`, in as many columns as fit."""
    names = [str(handle.get_label()) for handle in handles]
    figure.legend(
        handles=handles,
        loc="outside upper left",
        ncols=count_columns(names),
        title=title or None,
        title_fontproperties={"weight": "bold", "size": plt.rcParams["axes.titlesize"]},
        alignment="left",
    )


def count_columns(names: Sequence[str]) -> int:
    """Return how many columns of a legend fit; matplotlib fills them as numpy splits an array."""
    for columns in range(len(names), 1, -1):
        lengths = [max(map(len, column)) for column in np.array_split(names, columns)]
        if sum(LETTER_INCHES * length + HANDLE_INCHES for length in lengths) <= TEXT_INCHES:
            return columns
    return 1


def collect_handles(grid: np.ndarray) -> list[Artist]:
    """Return the legend entries of all panels, each name once."""
    named: dict[str, Artist] = {}
    for axes in grid.flat:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    return list(named.values())


def hide_rest(grid: np.ndarray, used: int) -> None:
    """Hide the panels after the first `used`; a panel above a hidden one keeps its x axis."""
    panels = list(grid.flat)
    for axes in panels[used:]:
        axes.axis("off")
    for axes in panels[max(0, used - grid.shape[1]) : used]:
        axes.tick_params(labelbottom=True)


def draw_note(figure: Figure, note: str) -> None:
    """Set the footnote below the figure."""
    broken = "\n".join(break_line(line) for line in note.split("\n"))
    below = -NOTE_INCHES_BELOW / figure.get_figheight()
    figure.text(
        0.005,
        below,
        broken,
        fontsize=NOTE_SIZE,
        color="#555555",
        va="top",
        gid=NOTE_GID,
        label=note,
    )


def break_line(words: str) -> str:
    """Break a line of the footnote into lines that fit its width."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure_inches(longer) <= NOTE_INCHES:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines)


def measure_inches(words: str) -> float:
    """Return the width of words of a footnote in inches."""
    font = FontProperties(size=NOTE_SIZE)
    points, _, _ = text_to_path.get_text_width_height_descent(words, font, False)
    return points / 72
