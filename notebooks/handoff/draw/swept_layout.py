"""Layout of a sweep's figures: parameters along the axis, in columns and as lines; styles."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.swept import MECHANISM, Swept, make_setting
from handoff.study import LINES, MARKERS, PALETTE

MOST_FIGURES, MOST_COLUMNS, MOST_LINES = 4, 5, 10

STEP = 3
"""Distance in `MARKERS` between the marks of a mechanism's lines, so that they look unlike."""


class Layout(NamedTuple):
    """Roles of the parameters in one figure.

    `along` is on the axis; `columns` has one column per value ('' for one column); `lines` separate
    the lines of a mechanism; `held` stay at their base for want of room.
    """

    along: str
    columns: str
    lines: tuple[str, ...]
    held: tuple[str, ...] = ()

    def select(self, swept: Swept) -> pd.DataFrame:
        """Return the forks that the figure shows."""
        forks = swept.forks
        for name in self.held:
            # A parameter is missing where it makes no difference to the mechanism.
            forks = forks[(forks[name] == swept.base(name)) | forks[name].isna()]
        return forks

    def select_panel(self, shown: pd.DataFrame, value: Any) -> pd.DataFrame:
        """Return the forks in the column of this value.

        A mechanism without the columns' parameter is in every column.
        """
        if not self.columns:
            return shown
        return shown[(shown[self.columns] == value) | shown[self.columns].isna()]

    @property
    def keys(self) -> list[str]:
        """Columns of the forks that distinguish the lines."""
        return list(dict.fromkeys([MECHANISM, *self.lines]))

    def list_lines(self, swept: Swept) -> list[tuple]:
        """Return the values of `keys` of each line, in the order of these values."""
        shown = self.select(swept)
        ranks = [
            {value: rank for rank, value in enumerate([*swept.values(name), None])}
            for name in self.keys
        ]
        lines = [make_setting(key) for key, _ in shown.groupby(self.keys, dropna=False)]
        return sorted(
            lines,
            key=lambda line: [rank[value] for rank, value in zip(ranks, line, strict=True)],
        )

    def name_lines(self, swept: Swept) -> dict[tuple, str]:
        """Return each line's name: its mechanism, and the values that distinguish it."""
        lines = self.list_lines(swept)
        names = {}
        for line in lines:
            alike = [other for other in lines if other[0] == line[0]]
            parts = [
                f"{name} {format_value(value)}"
                for place, (name, value) in enumerate(zip(self.keys, line, strict=True))
                if place and format_value(value) and len({other[place] for other in alike}) > 1
            ]
            # With one mechanism, the title names it.
            first = [] if len(alike) == len(lines) and parts else [swept.study.look(line[0]).short]
            names[line] = ", ".join([*first, *parts])
        return names

    def mark_lines(self, swept: Swept) -> dict[tuple, str]:
        """Return each line's marker: the mechanism's for its first line, others for the rest.

        On an axis without order no line is drawn, so that only the marker distinguishes them.
        """
        marks: dict[tuple, str] = {}
        for line in self.list_lines(swept):
            number = sum(other[0] == line[0] for other in marks)
            dot = swept.study.look(line[0]).dot
            first = MARKERS.index(dot) if dot in MARKERS else 0
            marks[line] = MARKERS[(first + STEP * number) % len(MARKERS)] if number else dot
        return marks


def plan_figures(swept: Swept) -> list[Layout]:
    """Return a layout for each parameter along the axis, up to `MOST_FIGURES`.

    The mechanism is along the axis only if nothing else was varied. The columns are of the
    parameter with the most values that fit.
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
    """Hold parameters at their base, fewest values first, until the figure has few enough lines."""
    while layout.lines:
        if layout.select(swept).groupby(layout.keys, dropna=False).ngroups <= MOST_LINES:
            break
        *lines, last = layout.lines
        layout = layout._replace(lines=tuple(lines), held=(*layout.held, last))
    return layout


def describe_layout(swept: Swept, layout: Layout) -> str:
    lines, label = [name for name in layout.lines if name], swept.study.label
    held = [f"{name} {format_value(swept.base(name))}" for name in layout.held]
    return " ".join(
        [
            f"Along the axis {layout.along}.",
            *([f"One column per value of {label(layout.columns)}."] if layout.columns else []),
            *([f"One line per mechanism and {', '.join(map(label, lines))}."] if lines else []),
            *([f"Shown at {', '.join(held)}; the table has all points."] if held else []),
            *describe_absent(swept, layout),
        ]
    )


def describe_absent(swept: Swept, layout: Layout) -> list[str]:
    """Say what stands for mechanisms that do not have the parameter of the axis or the columns."""
    shown = layout.select(swept)

    def list_without(name: str) -> str:
        without = set(shown.loc[shown[name].isna(), MECHANISM]) if name else set()
        named = [swept.study.look(m).short for m in swept.values(MECHANISM) if m in without]
        return ", ".join(named)

    along, columns = list_without(layout.along), list_without(layout.columns)
    return [
        *([f"No {layout.along}: {along}; a level over the whole axis."] if along else []),
        *([f"No {layout.columns}: {columns}; the same in each column."] if columns else []),
    ]


Styles = dict[tuple, tuple[str, str]]


def plan_styles(swept: Swept, layout: Layout) -> Styles:
    """Return the colour and line style of each line.

    The colour stands for the mechanism, or for the line if there is only one mechanism.
    """
    groups = layout.list_lines(swept)
    rest = list(dict.fromkeys(tuple(key[1:]) for key in groups))
    single = len({key[0] for key in groups}) == 1 and len(rest) > 1
    return {
        key: (
            PALETTE[place % len(PALETTE)] if single else swept.study.look(key[0]).colour,
            LINES[place % len(LINES)] if layout.lines else "-",
        )
        for key in groups
        for place in [rest.index(tuple(key[1:]))]
    }


def format_value(value: Any) -> str:
    """Return a value as text, numbers with commas; '' if it is missing."""
    if value is None or pd.isna(value):
        return ""
    return f"{int(value):,}" if isinstance(value, int | float | np.integer) else str(value)
