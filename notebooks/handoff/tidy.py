"""Fork files to tidy tables: one row a shot, and one row a point that says what was asked and what was found."""

from pathlib import Path

import pandas as pd

from handoff.errors import BadInput
from handoff.rows import HASH, curve_rows, nodes, numbers, shot_rows
from handoff.run import quiet, state
from handoff.run.store import Run


def tidy(run: Run) -> dict[str, pd.DataFrame]:
    """Writes tidy/<study>.csv, tidy/points.csv and, where a study finds curves, tidy/curves.csv of the run; returns them by name.

    `attrs["set_aside"]` of the points' table: a sentence for each file of forks/ that must not be read as data.
    """
    spoilt: list[str] = []
    rows: dict[str, list[dict]] = {point.study: [] for point in run.points}
    curves: list[dict] = []
    for point, fork in state.forks(run, spoilt):
        rows[point.study] += shot_rows(point, fork, quiet.disturbances(fork, run.sweep.quiet, point.oversubscribed))
        curves += curve_rows(point, fork)
    add_slower(run, [row for studys in rows.values() for row in studys])
    tables = {study: pd.DataFrame(choose(studys)) for study, studys in rows.items()}
    tables = {"points": points_table(run, tables), **tables, **({"curves": counted(curves, tables)} if curves else {})}
    tables["points"].attrs["set_aside"] = spoilt
    folder = run.folder / "tidy"
    folder.mkdir(exist_ok=True)
    for name, table in tables.items():
        write(table, folder / f"{name}.csv")
    return tables


def add_slower(run: Run, rows: list[dict]) -> None:
    """Adds to `disturbed` that a fork's machine was slower than usual, which only all forks together tell."""
    usual = quiet.usual(row["ns_per_sort"] for row in rows if row["shot"] == 0)
    for row in rows:
        row["disturbed"] = "; ".join(filter(None, [row["disturbed"], *quiet.slower(row["ns_per_sort"], usual, run.sweep.quiet)]))


def choose(rows: list[dict]) -> list[dict]:
    """Marks as `counted` one measurement of each fork: the first that ran undisturbed, else the last."""
    chosen: dict[tuple, dict] = {}
    for row in rows:
        fork = (row["point"], row["fork"])
        if fork not in chosen or chosen[fork]["disturbed"]:
            chosen[fork] = row
    for row in rows:
        row["counted"] = row["again"] == chosen[row["point"], row["fork"]]["again"]
    return rows


def counted(curves: list[dict], tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The curves of those measurements that count."""
    keys = ["point", "fork", "again"]
    kept = pd.concat([table.loc[table["counted"], keys] for table in tables.values() if len(table)]).drop_duplicates()
    return pd.DataFrame(curves).merge(kept, on=keys).drop(columns="again")


def points_table(run: Run, tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """One row a point: `asked` and `found` forks, those `disturbed`, and `unavailable`, why this machine cannot measure it."""
    forks = pd.concat([table[table["counted"]].drop_duplicates(["point", "fork"]) for table in tables.values() if len(table)] or [NO_FORKS])
    found, disturbed = forks.groupby("point").size(), forks[forks["disturbed"] != ""].groupby("point").size()
    return pd.DataFrame(
        {
            "study": point.study,
            **numbers(point.params),
            "point": point.key,
            "asked": point.forks,
            "found": int(found.get(point.key, 0)),
            "disturbed": int(disturbed.get(point.key, 0)),
            "oversubscribed": point.oversubscribed,
            "nodes": nodes([slot.node for slot in point.threads]),
            "unavailable": point.unavailable,
        }
        for point in run.points
    )


NO_FORKS = pd.DataFrame(columns=["point", "fork", "again", "hash", "disturbed"])


def shots(run: Run) -> pd.DataFrame:
    """The tables of all studies of the run, one below the other."""
    tables = [load(run, study) for study in dict.fromkeys(point.study for point in run.points)]
    return pd.concat([table for table in tables if len(table)] or [NO_FORKS], ignore_index=True)


def write(table: pd.DataFrame, path: Path) -> None:
    temporary = path.with_suffix(".tmp")
    table.to_csv(temporary, index=False)
    temporary.replace(path)


def identity(run: Run) -> list[list[str]]:
    """Every fork that may be read as data: its file's name and hash, sorted."""
    return sorted([point.fork_name(fork.fork, fork.again), fork.sha256[:HASH]] for point, fork in state.forks(run, []))


def tabled(run: Run) -> list[list[str]]:
    """The same, as the tables hold it."""
    rows = shots(run).drop_duplicates(["point", "fork", "again"])
    points = {point.key: point for point in run.points}
    return sorted([points[row.point].fork_name(row.fork, row.again), row.hash] for row in rows.itertuples())


def fresh(run: Run, study: str) -> pd.DataFrame:
    """The study's table, made anew from the forks that are there now."""
    tidy(run)
    return load(run, study)


TEXT = ("run", "machine", "point", "hash", "cpus", "last_cpus", "nodes", "cpu_threads", "mhz", "disturbed")
"""Columns that may look like numbers: among hashes there are such as 12345678 and 1234e567."""


def load(run: Run, study: str) -> pd.DataFrame:
    """The run's table of one study, as tidy/ holds it. BadInput before the tidy stage."""
    path = run.folder / "tidy" / f"{study}.csv"
    if not path.is_file():
        raise BadInput(f"{run.folder.name} has no tidy/{study}.csv yet: run the stage tidy first.")
    text = dict.fromkeys(TEXT, str)
    if study == "points":
        # There it is a number of forks.
        del text["disturbed"]
    try:
        table = pd.read_csv(path, dtype=text)
    except pd.errors.EmptyDataError:
        return pd.DataFrame()
    return table if study == "points" else table.fillna({"disturbed": ""})
