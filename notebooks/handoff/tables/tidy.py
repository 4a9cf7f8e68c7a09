"""Tidy tables of a run: writing them from the fork files, and loading them."""

import sys
from collections.abc import Iterable
from itertools import groupby

import pandas as pd

from handoff.catalog import load_catalog
from handoff.errors import BadInput
from handoff.run.store.disturbance import Assessment, Measurement
from handoff.run.store.run import Run
from handoff.run.store.session import list_breaks, number_sessions
from handoff.run.store.state import read_forks
from handoff.tables.rows import (
    HASH_DIGITS,
    MAKERS,
    count_places,
    identify_fork,
    make_shot_rows,
    name_arm,
    name_parameters,
    parse_numbers,
)
from handoff.tables.schema import save_tables

Start = tuple[str, str]
"""The host of a fork, '' without a cluster, and the time at which it started."""

KEYS = ["point", "fork", "again"]

AT_ONCE = 500
"""Rows that are kept as dicts, of some kilobytes each."""


def write_tables(run: Run) -> dict[str, pd.DataFrame]:
    """Write the tables of tidy/ with their datapackage.json, and return them by name.

    They are <study>.csv, points.csv, and those of `MAKERS` that have rows; what they come to,
    analysis.summary adds. `attrs["set_aside"]` of the table of points holds a sentence on each file
    of forks/ that must not be read as data.
    """
    corrupt: list[str] = []
    shots = {point.study: Rows() for point in run.points}
    more = {name: Rows() for name in MAKERS}
    starts: dict[Measurement, Start] = {}
    assessment = Assessment(run.sweep.quiet)
    for point, fork in read_forks(run, corrupt):
        measurement = assessment.add(fork, point.key, point.oversubscribed)
        starts[measurement] = fork.host or "", fork.before.utc
        shots[point.study].add(make_shot_rows(point, fork))
        identity = identify_fork(point, fork)
        for name, make_rows in MAKERS.items():
            more[name].add([identity | row for row in make_rows(point, fork)])
    forks = assess_forks(run, assessment, starts)
    counted = forks.index[forks["counted"]].to_frame(index=False)
    tables = {"points": tabulate_points(run, forks[forks["counted"]])}
    tables |= {study: add_assessment(rows.end(), forks) for study, rows in shots.items()}
    tables |= {
        name: table.merge(counted, on=KEYS).drop(columns="again")
        for name, rows in more.items()
        if len(table := rows.end())
    }
    tables["points"].attrs["set_aside"] = corrupt
    # They are about the forks of before.
    for name in ("effects", "arms"):
        (run.folder / "tidy" / f"{name}.csv").unlink(missing_ok=True)
    save_tables(run.folder / "tidy", tables)
    return tables


class Rows:
    """Rows of a table, kept as columns: dicts of ten thousand forks would fill a notebook's memory.

    Texts that are alike are kept once.
    """

    def __init__(self) -> None:
        self.parts: list[pd.DataFrame] = []
        self.rows: list[dict] = []

    def add(self, rows: list[dict]) -> None:
        self.rows += rows
        if len(self.rows) >= AT_ONCE:
            self.pack()

    def pack(self) -> None:
        for row in self.rows:
            row.update((name, sys.intern(text)) for name, text in row.items() if type(text) is str)
        # Without the copy its texts keep the array of all values that pandas made first.
        part = pd.DataFrame(self.rows).copy()
        # A column of which nothing is known has the type that it has in the other parts.
        blank = [name for name in part if part[name].dtype == object and part[name].isna().all()]
        self.parts.append(part.astype(dict.fromkeys(blank, float)))
        self.rows = []

    def end(self) -> pd.DataFrame:
        """Return the table, and forget the rows."""
        if self.rows:
            self.pack()
        parts, self.parts = self.parts, []
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def assess_forks(
    run: Run, assessment: Assessment, starts: dict[Measurement, Start]
) -> pd.DataFrame:
    """Return what disturbed each measurement, whether it counts, and its session, by KEYS."""
    sessions = assign_sessions(run, starts.values())
    rows = {
        "disturbed": [sys.intern("; ".join(assessment.list_reasons(one))) for one in starts],
        "counted": [assessment.counts(one) for one in starts],
        "session": [sessions[start] for start in starts.values()],
    }
    forks = pd.DataFrame(rows, index=pd.MultiIndex.from_tuples(list(starts), names=KEYS))
    # Without any fork the column would not be boolean, and could not select rows.
    return forks.astype({"counted": bool})


