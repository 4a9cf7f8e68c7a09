"""Observations that claims are tested on: a run's forks, or a source's numbers, in one form."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.forks import Variation, make_term
from handoff.analysis.intervals import Term
from handoff.claims.check import SOCKETS, Assignment, Value
from handoff.errors import BadInput
from handoff.text import pluralize

ABSENT = "not in this run"
WITHOUT_FORKS = "not measured"
OVERSUBSCRIBED = "oversubscribed here"

MOST = 0.5
"""Share of forks with short shots that a point may have; none at all would punish many forks."""


class Cell(NamedTuple):
    """The forks of one point; `unfit` says why they are not judged, '' if they are."""

    point: str
    unfit: str
    term: Term = Term(1.0, np.array([]))


class Points:
    """Points with what belongs to each; one without a parameter has any value of it."""

    def __init__(self, points: Iterable[tuple[Assignment, Any]]) -> None:
        self._alike: dict[tuple[str, ...], list[tuple[Assignment, Any]]] = defaultdict(list)
        for params, belongings in points:
            self._alike[tuple(params)].append((params, belongings))
        self._indices: dict[tuple, dict[tuple, list[tuple[Assignment, Any]]]] = {}

    def select(self, wanted: Assignment) -> list[tuple[Assignment, Any]]:
        """Return the points with the wanted values."""
        found = []
        for names, points in self._alike.items():
            shared = tuple(name for name in names if name in wanted)
            if (names, shared) not in self._indices:
                index = self._indices[names, shared] = defaultdict(list)
                for point in points:
                    index[tuple(point[0][name] for name in shared)].append(point)
            found += self._indices[names, shared].get(tuple(wanted[name] for name in shared), [])
        return found


class Observations:
    """Forks or published numbers, from which claims select points.

    `rows` has one row per fork: the study's parameters (missing where one makes no difference), the
    quantities, and `point`. `defaults` are the values of parameters that a claim does not name,
    `bindings` those of placeholders that the machine decides. `fewest` is the number of forks that
    a verdict needs. `planned` lists all planned points, each with the reason if it has no forks.
    """

    def __init__(
        self,
        rows: pd.DataFrame,
        parameters: Iterable[str],
        defaults: Assignment,
        bindings: Assignment,
        fewest: int,
        planned: Iterable[tuple[Assignment, str]] = (),
    ) -> None:
        names = [name for name in parameters if name in rows]
        if "point" in rows:
            words = [name for name in names if name != SOCKETS]
            rows = rows.assign(variation=Variation(rows, words))
        self.rows, self.defaults, self.bindings = rows, defaults, bindings
        self.fewest, self.planned = fewest, Points(planned)
        self._names = set(names)
        groups = [] if rows.empty else rows.groupby(names, sort=False, dropna=False)
        self._points = Points(
            ({name: v for name, v in zip(names, key, strict=True) if not pd.isna(v)}, forks)
            for key, forks in groups
        )
        self._known: dict[tuple, Cell] = {}

    def cell(self, chosen: Assignment, quantity: str, shared: bool = False) -> Cell:
        """Return the forks of the one point that the parameters select.

        With `shared`, a point whose threads share cores is fit too. Raise BadInput if they select
        several published numbers.
        """
        key = (quantity, shared, *sorted(chosen.items()))
        if key not in self._known:
            self._known[key] = self._cell(self.defaults | chosen, quantity, shared)
        return self._known[key]

    def assume(self, values: Mapping[str, Value]) -> "Observations":
        """Return the same forks with other values of parameters that a claim does not name."""
        if not values:
            return self
        other = copy(self)
        other.defaults = self.defaults | dict(values)
        other._known = {}
        return other

    def list_values(self, parameter: str) -> list[Value]:
        """Return the measured values of a parameter other than the one that stands for the run."""
        if parameter not in self.rows:
            return []
        measured = self.rows[parameter].dropna().unique()
        return sorted(value for value in measured if value != self.defaults.get(parameter))

    def has(self, quantity: str) -> bool:
        """Return whether any fork has a value of the quantity."""
        return quantity in self.rows and bool(self.rows[quantity].notna().any())

    def _cell(self, wanted: Assignment, quantity: str, shared: bool) -> Cell:
        if quantity not in self.rows or not wanted.keys() <= self._names:
            return Cell("", ABSENT)
        found = self._points.select(wanted)
        points = [(params, rows) for params, rows in found if rows[quantity].notna().all()]
        if not points:
            return Cell("", self._explain_absence(wanted))
        if len(points) > 1 and "events" not in self._names:
            raise BadInput(
                f"{wanted} selects several published numbers:"
                f" {'; '.join(str(params) for params, _ in points)}."
            )
        _, rows = max(points, key=lambda point: point[0].get("events", 0))
        name = rows["point"].iloc[0] if "point" in rows else sorted(wanted.items())
        unfit = self._unfit(rows, wanted, quantity, shared)
        return Cell(str(name), unfit, make_term(1.0, rows, quantity))

    def _explain_absence(self, wanted: Assignment) -> str:
        """Return why no fork has these values: it was left out, or lies on other sockets."""
        for _, reason in self.planned.select(wanted):
            return reason
        anywhere = {name: value for name, value in wanted.items() if name != SOCKETS}
        sockets = [p[SOCKETS] for p, _ in self.planned.select(anywhere) if SOCKETS in p]
        return f"on {pluralize(int(sockets[0]), 'socket')} in this run" if sockets else ABSENT

    def _unfit(self, rows: pd.DataFrame, wanted: Assignment, quantity: str, shared: bool) -> str:
        """Return why these forks are not judged, or ''."""
        reasons = {
            OVERSUBSCRIBED: not shared and holds_for(rows, "oversubscribed"),
            "on unlike kinds of core": holds_for(rows, "unlike"),
            "shots too short": holds_for(rows, "too_short", MOST),
            "shots too short for CPU usage": (
                quantity.startswith("cpu") and holds_for(rows, "short_usage", MOST)
            ),
            f"only {len(rows)} of the {self.fewest} forks that a verdict needs": (
                len(rows) < self.fewest
            ),
            "the kernel refused to place the heap": SOCKETS in wanted
            and holds_for(rows, "unplaced"),
            "heap on unknown nodes": (
                SOCKETS in wanted and "heap_nodes" in rows and rows["heap_nodes"].isna().any()
            ),
        }
        return next((reason for reason, holds in reasons.items() if holds), "")


def holds_for(rows: pd.DataFrame, column: str, share: float = 0.0) -> bool:
    """Return whether the column is true for more than this share of forks; False without it."""
    return column in rows and bool(rows[column].mean() > share)
