"""Observations that claims are tested on: a run's forks, or a source's numbers, in one form."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.session_variance import SessionVariance, estimate_session_variance
from handoff.claims.model import SOCKETS, Assignment
from handoff.errors import BadInput
from handoff.text import pluralize

VARIANCE_FLOOR_SHARE = 0.5
"""Share of the variance of a setting's points that a point has at least; see `least`."""

LEAST_SPREAD, LEAST_CPU_SPREAD = 0.06, 0.03
"""Smallest spread that is assumed between forks, in time and in CPU usage.

Some forks are of a slow kind that is so rare that five or ten of them may include none, and then
agree far too well: see tests/calibration.py. Forks of the shipped runs differ by 7 to 15 % and by 1
to 5 % (medians of points).
"""

ABSENT = "not in this run"
WITHOUT_FORKS = "planned, but without forks"
OVERSUBSCRIBED = "oversubscribed here"


class Cell(NamedTuple):
    """The forks of one point.

    `unfit` says why they are not judged, '' if they are. `least` is the smallest variance that
    their logarithms are assumed to have (`Observations.least`); `between` is the variance between
    sessions (`Observations.between`).
    """

    point: str
    values: np.ndarray
    unfit: str
    least: float = 0.0
    sessions: np.ndarray | None = None
    between: SessionVariance | None = None


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
        self.rows, self.defaults, self.bindings = rows, defaults, bindings
        self.fewest, self.planned = fewest, list(planned)
        names = [name for name in parameters if name in rows]
        self._names = set(names)
        groups = [] if rows.empty else rows.groupby(names, sort=False, dropna=False)
        self._points = [
            ({name: v for name, v in zip(names, key, strict=True) if not pd.isna(v)}, forks)
            for key, forks in groups
        ]
        self._known: dict[tuple, Cell] = {}
        self._least: dict[tuple[tuple, str], float] = {}
        self._between: dict[str, SessionVariance | None] = {}

    def cell(self, chosen: Assignment, quantity: str, shared: bool = False) -> Cell:
        """Return the forks of the one point that the parameters select.

        With `shared`, a point whose threads share cores is fit too. Raise BadInput if they select
        several published numbers.
        """
        key = (quantity, shared, *sorted(chosen.items()))
        if key not in self._known:
            self._known[key] = self._cell(self.defaults | chosen, quantity, shared)
        return self._known[key]

    def has(self, quantity: str) -> bool:
        """Return whether any fork has a value of the quantity."""
        return quantity in self.rows and bool(self.rows[quantity].notna().any())

    def _cell(self, wanted: Assignment, quantity: str, shared: bool) -> Cell:
        if quantity not in self.rows or not wanted.keys() <= self._names:
            return Cell("", np.array([]), ABSENT)
        points = [
            (params, rows)
            for params, rows in self._points
            if matches(params, wanted) and rows[quantity].notna().all()
        ]
        if not points:
            return Cell("", np.array([]), self._explain_absence(wanted))
        if len(points) > 1 and "events" not in self._names:
            raise BadInput(
                f"{wanted} selects several published numbers:"
                f" {'; '.join(str(params) for params, _ in points)}."
            )
        _, rows = max(points, key=lambda point: point[0].get("events", 0))
        point = str(rows["point"].iloc[0]) if "point" in rows else str(sorted(wanted.items()))
        return Cell(
            point,
            rows[quantity].to_numpy(float),
            self._unfit(rows, quantity, shared) or describe_unknown_heap(rows, wanted),
            self.least(rows, quantity),
            rows["session"].to_numpy() if "session" in rows else None,
            self.between(quantity),
        )

    def _explain_absence(self, wanted: Assignment) -> str:
        """Return why no fork has these values: it was left out, or lies on other sockets."""
        for params, reason in self.planned:
            if matches(params, wanted):
                return reason
        anywhere = {name: value for name, value in wanted.items() if name != SOCKETS}
        sockets = [p[SOCKETS] for p, _ in self.planned if SOCKETS in p and matches(p, anywhere)]
        return f"on {pluralize(int(sockets[0]), 'socket')} in this run" if sockets else ABSENT

    def between(self, quantity: str) -> SessionVariance | None:
        """Return the variance between sessions from all fit points; None below three sessions."""
        if quantity not in self._between:
            self._between[quantity] = estimate_session_variance(
                (np.log(rows[quantity].to_numpy(float)), rows["session"].to_numpy())
                for _, rows in self._points
                if "session" in rows
                and not self._unfit(rows, quantity, False)
                and (rows[quantity] > 0).all()
            )
        return self._between[quantity]

    def least(self, rows: pd.DataFrame, quantity: str) -> float:
        """Return half of the mean variance of the setting's points.

        A setting is a mechanism with the same words in its other parameters, at all numbers. Forks
        are sometimes of two kinds, such as fast and slow ones. Where the few forks of one point
        happen to be of one kind, they agree too well, and their own variance would make verdicts
        too sure; the setting's other points correct that. Half of their variance, and at least
        LEAST_SPREAD squared, keeps wrong verdicts below 5 %: see tests/calibration.py.
        """
        setting = find_setting(rows, self._names)
        if (setting, quantity) not in self._least:
            logs = [
                np.log(forks[quantity].to_numpy(float))
                for _, forks in self._points
                if len(forks) > 1 and find_setting(forks, self._names) == setting
            ]
            self._least[setting, quantity] = compute_least_variance(
                quantity, [group for group in logs if np.isfinite(group).all()]
            )
        return self._least[setting, quantity]

    def list_alike(self, points: Iterable[str]) -> list[str]:
        """Return the points that set the least variance of these: all points of their settings."""
        chosen = [rows for _, rows in self._points if rows["point"].iloc[0] in set(points)]
        settings = {find_setting(rows, self._names) for rows in chosen}
        return [
            str(rows["point"].iloc[0])
            for _, rows in self._points
            if len(rows) > 1 and find_setting(rows, self._names) in settings
        ]

    def _unfit(self, rows: pd.DataFrame, quantity: str, shared: bool) -> str:
        """Return why these forks are not judged, or ''."""
        reasons = {
            OVERSUBSCRIBED: not shared and has_any(rows, "oversubscribed"),
            "on unlike kinds of core": has_any(rows, "unlike"),
            "shots too short": has_mostly(rows, "too_short"),
            "shots too short for CPU usage": (
                quantity.startswith("cpu") and has_mostly(rows, "short_usage")
            ),
            f"only {len(rows)} of the {self.fewest} forks that a verdict needs": (
                len(rows) < self.fewest
            ),
        }
        return next((reason for reason, holds in reasons.items() if holds), "")


