"""Layout of a sweep's figures: parameters along the axis, in columns and as lines; looks."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.swept import Swept, make_setting
from handoff.run.plan.pairs import MECHANISM
from handoff.study import FILLED, LINES, PALETTE, Look

MOST_FIGURES, MOST_COLUMNS, MOST_LINES = 4, 5, 10

STEP = 3
"""Distance in `FILLED` between the marks of a mechanism's lines, so that they look unlike."""


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

    def list_columns(self, swept: Swept) -> list:
        """Return the value of each column; None for the only one."""
        return swept.values(self.columns) if self.columns else [None]

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
        orders = [[*swept.values(name), None] for name in self.keys]
        lines = set(map(make_setting, self.select(swept)[self.keys].itertuples(index=False)))
        return sorted(lines, key=lambda line: [*map(list.index, orders, line)])

    def name_line(self, swept: Swept, line: tuple, lines: list[tuple]) -> str:
        """Return the name of one of these lines: its mechanism, and the values that distinguish it.

        With one mechanism, the title names it.
        """
        alike = [other for other in lines if other[0] == line[0]]
        parts = [
            f"{name} {format_value(value)}"
            for place, (name, value) in enumerate(zip(self.keys, line, strict=True))
            if place and format_value(value) and len({other[place] for other in alike}) > 1
        ]
        if len(alike) < len(lines) or not parts:
            parts.insert(0, swept.study.look(line[0]).short)
        return ", ".join(parts)


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
    while layout.lines and len(layout.list_lines(swept)) > MOST_LINES:
        *lines, last = layout.lines
        layout = layout._replace(lines=tuple(lines), held=(*layout.held, last))
    return layout


def describe_layout(swept: Swept, layout: Layout) -> str:
    """Return what stands for mechanisms without one of a figure's parameters."""
    shown, sentences = layout.select(swept), []
    for name, instead in (
        (layout.along, "a level over the whole axis"),
        (layout.columns, "the same in each column"),
    ):
        without = set(shown.loc[shown[name].isna(), MECHANISM]) if name else set()
        if without:
            names = [swept.study.look(m).short for m in swept.values(MECHANISM) if m in without]
            sentences.append(f"No {name}: {', '.join(names)}; {instead}.")
    return " ".join(sentences)


def plan_looks(swept: Swept, layout: Layout) -> dict[tuple, Look]:
    """Return the look of each line of a figure, labelled with the line's name.

    The colour stands for the mechanism, or for the line if there is only one mechanism. A
    mechanism's first line has its marker, each further line another one: on an axis without order
    no line is drawn, so that only the marker distinguishes them.
    """
    lines = layout.list_lines(swept)
    rest = list(dict.fromkeys(line[1:] for line in lines))
    single = len({line[0] for line in lines}) == 1 and len(rest) > 1
    looks: dict[tuple, Look] = {}
    for line in lines:
        look, place = swept.study.look(line[0]), rest.index(line[1:])
        number = sum(other[0] == line[0] for other in looks)
        first = FILLED.index(look.dot)
        looks[line] = look._replace(
            label=layout.name_line(swept, line, lines),
            colour=PALETTE[place % len(PALETTE)] if single else look.colour,
            marker=FILLED[(first + STEP * number) % len(FILLED)],
            line=LINES[place % len(LINES)] if layout.lines else "-",
        )
    return looks


def format_value(value: Any) -> str:
    """Return a value as text, numbers with commas; '' if it is missing."""
    if value is None or pd.isna(value):
        return ""
    return f"{int(value):,}" if isinstance(value, int | float | np.integer) else str(value)
