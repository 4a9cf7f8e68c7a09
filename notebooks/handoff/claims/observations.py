"""What claims are tested on: one row a fork of a run, or one row a published number, under the same
names.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.session_variance import SessionVariance, estimate_session_variance
from handoff.claims.assignments import NODES, Assignment
from handoff.claims.spread import compute_least_variance, find_setting
from handoff.errors import BadInput


class Cell(NamedTuple):
    """The forks of one point: `values` to judge, or `lacking`, why there are none.

    `least` is the variance of logarithms that they are believed to have at the least: see
    `Observations.least`; `between`, by how much sessions differ: see `Observations.between`.
    """

    point: str
    values: np.ndarray
    lacking: str
    least: float = 0.0
    sessions: np.ndarray | None = None
    between: SessionVariance | None = None


ABSENT = "not in this run"
WITHOUT_FORKS = "planned, but without forks"
OVERSUBSCRIBED = "oversubscribed here"


class Observations:
    """`rows`: one a fork, with the study's parameters (missing where one makes no difference), the
    quantities and `point`.

    `defaults`: what a parameter is when a claim does not name it. `own`: what CORES and
    TWICE_CORES stand for. `fewest` forks that a verdict needs. `planned`: every point that was
    asked for, with why it has no forks.
    """

    def __init__(
        self,
        rows: pd.DataFrame,
        parameters: Iterable[str],
        defaults: Assignment,
        own: Assignment,
        fewest: int,
        planned: Iterable[tuple[Assignment, str]] = (),
    ) -> None:
        self.rows, self.defaults, self.own, self.fewest, self.planned = (
            rows,
            defaults,
            own,
            fewest,
            list(planned),
        )
        names = [name for name in parameters if name in rows]
        self._names = set(names)
        groups = [] if rows.empty else rows.groupby(names, sort=False, dropna=False)
        self._points = [
            ({name: v for name, v in zip(names, key, strict=True) if not pd.isna(v)}, own_rows)
            for key, own_rows in groups
        ]
        self._known: dict[tuple, Cell] = {}
        self._least: dict[tuple[tuple, str], float] = {}
        self._between: dict[str, SessionVariance | None] = {}

    def cell(self, chosen: Assignment, quantity: str, shared: bool = False) -> Cell:
        """The forks of the one point that the parameters choose; `shared` takes also points whose
        threads share cores.

        BadInput when they choose several published numbers.
        """
        key = (quantity, shared, *sorted(chosen.items()))
        if key not in self._known:
            self._known[key] = self._cell(self.defaults | chosen, quantity, shared)
        return self._known[key]

    def has(self, quantity: str) -> bool:
        """Whether any fork tells it."""
        return quantity in self.rows and bool(self.rows[quantity].notna().any())

    def _cell(self, wanted: Assignment, quantity: str, shared: bool) -> Cell:
        if quantity not in self.rows or not wanted.keys() <= self._names:
            return Cell("", np.array([]), ABSENT)
        there = [
            (p, rows)
            for p, rows in self._points
            if matches(p, wanted) and rows[quantity].notna().all()
        ]
        if not there:
            why = next(
                (reason for params, reason in self.planned if matches(params, wanted)), ABSENT
            )
            return Cell("", np.array([]), why)
        if len(there) > 1 and "events" not in self._names:
            raise BadInput(
                f"{wanted} chooses several published numbers:"
                f" {'; '.join(str(p) for p, _ in there)}."
            )
        _, rows = max(there, key=lambda found: found[0].get("events", 0))
        point = str(rows["point"].iloc[0]) if "point" in rows else str(sorted(wanted.items()))
        return Cell(
            point,
            rows[quantity].to_numpy(float),
            self._unfit(rows, quantity, shared) or describe_unknown_heap(rows, wanted),
            self.least(rows, quantity),
            rows["session"].to_numpy() if "session" in rows else None,
            self.between(quantity),
        )

    def between(self, quantity: str) -> SessionVariance | None:
        """What this run's points that can be judged tell of sessions; None of fewer than three."""
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
        """Half of the variance that the setting's points of this run have on average: those of the
        mechanism with the same words in its other parameters, at all numbers.

        Forks are sometimes of two kinds, such as fast and slow ones. Where the few of one point
        happen to be of one kind, they agree too well, and their own variance would make us too
        sure; those of the setting's other points know better. Half of it, and not less than
        LEAST_SPREAD squared, keeps wrong verdicts below 5 %: see tests/calibration.py.
        """
        setting = find_setting(rows, self._names)
        if (setting, quantity) not in self._least:
            logs = [
                np.log(own[quantity].to_numpy(float))
                for _, own in self._points
                if len(own) > 1 and find_setting(own, self._names) == setting
            ]
            self._least[setting, quantity] = compute_least_variance(
                quantity, [each for each in logs if np.isfinite(each).all()]
            )
        return self._least[setting, quantity]

    def list_alike(self, points: Iterable[str]) -> list[str]:
        """The points whose forks set the least variance of these: theirs, and those of their
        settings.
        """
        own = [rows for _, rows in self._points if rows["point"].iloc[0] in set(points)]
        settings = {find_setting(rows, self._names) for rows in own}
        return [
            str(rows["point"].iloc[0])
            for _, rows in self._points
            if len(rows) > 1 and find_setting(rows, self._names) in settings
        ]

    def _unfit(self, rows: pd.DataFrame, quantity: str, shared: bool) -> str:
        """Why these forks are not judged; '' when they are."""
        reasons = {
            OVERSUBSCRIBED: not shared and has_any(rows, "oversubscribed"),
            "on unlike kinds of core": has_any(rows, "unlike"),
            "shots too short": has_mostly(rows, "too_short"),
            "too short to tell CPU usage": (
                quantity.startswith("cpu") and has_mostly(rows, "short_usage")
            ),
            f"with {len(rows)} of the {self.fewest} forks that a verdict needs": (
                len(rows) < self.fewest
            ),
        }
        return next((reason for reason, holds in reasons.items() if holds), "")


def describe_unknown_heap(rows: pd.DataFrame, wanted: Assignment) -> str:
    """Why forks tell nothing of NUMA nodes: nobody knows on which of them their memory was; ''
    where that is known or not asked for.
    """
    asked = NODES in wanted and "heap_nodes" in rows
    return "with its heap on unknown nodes" if asked and rows["heap_nodes"].isna().any() else ""


def matches(params: Assignment, wanted: Assignment) -> bool:
    """A parameter that makes no difference to the point is whatever one wants."""
    return all(params.get(name, value) == value for name, value in wanted.items())


def has_mostly(rows: pd.DataFrame, column: str) -> bool:
    """Of most forks: with `has_any`, the more forks a point had, the likelier it went unjudged."""
    return column in rows and bool(rows[column].mean() > 0.5)


def has_any(rows: pd.DataFrame, column: str) -> bool:
    """False in published tables, which do not know the column."""
    return column in rows and bool(rows[column].any())