def find_setting(rows: pd.DataFrame, parameters: Iterable[str]) -> tuple:
    """Return the words of a point's parameters, without numbers such as a load or threads."""
    first = rows.iloc[0]
    return tuple(sorted((n, first[n]) for n in parameters if isinstance(first[n], str)))


def compute_least_variance(quantity: str, groups: list[np.ndarray]) -> float:
    """Return the floor of a point's variance, from the logarithms of its setting's points."""
    least = LEAST_CPU_SPREAD if quantity.startswith("cpu") else LEAST_SPREAD
    free = sum(len(group) - 1 for group in groups)
    squares = sum(((group - group.mean()) ** 2).sum() for group in groups)
    return max(VARIANCE_FLOOR_SHARE * squares / free if free else 0.0, least**2)


def describe_unknown_heap(rows: pd.DataFrame, wanted: Assignment) -> str:
    """Return why forks show nothing about sockets, or '' if they do or need not."""
    if SOCKETS in wanted and has_any(rows, "unplaced"):
        return "the kernel refused to place the heap"
    needed = SOCKETS in wanted and "heap_nodes" in rows
    return "heap on unknown nodes" if needed and rows["heap_nodes"].isna().any() else ""


def matches(params: Assignment, wanted: Assignment) -> bool:
    """Return whether a point has the wanted values; one without a parameter matches any value."""
    return all(params.get(name, value) == value for name, value in wanted.items())


def has_mostly(rows: pd.DataFrame, column: str) -> bool:
    """Return whether the column is true of most forks.

    With `has_any`, points with more forks would be left out more often.
    """
    return column in rows and bool(rows[column].mean() > 0.5)


def has_any(rows: pd.DataFrame, column: str) -> bool:
    """Return whether the column is true for any fork; False where the table has no such column."""
    return column in rows and bool(rows[column].any())
