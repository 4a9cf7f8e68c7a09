"""Page of a figure: message, legend, panels, caption and footnote below each other; its files.

A figure is as wide as a page's text, so that type in print has its nominal size. The same data
gives the same bytes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import typst
from IPython.display import Image, display
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Bbox

from handoff.draw.marks import LETTER_INCHES
from handoff.draw.words import NOTHING, Words
from handoff.files import write_json

TEXT_INCHES = 6.6
"""Width of a page's text."""
NOTE_GID = "note"
"""Id by which saving finds words around the figure; their label is the text before breaking."""
NOTE_SIZE, CAPTION_SIZE, TITLE_SIZE = 7, 8, 9.5
NOTE_INCHES, TITLE_INCHES = 6.2, 6.4
GAP_INCHES = 0.08
LINE_SPACING = 1.2
HANDLE_INCHES = 0.5
"""Width of the mark before a name in the legend."""

STYLE = Path(__file__).with_name("handoff.mplstyle")

UNDATED = {"svg": {"Date": None}, "png": {"Software": None}}
PAGE = """#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image("{}")"""
"""Typst source of a page that is a picture."""


def use_style() -> None:
    """Apply the figures' style, whatever the user's matplotlibrc says."""
    plt.style.use(["default", STYLE])


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


def draw_words(figure: Figure, words: Words) -> None:
    """Set the title above the figure, caption and footnote below it."""
    height = figure.get_figheight()
    title = draw_text(figure, 1 + GAP_INCHES / height, words.title, TITLE_SIZE, weight="bold")
    title.set(va="bottom", color="black")
    below = GAP_INCHES
    if words.caption:
        caption = draw_text(figure, -below / height, words.caption, CAPTION_SIZE)
        caption.set_color("#222222")
        lines = caption.get_text().count("\n") + 1
        below += lines * CAPTION_SIZE * LINE_SPACING / 72 + GAP_INCHES / 2
    draw_text(figure, -below / height, words.note, NOTE_SIZE)


def draw_note(figure: Figure, note: str) -> None:
    """Set the footnote below the figure; NOTHING takes the place of an empty figure."""
    if note == NOTHING:
        figure.clear()
        figure.set_size_inches(TEXT_INCHES, GAP_INCHES)
    draw_text(figure, -GAP_INCHES / figure.get_figheight(), note, NOTE_SIZE)


def draw_text(figure: Figure, at: float, text: str, size: float, weight: str = "normal") -> Text:
    """Set words over the figure's whole width, broken into lines, downwards from this height."""
    style: dict[str, Any] = {"fontsize": size, "weight": weight, "color": "#555555", "va": "top"}
    most = TITLE_INCHES if weight == "bold" else NOTE_INCHES
    font = FontProperties(size=size, weight=weight)
    # A number stays on the line of its sign.
    whole = text.replace(" %", "\u00a0%").replace("÷ ", "÷\u00a0")
    broken = "\n".join(break_line(line, font, most) for line in whole.split("\n"))
    return figure.text(
        0.005, at, broken, linespacing=LINE_SPACING, gid=NOTE_GID, label=text, **style
    )


def break_line(words: str, font: FontProperties, most: float) -> str:
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        points, _, _ = text_to_path.get_text_width_height_descent(longer, font, False)
        if lines and points / 72 <= most:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines)


def save_figure(figure: Figure, folder: Path, name: str, words: Words) -> list[Path]:
    """Write folder/name.svg, .pdf and .png, close the figure, and return the paths.

    For papers, print/name.svg is the figure without its words, which are in print/name.json. A
    closed figure is shown only once by a notebook.
    """
    (folder / "print").mkdir(parents=True, exist_ok=True)
    svg, pdf, png = (folder / f"{name}.{kind}" for kind in ("svg", "pdf", "png"))
    draw_words(figure, words)
    around = figure.findobj(lambda artist: artist.get_gid() == NOTE_GID)
    write_json(folder / "print" / f"{name}.json", words._asdict())
    said = {"Title": words.title, "Description": words.alt}
    described = {name: text for name, text in said.items() if text}
    # Layout and extent are computed by drawing, which takes most of the time: do it once for all
    # files, where "tight" or a layout engine would draw again for each.
    figure.draw_without_rendering()
    figure.set_layout_engine(None)
    for legend in figure.legends:
        # Saving an extent moves the box of the figure, but not this one.
        legend.set_bbox_to_anchor((0, 0, 1, 1), figure.transFigure)
    extent = measure_extent(figure)
    figure.savefig(svg, metadata=UNDATED["svg"] | described, bbox_inches=extent)
    figure.savefig(png, metadata=UNDATED["png"], bbox_inches=extent)
    # matplotlib would take a second to embed its fonts.
    page = PAGE.format(svg.name).encode()
    typst.compile(page, root=folder, output=pdf, ignore_system_fonts=True, pdf_tags=False)
    for text in around:
        text.set_visible(False)
    extent = measure_extent(figure)
    figure.savefig(folder / "print" / f"{name}.svg", metadata=UNDATED["svg"], bbox_inches=extent)
    for text in around:
        text.set_visible(True)
    plt.close(figure)
    # Notebooks show the file, unless a cell changes the figure.
    width = round(figure.get_figwidth() * figure.dpi)
    figure._ipython_display_ = lambda: display(Image(png, width=width))
    figure.stale_callback = lambda *_: vars(figure).pop("_ipython_display_", None)
    return [svg, pdf, png]


def measure_extent(figure: Figure) -> Bbox:
    """Return the extent of a drawn figure in inches, with the style's margin."""
    return figure.get_tightbbox().padded(plt.rcParams["savefig.pad_inches"])
