"""Saving of figures as SVG, PDF and PNG, and for the paper; same data, same bytes."""

from pathlib import Path

import matplotlib.pyplot as plt
import typst
from IPython.display import Image, display
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from handoff.draw.page import NOTE_GID, draw_words
from handoff.draw.words import Words
from handoff.files import write_json

STYLE = Path(__file__).with_name("handoff.mplstyle")

UNDATED = {"svg": {"Date": None}, "png": {"Software": None}}
PAGE = """#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image("{}")"""
"""Typst source of a page that is a picture."""


def use_style() -> None:
    """Apply the figures' style, whatever the user's matplotlibrc says."""
    plt.style.use(["default", STYLE])


def save_figure(figure: Figure, folder: Path, name: str, words: Words | None = None) -> list[Path]:
    """Write folder/name.svg, .pdf and .png, close the figure, and return the paths.

    For papers, print/name.svg is the figure without its words, which are in print/name.json. A
    closed figure is shown only once by a notebook.
    """
    (folder / "print").mkdir(parents=True, exist_ok=True)
    svg, pdf, png = (folder / f"{name}.{kind}" for kind in ("svg", "pdf", "png"))
    if words:
        draw_words(figure, words)
    around = figure.findobj(lambda artist: artist.get_gid() == NOTE_GID)
    words = words or Words("", note="\n".join(str(text.get_label()) for text in around))
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
