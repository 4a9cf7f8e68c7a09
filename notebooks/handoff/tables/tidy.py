"""Tidy tables of a run: writing them from the fork files, and loading them."""

import json
from pathlib import Path

import pandas as pd

from handoff.catalog import load_catalog
from handoff.errors import BadInput
from handoff.files import write_text
from handoff.run.store.disturbance import Assessment, Measurement
from handoff.run.store.forks import read_forks
from handoff.run.store.run import Run
from handoff.run.store.session import list_breaks, number_sessions
from handoff.tables import schema
from handoff.tables.rows import (
    HASH_DIGITS,
    count_places,
    make_curve_rows,
    make_heap_rows,
    make_matrix_rows,
    make_shot_rows,
    make_thread_rows,
    name_arm,
    parse_numbers,
)


def write_tables(run: Run) -> dict[str, pd.DataFrame]:
    """Write the tables of tidy/ with their datapackage.json, and return them by name.

    They are <study>.csv, points.csv, and those of `MAKERS` that have rows. `attrs["set_aside"]` of
    the table of points holds a sentence on each file of forks/ that must not be read as data.
    """
    corrupt: list[str] = []
    rows: dict[str, list[dict]] = {point.study: [] for point in run.points}
    more: dict[str, list[dict]] = {name: [] for name in MAKERS}
    assessment = Assessment(run.sweep.quiet)
    for point, fork in read_forks(run, corrupt):
        assessment.add(fork, point.key, point.oversubscribed)
        rows[point.study] += make_shot_rows(point, fork)
        for name, make_rows in MAKERS.items():
            more[name] += make_rows(point, fork)
    sessions = assign_sessions(run, [row for shots in rows.values() for row in shots])
    tables = {
        study: pd.DataFrame(
            [
                add_assessment(row, assessment) | {"session": sessions[row["host"], row["started"]]}
                for row in shots
            ]
        )
        for study, shots in rows.items()
    }
    tables = {
        "points": tabulate_points(run, tables),
        **tables,
        **{name: select_counted(made, tables) for name, made in more.items() if made},
    }
    tables["points"].attrs["set_aside"] = corrupt
    save_tables(run.folder / "tidy", tables)
    return tables


MAKERS = {
    "threads": make_thread_rows,
    "heap": make_heap_rows,
    "curves": make_curve_rows,
    "matrices": make_matrix_rows,
}
"""Tables that hold all studies together, and the functions that make their rows."""


def save_tables(folder: Path, tables: dict[str, pd.DataFrame]) -> None:
    """Write each table, and datapackage.json."""
    folder.mkdir(exist_ok=True)
    for name, table in tables.items():
        write_table(table, folder / f"{name}.csv")
    package = schema.describe_tables({name: list(table) for name, table in tables.items()})
    write_text(folder / "datapackage.json", json.dumps(package, indent=1) + "\n")


def assign_sessions(run: Run, rows: list[dict]) -> dict[tuple[str, str], int]:
    """Return the session of each host and start; on a cluster each host has its own sessions."""
    started: dict[str, set[str]] = {}
    for row in rows:
        started.setdefault(row["host"], set()).add(row["started"])
    sessions: dict[tuple[str, str], int] = {}
    for host in sorted(started):
        times, before = sorted(started[host]), max(sessions.values(), default=0)
        for time, number in zip(times, number_sessions(times, *list_breaks(run)), strict=True):
            sessions[host, time] = before + number
    return sessions


def add_assessment(row: dict, assessment: Assessment) -> dict:
    """Return a shot's row with what disturbed its fork and whether this measurement counts."""
    measurement = Measurement(row["point"], row["fork"], row["again"])
    reasons = "; ".join(assessment.list_reasons(measurement))
    return row | {"disturbed": reasons, "counted": assessment.counts(measurement)}


