"""Faults of a figure's layout: words on words or on another panel, and marks that an axis cuts."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

SLACK = 1.0
"""Pixels by which two extents may overlap, or a mark stick out."""


def find_faults(figure: Figure) -> list[str]:
    """Draw a figure, and return each fault of its layout in words."""
    figure.draw_without_rendering()
    texts = [text for text in list_texts(figure) if text.get_visible() and text.get_text().strip()]
    extents = {text: measure(text) for text in texts}
    faults = [
        f"{name(one)} on {name(other)}"
        for one, other in combinations(texts, 2)
        if overlap(extents[one], extents[other]) and not are_parallel(one, other)
    ]
    for axes in figure.axes:
        for text in axes.texts:
            others = [panel for panel in figure.axes if panel is not axes]
            if text in extents and any(overlap(extents[text], panel.bbox) for panel in others):
                faults.append(f"{name(text)} crosses a panel")
        faults += find_cut_marks(axes)
    return faults


def measure(text: Text) -> Bbox:
    """Return a text's extent, without an empty first line of two."""
    box = text.get_window_extent()
    top = (box.y0 + box.y1) / 2 if text.get_text().startswith("\n") else box.y1
    return Bbox.from_extents(box.x0, box.y0, box.x1, top)


def name(text: Text) -> str:
    return repr(text.get_text())


def list_texts(figure: Figure) -> Iterator[Text]:
    """Yield all texts, but of the tick labels only those within the view."""
    ticks = {axis: list_labels(axis) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)}
    every = {label for axis in ticks for label in list_labels(axis, everywhere=True)}
    for text in figure.findobj(Text):
        if text not in every:
            yield text
    for labels in ticks.values():
        yield from labels


def list_labels(axis: Axis, everywhere: bool = False) -> list[Text]:
    """Return an axis's tick labels, those within the view or all of them."""
    low, high = sorted(axis.get_view_interval())
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    if everywhere:
        return [label for tick in ticks for label in (tick.label1, tick.label2)]
    shown = [tick for tick in ticks if low <= tick.get_loc() <= high and axis.axes.axison]
    return [tick.label1 for tick in shown if tick.get_visible() and axis.get_visible()]


def overlap(one: Bbox, other: Bbox) -> bool:
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return width > SLACK and height > SLACK


def are_parallel(one: Text, other: Text) -> bool:
    """Return whether two texts are aslant in the same way, so that their extents say nothing."""
    return one.get_rotation() == other.get_rotation() != one.get_rotation() // 90 * 90


def find_cut_marks(axes: Axes) -> list[str]:
    """Return the marks and intervals that do not lie within the axes."""
    faults: list[str] = []
    dots = axes.figure.dpi / 72
    for line in axes.lines:
        if line.get_marker() not in ("None", None, "") and line.get_markevery() != []:
            places = line.get_transform().transform(np.column_stack(line.get_data()))
            size = line.get_markersize() if line.get_clip_on() else 0
            radius = np.full(len(places), size / 2 * dots)
            faults += describe_outside(axes, places, radius, f"a mark of {line.get_label()}")
    for collection in axes.collections:
        if isinstance(collection, PathCollection):
            places = collection.get_offset_transform().transform(collection.get_offsets())
            sizes = collection.get_sizes() if collection.get_clip_on() else [0]
            radius = np.sqrt(np.resize(sizes, len(places))) / 2 * dots
            faults += describe_outside(axes, places, radius, "a dot")
        if isinstance(collection, LineCollection):
            segments = [axes.transData.transform(s) for s in collection.get_segments()]
            for places in segments:
                faults += describe_outside(axes, places, np.zeros(len(places)), "an interval")
    return list(dict.fromkeys(faults))


def describe_outside(axes: Axes, places: np.ndarray, radius: np.ndarray, what: str) -> list[str]:
    """Return one fault if a place, with this radius in pixels around it, is not in the axes."""
    known = np.isfinite(np.asarray(places, float)).all(axis=1)
    places, radius, box = np.asarray(places, float)[known], radius[known] - SLACK, axes.bbox
    beyond = (
        (places[:, 0] - radius < box.x0 - SLACK)
        | (places[:, 0] + radius > box.x1 + SLACK)
        | (places[:, 1] - radius < box.y0 - SLACK)
        | (places[:, 1] + radius > box.y1 + SLACK)
    )
    title = axes.get_title(loc="left")
    return [f"{what} is cut in {title!r}"] if beyond.any() else []
