"""What goes where in the figures of a sweep: along the axis, in columns, as lines, and in which
style.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.swept import MECHANISM, Swept, make_setting
from handoff.study import LINES, MARKERS, PALETTE

MOST_FIGURES, MOST_COLUMNS, MOST_LINES = 4, 5, 10

STEP = 3
"""How far apart in the list the marks of one mechanism's lines are, so that they look unlike."""


class Layout(NamedTuple):
    """One figure: the parameter along the axis, the one of the columns ('' for one column), those
    that tell lines of one mechanism apart, and those that are `held` at their base, for want of
    room.
    """

    along: str
    columns: str
    lines: tuple[str, ...]
    held: tuple[str, ...] = ()

    def select(self, swept: Swept) -> pd.DataFrame:
        """The forks that the figure shows; what makes no difference to a mechanism is as held."""
        own = swept.forks
        for name in self.held:
            own = own[(own[name] == swept.base(name)) | own[name].isna()]
        return own

    def select_panel(self, shown: pd.DataFrame, value: Any) -> pd.DataFrame:
        """Of these forks the ones in the column of this value; a mechanism without the columns'
        parameter is the same in each of them.
        """
        if not self.columns:
            return shown
        return shown[(shown[self.columns] == value) | shown[self.columns].isna()]

    @property
    def keys(self) -> list[str]:
        """What tells the lines apart."""
        return list(dict.fromkeys([MECHANISM, *self.lines]))

    def list_lines(self, swept: Swept) -> list[tuple]:
        """The values of `keys` of each line, in the order of the forks."""
        shown = self.select(swept)
        return [make_setting(key) for key, _ in shown.groupby(self.keys, dropna=False, sort=False)]

    def name_lines(self, swept: Swept) -> dict[tuple, str]:
        """Each line in the legend: its mechanism, and the values that tell it from other lines of
        that mechanism.
        """
        lines = self.list_lines(swept)
        names = {}
        for line in lines:
            alike = [other for other in lines if other[0] == line[0]]
            beside = [
                f"{name} {format_value(value)}"
                for place, (name, value) in enumerate(zip(self.keys, line, strict=True))
                if place and format_value(value) and len({other[place] for other in alike}) > 1
            ]
            names[line] = ", ".join([swept.study.look(line[0]).short, *beside])
        return names

    def mark_lines(self, swept: Swept) -> dict[tuple, str]:
        """The mark of each line: the mechanism's own, and others for its other lines, which have no
        line to tell them apart where the axis has no order.
        """
        marks: dict[tuple, str] = {}
        for line in self.list_lines(swept):
            number = sum(other[0] == line[0] for other in marks)
            own = swept.study.look(line[0]).dot
            first = MARKERS.index(own) if own in MARKERS else 0
            marks[line] = MARKERS[(first + STEP * number) % len(MARKERS)] if number else own
        return marks

    def name_places(self, swept: Swept) -> list[str]:
        """The values along the axis, in their order."""
        return [
            swept.study.look(value).short if self.along == MECHANISM else format_value(value)
            for value in swept.values(self.along)
        ]


def plan_figures(swept: Swept) -> list[Layout]:
    """The mechanism is an axis only where nothing else was varied; columns are the parameter with
    most values that still fit.
    """
    varied = [name for name in swept.varied if name != MECHANISM]
    if not varied:
        return [Layout(MECHANISM, "", ())] if swept.varied else []
    by_values = sorted(varied, key=lambda name: -len(swept.values(name)))
    layouts = []
    for along in by_values[:MOST_FIGURES]:
        others = [name for name in by_values if name != along]
        fitting = [name for name in others if len(swept.values(name)) <= MOST_COLUMNS]
        columns = fitting[0] if fitting else ""
        lines = tuple(name for name in others if name != columns)
        layouts.append(make_room(swept, Layout(along, columns, lines)))
    return layouts


def make_room(swept: Swept, layout: Layout) -> Layout:
    """Holds parameters at their base, those with fewest values first, until the lines can be told
    apart.
    """
    while layout.lines:
        if layout.select(swept).groupby(layout.keys, dropna=False).ngroups <= MOST_LINES:
            break
        *lines, last = layout.lines
        layout = layout._replace(lines=tuple(lines), held=(*layout.held, last))
    return layout


def describe_layout(swept: Swept, layout: Layout) -> str:
    lines = [name for name in layout.lines if name]
    held = [f"{name} {format_value(swept.base(name))}" for name in layout.held]
    return " ".join(
        [
            f"Along the axis {layout.along}.",
            *([f"A column is a value of {layout.columns}."] if layout.columns else []),
            *(
                [f"A line is a mechanism with one value of {' and of '.join(lines)}."]
                if lines
                else []
            ),
            *([f"Shown at {', '.join(held)}; the table has all points."] if held else []),
        ]
    )


Styles = dict[tuple, tuple[str, str]]


def plan_styles(swept: Swept, shown: pd.DataFrame, layout: Layout) -> Styles:
    """Colour and line of each line, by mechanism and what tells it apart from others of it; where
    there is one mechanism, colours tell its lines apart too.
    """
    groups = layout.list_lines(swept)
    rest = list(dict.fromkeys(tuple(key[1:]) for key in groups))
    alone = len({key[0] for key in groups}) == 1 and len(rest) > 1
    return {
        key: (
            PALETTE[place % len(PALETTE)] if alone else swept.study.look(key[0]).colour,
            LINES[place % len(LINES)] if layout.lines else "-",
        )
        for key in groups
        for place in [rest.index(tuple(key[1:]))]
    }


def format_value(value: Any) -> str:
    """Numbers with commas; '' of what is missing."""
    if value is None or pd.isna(value):
        return ""
    return f"{int(value):,}" if isinstance(value, int | float | np.integer) else str(value)