def select_counted(rows: list[dict], tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a table of the rows that belong to measurements that count."""
    keys = ["point", "fork", "again"]
    kept = pd.concat(
        [table.loc[table["counted"], keys] for table in tables.values() if len(table)]
    ).drop_duplicates()
    return pd.DataFrame(rows).merge(kept, on=keys).drop(columns="again")


def tabulate_points(run: Run, tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return one row per point, as data/tables.yml describes."""
    forks = pd.concat(
        [
            table[table["counted"]].drop_duplicates(["point", "fork"])
            for table in tables.values()
            if len(table)
        ]
        or [NO_FORKS]
    )
    found = forks.groupby("point").size()
    disturbed = forks[forks["disturbed"] != ""].groupby("point").size()
    return pd.DataFrame(
        {
            "study": point.study,
            **name_arm(point),
            **parse_numbers(point.params),
            "point": point.key,
            "asked": run.count_forks(point),
            "found": int(found.get(point.key, 0)),
            "disturbed": int(disturbed.get(point.key, 0)),
            "oversubscribed": point.oversubscribed,
            "nodes": count_places([slot.node for slot in point.threads]),
            "unavailable": point.unavailable,
        }
        for point in run.points
    )


NO_FORKS = pd.DataFrame(columns=["point", "fork", "again", "hash", "disturbed"])


def list_studies(run: Run) -> list[str]:
    """Return the studies that have forks, in the plan's order: all that a report may speak of."""
    points = load_table(run, "points")
    return list(points.loc[points["found"] > 0, "study"].unique())


def load_shots(run: Run, every_arm: bool = False) -> pd.DataFrame:
    """Return the tables of all studies of the run, concatenated."""
    tables = [
        load_table(run, study, every_arm)
        for study in dict.fromkeys(point.study for point in run.points)
    ]
    return pd.concat([table for table in tables if len(table)] or [NO_FORKS], ignore_index=True)


def write_table(table: pd.DataFrame, path: Path) -> None:
    temporary = path.with_suffix(".tmp")
    schema.keep_integers(table, schema.find_table(path.stem)[1]).to_csv(temporary, index=False)
    temporary.replace(path)


def list_forks(run: Run) -> list[list[str]]:
    """Return file name and hash of every fork that may be read as data, sorted."""
    return sorted(
        [point.fork_name(fork.fork, fork.again), fork.sha256[:HASH_DIGITS]]
        for point, fork in read_forks(run, [])
    )


def list_tabled_forks(run: Run) -> list[list[str]]:
    """Return the same list from the tables."""
    rows = load_shots(run, every_arm=True).drop_duplicates(["point", "fork", "again"])
    points = {point.key: point for point in run.points}
    return sorted(
        [points[row.point].fork_name(row.fork, row.again), row.hash] for row in rows.itertuples()
    )


def load_fresh(run: Run, study: str) -> pd.DataFrame:
    """Return the study's table after writing it again from the forks."""
    write_tables(run)
    return load_table(run, study)


TEXT = ("arm", "setup", "machine", "host", "point", "hash", "disturbed")
"""Columns of text that may look like numbers, such as the hashes 12345678 and 1234e567."""


def load_table(run: Run, study: str, every_arm: bool = False) -> pd.DataFrame:
    """Return a table of tidy/ by its name; raise BadInput before the stage tidy.

    Of a run with arms, the first arm alone unless `every_arm`: arms are compared, never pooled.
    """
    path = run.folder / "tidy" / f"{study}.csv"
    if not path.is_file():
        raise BadInput(f"{run.folder.name} has no tidy/{study}.csv yet: run the stage tidy first.")
    text = dict.fromkeys(TEXT, str)
    if study == "points":
        # In this table it is a number of forks.
        del text["disturbed"]
    try:
        table = pd.read_csv(path, dtype=text)
    except pd.errors.EmptyDataError:
        return pd.DataFrame()
    if study in load_catalog() and "cpu_producer" not in table:
        raise BadInput(
            f"{run.folder.name}: tidy/{study}.csv is of an earlier release: run the stage tidy"
            " again."
        )
    if "arm" in table and not every_arm:
        table = table[table["arm"] == run.sweep.first_arm].reset_index(drop=True)
    return table if study == "points" else table.fillna({"disturbed": "", "host": ""})
