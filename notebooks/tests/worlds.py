"""Rate of wrong verdicts in each study's whole table, in worlds whose truth is known.

A world is a table of true values at the points of the
study's published numbers. Its truth is given by the verdicts of forks that do not vary; then forks
are drawn that vary like those of a shipped run.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.claims.case import Machine
from handoff.claims.files import load_claim_files
from handoff.claims.judging import judge_claims
from handoff.claims.model import ClaimFile
from handoff.claims.observations import Observations
from handoff.claims.readers import observe_tables
from handoff.claims.verdicts import CONTRADICTED, NOT_MEASURED, REPRODUCED, Verdict

from . import synthetic
from .calibration import residuals

CORES = 12
SURE = 400
"""Forks per point that differ only in a sign: what they leave open is on the edge of a claim."""

World = Callable[[np.ndarray], np.ndarray]
WORLDS: dict[str, World] = {
    "as published": lambda logs: logs,
    "all alike": lambda logs: np.full_like(logs, logs.mean()),
    "mirrored": lambda logs: 2 * logs.mean() - logs,
}
"""Functions from the published logarithms of a quantity at all points to those of the world."""


def list_tables() -> list[tuple[str, str]]:
    """Return the study and machine of each table."""
    return [(s, m) for s, file in load_claim_files().items() for m in observe_tables(file)]


def count_threads(study: str, row: pd.Series) -> int:
    """Return the number of threads on the event path of a published row."""
    if study in ("executors", "topologies", "actors"):
        return synthetic.count_threads(study, row)
    if study == "latency":
        return 4
    return 1 if pd.isna(row["threads"]) else int(row["threads"])


def is_measured(column: str) -> bool:
    return column in ("time", "stayed") or "_" in column


def place_rows(study: str, rows: pd.DataFrame, cores: int) -> pd.DataFrame:
    """Return rows in the units of loads, nanoseconds per hop, with the column `oversubscribed`."""
    measured = [n for n in rows.select_dtypes("number") if is_measured(n)]
    rows = rows.astype(dict.fromkeys(measured, float))
    if "rounds" in rows and rows["rounds"].notna().all():
        # In a round, each of a hundred nodes passes on four tokens.
        rows = rows.assign(time=rows["time"] * 1e9 / (rows["rounds"] * 400))
    shared = [count_threads(study, row) > cores for _, row in rows.iterrows()]
    return rows.assign(oversubscribed=shared)


class Table(NamedTuple):
    """The true values of one world at all points of one of a study's published tables."""

    study: str
    file: ClaimFile
    rows: pd.DataFrame
    numbers: list[str]
    cores: int = CORES

    @property
    def parameters(self) -> list[str]:
        return [name for name in self.file.allowed() if name in self.rows]

    def observe(self, forks: int, noise: Callable[[int], np.ndarray]) -> Observations:
        """Return `forks` forks per point; `noise` draws the logarithms of their deviations."""
        rows = self.rows.loc[self.rows.index.repeat(forks)].reset_index(drop=True)
        luck = np.exp(np.array([noise(len(rows)) for _ in self.numbers])).T
        values = dict(zip(self.numbers, (rows[self.numbers].to_numpy() * luck).T, strict=True))
        points = rows.groupby(self.parameters, dropna=False, sort=False).ngroup().astype(str)
        rows = rows.assign(point=points, **values)
        return Observations(rows, self.parameters, {}, {"CORES": self.cores}, 5)

    def judge(self, forks: int, noise: Callable[[int], np.ndarray]) -> dict[str, str]:
        """Return the verdict of each claim, with the first choice that the table has."""
        judged = judge_claims(self.file, self.observe(forks, noise), Machine(CORES, 2))
        words = {}
        for verdict in judged:
            every: list[Verdict] = [verdict, *(other.verdict for other in verdict.alternatives)]
            measured = [one for one in every if one.verdict != NOT_MEASURED]
            words[verdict.identity] = (measured or every)[0].verdict
        return words


def imagine_table(study: str, machine: str, world: str, cores: int = CORES) -> Table:
    """Return a published table as a machine with so many cores would measure it in this world.

    All choices are judged, also of releases that only the source has, as if machines of today had
    measured its tables.
    """
    file = load_claim_files()[study].model_copy(update={"parameters": {}})
    rows = place_rows(study, observe_tables(file)[machine].rows, cores)
    numbers = [n for n in rows.select_dtypes(float) if is_measured(n)]
    numbers = [n for n in numbers if rows[n].notna().all() and (rows[n] > 0).all()]
    assert numbers, (study, machine)
    changed = {n: np.exp(WORLDS[world](np.log(rows[n].to_numpy()))) for n in numbers}
    return Table(study, file, rows.assign(**changed), numbers, cores)


def find_truth(table: Table) -> dict[str, str]:
    """Return the verdict of each claim for forks that do not vary."""
    return table.judge(SURE, lambda size: 1e-9 * (-1.0) ** np.arange(size))


def count_wrong(table: Table, repeats: int, forks: int) -> dict[str, float]:
    """Return the shares of simulated tables with a claim wrongly reproduced or contradicted."""
    random = np.random.default_rng(2015)
    truth = find_truth(table)
    off = residuals(table.study, False)
    wrong = dict.fromkeys((REPRODUCED, CONTRADICTED), 0)
    for _ in range(repeats):
        judged = table.judge(forks, lambda size: random.choice(off, size))
        for verdict in wrong:
            wrong[verdict] += any(judged[claim] == verdict != truth[claim] for claim in judged)
    return {verdict: count / repeats for verdict, count in wrong.items()}
