"""The one way to save a figure: SVG, PDF and PNG, the same bytes for the same data."""

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

STYLE = Path(__file__).with_name("handoff.mplstyle")
UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}


def use_style() -> None:
    plt.style.use(STYLE)


def save_figure(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Writes folder/name.svg, .pdf and .png and returns their paths; the figure is closed, so a notebook shows it once."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.{kind}" for kind in UNDATED]
    for path, metadata in zip(paths, UNDATED.values(), strict=True):
        figure.savefig(path, metadata=metadata, bbox_inches="tight")
    plt.close(figure)
    return paths
