"""What claims are tested on: one row a fork of a run, or one row a published number, under the same names."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.errors import BadInput
from handoff.judge.claims import ClaimFile, Value
from handoff.paths import PUBLISHED
from handoff.run.machine import usable_cores
from handoff.run.store import Run
from handoff.run.studies import studies

Chosen = dict[str, Value]

FEWEST_FOR_VERDICT = 5
FREE = ("mechanism", "events")
"""Parameters that a claim need not name: events only scale a shot; of several, the largest shots are taken."""


class Cell(NamedTuple):
    """The forks of one point: `values` to judge, or `lacking`, why there are none."""

    point: str
    values: np.ndarray
    lacking: str


NOTHING = Cell("", np.array([]), "not in this run")


class Observed:
    """`rows`: one a fork, with the study's parameters (missing where one makes no difference), the quantities, `point` and `unfit`, why
    it is not judged. `standards`: what a parameter is when a claim does not name it. `own`: what CORES and TWICE_CORES stand for.
    `fewest` forks that a verdict needs.
    """

    def __init__(self, rows: pd.DataFrame, parameters: Iterable[str], standards: Chosen, own: Chosen, fewest: int) -> None:
        self.rows, self.standards, self.own, self.fewest = rows, standards, own, fewest
        names = [name for name in parameters if name in rows]
        self._names = set(names)
        groups = [] if rows.empty else rows.groupby(names, sort=False, dropna=False)
        self._points = [({name: v for name, v in zip(names, key, strict=True) if not pd.isna(v)}, own_rows) for key, own_rows in groups]
        self._known: dict[tuple, Cell] = {}

    def cell(self, chosen: Chosen, quantity: str) -> Cell:
        """The forks of the one point that the parameters choose. BadInput when they choose several published ones."""
        key = (quantity, *sorted(chosen.items()))
        if key not in self._known:
            self._known[key] = self._cell(self.standards | chosen, quantity)
        return self._known[key]

    def _cell(self, wanted: Chosen, quantity: str) -> Cell:
        if quantity not in self.rows or not wanted.keys() <= self._names:
            return NOTHING
        there = [(p, rows) for p, rows in self._points if all(p.get(name, value) == value for name, value in wanted.items())]
        there = [(p, rows) for p, rows in there if rows[quantity].notna().all()]
        if not there:
            return NOTHING
        if len(there) > 1 and "events" not in self._names:
            raise BadInput(f"{wanted} chooses several published numbers: {'; '.join(str(p) for p, _ in there)}.")
        _, rows = max(there, key=lambda found: found[0].get("events", 0))
        point = str(rows["point"].iloc[0]) if "point" in rows else str(sorted(wanted.items()))
        return Cell(point, rows[quantity].to_numpy(float), self._unfit(rows, quantity))

    def _unfit(self, rows: pd.DataFrame, quantity: str) -> str:
        """Why these forks are not judged; '' when they are."""
        if rows["unfit"].max():
            return rows["unfit"].max()
        if quantity.startswith("cpu") and "short_usage" in rows and rows["short_usage"].any():
            return "too short to tell CPU usage"
        return f"{len(rows)} of the {self.fewest} forks that a verdict needs" if len(rows) < self.fewest else ""


def of_run(run: Run, study: str, forks: pd.DataFrame) -> Observed:
    """From `judge.forks.fork_means` of one run."""
    known = studies()[study]
    cores = usable_cores(run.machine)
    own: Chosen = {"CORES": cores, "TWICE_CORES": 2 * cores}
    standards: Chosen = {name: int(v) if v.isdigit() else v for name, v in known.standards().items() if name not in FREE}
    if forks.empty:
        return Observed(forks, [], standards, own, FEWEST_FOR_VERDICT)
    rows = forks.astype(dict.fromkeys(standards, object))
    for name, standard in standards.items():
        present = rows.loc[rows["mechanism"] != "SEQUENTIAL", name]
        if isinstance(standard, int) and len(present) and standard not in present.to_numpy():
            standards[name] = present.max()
    for mechanism, matter in known.mechanisms.items():
        rows.loc[rows["mechanism"] == mechanism, [name for name in standards if name not in matter]] = None
    rows["time"], rows["cpu_usage"] = rows["ns_per_event"], rows["cpu_process"]
    rows["cpu_per_thread"] = rows["cpu_process"] / rows["threads"]
    rows["cpu_consumer"] = (rows["cpu_workers"] - rows["cpu_producer"]) / (rows["threads"] - 1).where(rows["threads"] > 1)
    reasons = [rows["oversubscribed"].astype(bool), rows["too_short"].astype(bool)]
    rows["unfit"] = np.select(reasons, ["oversubscribed here", "shots too short"], "")
    return Observed(rows, known.standards(), standards, own, FEWEST_FOR_VERDICT)


def of_tables(file: ClaimFile) -> dict[str, Observed]:
    """The source's own numbers, by machine; `time` from whatever unit the table has. Empty where it published none."""
    tables = [pd.read_csv(PUBLISHED / name, comment="#") for name in file.tables]
    if not tables:
        return {}
    for table in tables:
        table["time"] = 1 / table["ops_per_s"] if "ops_per_s" in table else table[next(unit for unit in ("ms", "s", "ns") if unit in table)]
    rows = pd.concat(tables, ignore_index=True).assign(unfit="")
    by_machine = {}
    for machine, own in rows.groupby("machine", sort=False):
        cores = own["cores"].iloc[0] if "cores" in own else None
        by_machine[machine] = Observed(own, file.allowed(), {}, {"CORES": cores, "TWICE_CORES": 2 * cores} if cores else {}, 1)
    return by_machine
