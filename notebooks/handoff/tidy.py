"""Fork files to tidy tables: one row a shot, and one row a point that says what was asked and what was found."""

from pathlib import Path

import pandas as pd

from handoff.errors import BadInput
from handoff.rows import nodes, numbers, shot_rows
from handoff.run.forkfile import ForkFile
from handoff.run.points import Point
from handoff.run.store import Run, hexed, read_fork


def tidy(run: Run) -> dict[str, pd.DataFrame]:
    """Writes tidy/<study>.csv and tidy/points.csv of the run and returns them by name. BadInput when a file does not belong here."""
    forks = [(point, read(run, point, number)) for point, number in run.tasks() if run.fork_path(point, number).is_file()]
    refuse_strangers(run)
    tables = {"points": points_table(run, forks)}
    for study in dict.fromkeys(point.study for point in run.points):
        rows = [row for point, fork in forks if point.study == study for row in shot_rows(point, fork)]
        tables[study] = pd.DataFrame(rows)
    folder = run.folder / "tidy"
    folder.mkdir(exist_ok=True)
    for name, table in tables.items():
        write(table, folder / f"{name}.csv")
    return tables


def read(run: Run, point: Point, number: int) -> ForkFile:
    """One fork of this run, this point and this number, with as many shots as planned."""
    path = run.fork_path(point, number)
    fork = read_fork(path)
    if (fork.study, fork.params, fork.fork) != (point.study, point.params, number):
        raise BadInput(f"{path.name} does not hold what its place says: it is fork {fork.fork} of {fork.study} with other parameters.")
    if (fork.run, fork.machine, len(fork.evidence.shots)) != (hexed(run.identity), run.machine["id"], point.shots):
        raise BadInput(f"{path.name} comes from another run ({fork.run}, on machine {fork.machine}); forks of two runs are never pooled.")
    return fork


def refuse_strangers(run: Run) -> None:
    asked = {run.fork_path(point, number).name for point, number in run.tasks()}
    found = {path.name for path in (run.folder / "forks").glob("*.json")}
    if found - asked:
        raise BadInput(f"{run.folder.name}/forks holds files that this run never asked for: {', '.join(sorted(found - asked)[:3])}.")


def points_table(run: Run, forks: list[tuple[Point, ForkFile]]) -> pd.DataFrame:
    """One row a point: `asked` and `found` forks, `oversubscribed`, and `unavailable`, why this machine cannot measure it."""
    found: dict[str, int] = {}
    for point, _ in forks:
        found[point.key] = found.get(point.key, 0) + 1
    return pd.DataFrame(
        {
            "study": point.study,
            **numbers(point.params),
            "point": point.key,
            "asked": point.forks,
            "found": found.get(point.key, 0),
            "oversubscribed": point.oversubscribed,
            "nodes": nodes([slot.node for slot in point.threads]),
            "unavailable": point.unavailable,
        }
        for point in run.points
    )


def write(table: pd.DataFrame, path: Path) -> None:
    temporary = path.with_suffix(".tmp")
    table.to_csv(temporary, index=False)
    temporary.replace(path)


def load(run: Run, study: str) -> pd.DataFrame:
    """The run's table of one study, as tidy/ holds it. BadInput before the tidy stage."""
    path = run.folder / "tidy" / f"{study}.csv"
    if not path.is_file():
        raise BadInput(f"{run.folder.name} has no tidy/{study}.csv yet: run the stage tidy first.")
    try:
        return pd.read_csv(path, dtype={"cpus": str, "last_cpus": str, "nodes": str, "cpu_threads": str}, keep_default_na=True)
    except pd.errors.EmptyDataError:
        return pd.DataFrame()
