"""The one way to save a figure: SVG, PDF and PNG, and print/ without its note for the paper; the
same bytes for the same data.
"""

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from handoff.draw.page import NOTE_GID

STYLE = Path(__file__).with_name("handoff.mplstyle")

UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}


def use_style() -> None:
    plt.style.use(STYLE)


def save_figure(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Writes folder/name.svg, .pdf and .png and returns their paths; the figure is closed, so a
    notebook shows it once.

    For the paper, print/name.svg is the same without the footnote, and print/name.txt the footnote,
    to be set in type.
    """
    (folder / "print").mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.{kind}" for kind in UNDATED]
    # Once for all files: places and extent are found by drawing, which is most of the time, and
    # "tight" would draw once more for each file.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    extent = measure_extent(figure)
    for path, metadata in zip(paths, UNDATED.values(), strict=True):
        figure.savefig(path, metadata=metadata, bbox_inches=extent)
    notes = figure.findobj(lambda artist: artist.get_gid() == NOTE_GID)
    (folder / "print" / f"{name}.txt").write_text(
        "\n".join(str(note.get_label()) for note in notes), encoding="utf-8"
    )
    for note in notes:
        note.set_visible(False)
    extent = measure_extent(figure)
    figure.savefig(folder / "print" / f"{name}.svg", metadata=UNDATED["svg"], bbox_inches=extent)
    for note in notes:
        note.set_visible(True)
    plt.close(figure)
    return paths


def measure_extent(figure: Figure) -> Bbox:
    """What a drawn figure covers, in inches, with the style's margin."""
    return figure.get_tightbbox().padded(plt.rcParams["savefig.pad_inches"])
