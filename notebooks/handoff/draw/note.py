"""The footnote of a figure: how to read it, and from which run it is."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

NOTE_GID = "note"
"""By which a figure's footnote is found when it is saved."""


def draw_note(place: Figure | Axes, x: float, y: float, note: str, size: float = 6.5) -> None:
    """Sets the footnote with its upper left corner at shares of the figure's, or the axes', width
    and height.
    """
    frame = place.transAxes if isinstance(place, Axes) else place.transSubfigure
    place.text(x, y, note, transform=frame, fontsize=size, color="#555555", va="top", gid=NOTE_GID)
