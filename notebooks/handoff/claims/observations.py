"""What claims are tested on: one row a fork of a run, or one row a published number, under the same
names.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.baseline import find_baseline, mask_irrelevant
from handoff.analysis.forks import MIN_FORKS_FOR_VERDICT
from handoff.catalog import load_catalog
from handoff.claims.model import NODES, Assignment, ClaimFile, resolve_machine_words
from handoff.errors import BadInput
from handoff.paths import PUBLISHED
from handoff.run.machine import count_usable_cores
from handoff.run.store import Run
from handoff.tables.rows import parse_numbers

VARIANCE_FLOOR_SHARE = 0.5
"""Of the variance of a setting's points: see `Observations.least`."""

LEAST_SPREAD, LEAST_CPU_SPREAD = 0.06, 0.03
"""Forks are believed to differ by so much at the least, in time and in CPU usage. Some are of a
slow kind that is so rare that five or ten of them may hold none, and then agree by far too well:
see tests/calibration.py. Forks of the shipped runs differ by 7 to 15 % and by 1 to 5 % (medians of
points).
"""


class Cell(NamedTuple):
    """The forks of one point: `values` to judge, or `lacking`, why there are none.

    `least` is the variance of logarithms that they are believed to have at the least: see
    `Observed.least`.
    """

    point: str
    values: np.ndarray
    lacking: str
    least: float = 0.0
    sessions: np.ndarray | None = None


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
        )

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
            "shots too short": has_any(rows, "too_short"),
            "too short to tell CPU usage": (
                quantity.startswith("cpu") and has_any(rows, "short_usage")
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
    asked = NODES in wanted and "heap_pages" in rows
    return "on unknown nodes with its heap" if asked and rows["heap_pages"].isna().any() else ""


def find_setting(rows: pd.DataFrame, parameters: Iterable[str]) -> tuple:
    """The words of a point's parameters; numbers, such as a load or threads, are left out."""
    first = rows.iloc[0]
    return tuple(sorted((n, first[n]) for n in parameters if isinstance(first[n], str)))


def compute_least_variance(quantity: str, groups: list[np.ndarray]) -> float:
    """What a point's forks vary by at the least, from the logarithms of its setting's points."""
    least = LEAST_CPU_SPREAD if quantity.startswith("cpu") else LEAST_SPREAD
    return max(VARIANCE_FLOOR_SHARE * pool_variance(groups), least**2)


def pool_variance(groups: list[np.ndarray]) -> float:
    """The variance within groups; 0 without any."""
    free = sum(len(group) - 1 for group in groups)
    return sum(((group - group.mean()) ** 2).sum() for group in groups) / free if free else 0.0


def matches(params: Assignment, wanted: Assignment) -> bool:
    """A parameter that makes no difference to the point is whatever one wants."""
    return all(params.get(name, value) == value for name, value in wanted.items())


def has_any(rows: pd.DataFrame, column: str) -> bool:
    """False in published tables, which do not know the column."""
    return column in rows and bool(rows[column].any())


def observe_run(run: Run, study: str, forks: pd.DataFrame) -> Observations:
    """From `analysis.forks.compute_fork_means` of one run."""
    cores = count_usable_cores(run.machine)
    own = resolve_machine_words(cores) | run.identity.get("amounts", {}).get(study, {})
    rows = mask_irrelevant(forks, study)
    chosen = find_baseline(rows, study)
    if forks.empty:
        return Observations(rows, [], chosen, own, MIN_FORKS_FOR_VERDICT, list_planned(run, study))
    rows["time"], rows["cpu_usage"] = rows["ns_per_event"], rows["cpu_process"]
    # The threads' own time: the compiler's and the collector's is not theirs.
    rows["cpu_per_thread"] = rows["cpu_workers"] / rows["path_threads"]
    rows["cpu_consumer"] = (rows["cpu_workers"] - rows["cpu_producer"]) / (
        rows["path_threads"] - 1
    ).where(rows["path_threads"] > 1)
    rows[NODES] = count_nodes(rows[NODES])
    return Observations(
        rows,
        [*load_catalog()[study].defaults(), NODES],
        chosen,
        own,
        MIN_FORKS_FOR_VERDICT,
        list_planned(run, study),
    )


def count_nodes(nodes: pd.Series) -> pd.Series:
    """How many nodes '0 1' names; missing of unpinned threads, and a run may have no others."""
    return nodes.map(lambda ids: len(ids.split()) if isinstance(ids, str) else None)


def list_planned(run: Run, study: str) -> Iterable[tuple[Assignment, str]]:
    """Every point of the study that the sweep asked for: its parameters that matter, and why it may
    have no forks.
    """
    for point in run.points:
        if point.study == study:
            matter = {"mechanism", *load_catalog()[study].mechanisms[point.params["mechanism"]]}
            params: Assignment = {
                name: value for name, value in parse_numbers(point.params).items() if name in matter
            }
            on_nodes = {slot.node for slot in point.threads if slot.node is not None}
            yield (
                params | ({NODES: len(on_nodes)} if on_nodes else {}),
                "left out on this machine" if point.unavailable else WITHOUT_FORKS,
            )


def observe_tables(file: ClaimFile) -> dict[str, Observations]:
    """The source's own numbers, by machine; `time` from whatever unit the table has.

    Empty where it published none.
    """
    tables = [pd.read_csv(PUBLISHED / name, comment="#") for name in file.tables]
    if not tables:
        return {}
    for table in tables:
        if "statistic" in table:
            continue
        table["time"] = (
            1 / table["ops_per_s"]
            if "ops_per_s" in table
            else table[next(unit for unit in ("ms", "s", "ns") if unit in table)]
        )
    rows = pd.concat(
        [pivot_statistics(table) if "statistic" in table else table for table in tables],
        ignore_index=True,
    )
    by_machine = {}
    for machine, own in rows.groupby("machine", sort=False):
        decided = resolve_machine_words(int(own["cores"].iloc[0])) if "cores" in own else {}
        by_machine[machine] = Observations(own, file.allowed(), {}, decided, 1)
    return by_machine


def pivot_statistics(table: pd.DataFrame) -> pd.DataFrame:
    """A table with a row for each statistic as one with a column for each, under the name of what
    we measure.
    """
    keys = [name for name in table if name not in ("statistic", "ns")]
    return table.pivot(index=keys, columns="statistic", values="ns").reset_index()