def assign_sessions(run: Run, starts: Iterable[Start]) -> dict[Start, int]:
    """Return the session of each host and start; on a cluster each host has its own sessions."""
    sessions: dict[Start, int] = {}
    for host, group in groupby(sorted(set(starts)), key=lambda start: start[0]):
        times = [started for _, started in group]
        before = max(sessions.values(), default=0)
        for time, number in zip(times, number_sessions(times, list_breaks(run)), strict=True):
            sessions[host, time] = before + number
    return sessions


def add_assessment(shots: pd.DataFrame, forks: pd.DataFrame) -> pd.DataFrame:
    """Return the shots with what `forks` says of their forks."""
    if shots.empty:
        return shots
    found = forks.loc[pd.MultiIndex.from_frame(shots[KEYS])]
    made = shots.assign(**{name: found[name].to_numpy() for name in forks})
    return made.assign(counted=made["counted"] & ~made["warmup"].astype(bool))


def tabulate_points(run: Run, forks: pd.DataFrame) -> pd.DataFrame:
    """Return one row per point, as data/tables.yml describes, from the forks that count."""
    found = forks.groupby("point").size()
    disturbed = forks[forks["disturbed"] != ""].groupby("point").size()
    return pd.DataFrame(
        {
            "study": point.study,
            **name_arm(point),
            **name_parameters(point.study, point.params),
            "point": point.key,
            "asked": run.count_forks(point),
            "found": int(found.get(point.key, 0)),
            "disturbed": int(disturbed.get(point.key, 0)),
            "oversubscribed": point.oversubscribed,
            "nodes": count_places(slot.node for slot in point.threads),
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


def list_forks(run: Run) -> list[list[str]]:
    """Return file name and hash of every fork that may be read as data, sorted."""
    return sorted(
        [point.fork_name(fork.fork, fork.again), fork.sha256[:HASH_DIGITS]]
        for point, fork in read_forks(run, [])
    )


def list_tabled_forks(run: Run) -> list[list[str]]:
    """Return the same list from the tables."""
    rows = load_shots(run, every_arm=True).drop_duplicates(KEYS)
    points = {point.key: point for point in run.points}
    return sorted(
        [points[row.point].fork_name(row.fork, row.again), row.hash] for row in rows.itertuples()
    )


TEXT = ("arm", "setup", "machine", "host", "point", "hash", "disturbed")
"""Columns of text that may look like numbers, such as the hashes 12345678 and 1234e567."""


def load_table(run: Run, study: str, every_arm: bool = False) -> pd.DataFrame:
    """Return a table of tidy/ in the plan's order; raise BadInput before the stage tidy.

    Of a run with arms, the first arm alone unless `every_arm`: arms are compared, never pooled.
    """
    path = run.folder / "tidy" / f"{study}.csv"
    if not path.is_file():
        measured = dict.fromkeys(point.study for point in run.points)
        if study in load_catalog() and study not in measured:
            raise BadInput(
                f"{run.folder.name} did not measure {study}; it has {', '.join(measured)}."
            )
        raise BadInput(f"{run.folder.name} has no tidy/{study}.csv yet: run the stage tidy first.")
    text = dict.fromkeys(TEXT, str)
    if study == "points":
        # In this table it is a number of forks.
        del text["disturbed"]
    try:
        table = pd.read_csv(path, dtype=text)
    except pd.errors.EmptyDataError:
        return pd.DataFrame()
    # The files of forks lie by hash.
    places = {point.key: place for place, point in enumerate(run.points)}
    order = table["point"].map(places).argsort(kind="stable")
    table = table.iloc[order].reset_index(drop=True)
    if study in load_catalog() and "cpu_producer" not in table:
        raise BadInput(
            f"{run.folder.name}: tidy/{study}.csv is of an earlier release: run the stage tidy"
            " again."
        )
    if study in load_catalog():
        # A measure that no fork of the run has is blank, as one that some forks lack.
        measures = load_catalog()[study].measures
        table = table.reindex(columns=table.columns.union(measures, sort=False))
        table = fill_parameters(table, study)
    if "arm" in table and not every_arm:
        table = table[table["arm"] == run.sweep.first_arm].reset_index(drop=True)
    return table if study == "points" else table.fillna({"disturbed": "", "host": ""})


def fill_parameters(table: pd.DataFrame, study: str) -> pd.DataFrame:
    """Return the shots with the parameters that a mechanism does not have at their defaults.

    They are so in the fork's command; which of them make no difference, analysis.baseline says.
    """
    filled = {}
    for name, default in parse_numbers(load_catalog()[study].defaults()).items():
        if name in table:
            values = table[name].where(table[name].notna(), default)
            filled[name] = values.astype(int) if isinstance(default, int) else values
    return table.assign(**filled)
