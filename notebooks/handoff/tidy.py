"""Fork files to tidy tables: one row a shot, and one row a point that says what was asked and what was found."""

from pathlib import Path

import pandas as pd

from handoff.errors import BadInput
from handoff.run.forkfile import ForkFile, Shot
from handoff.run.points import Point
from handoff.run.store import Run, hexed, read_fork

TOO_SHORT_NS = 50e6
"""A shot below this is more start and end than middle."""

ENOUGH_WALL_NS = 200e6
"""Measured shots of a fork must add up to this for its CPU usage to mean something."""


def tidy(run: Run) -> dict[str, pd.DataFrame]:
    """Writes tidy/<study>.csv and tidy/points.csv of the run and returns them by name. BadInput when a file does not belong here."""
    forks = [(point, read(run, point, number)) for point, number in run.tasks() if run.fork_path(point, number).is_file()]
    refuse_strangers(run)
    tables = {"points": points_table(run, forks)}
    for study in dict.fromkeys(point.study for point in run.points):
        rows = [row for point, fork in forks if point.study == study for row in shot_rows(run, point, fork)]
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


def shot_rows(run: Run, point: Point, fork: ForkFile) -> list[dict]:
    """The fork's shots in their order; the columns are described in data/README.md."""
    measured_wall = sum(shot.wallNs for shot in fork.evidence.shots[point.warmup :])
    shared = {
        "run": fork.run,
        "machine": fork.machine,
        "jvm": fork.evidence.jvm.version,
        "study": fork.study,
        **numbers(fork.params),
        "point": point.key,
        "fork": fork.fork,
        "block": fork.block,
        "order_index": fork.order,
        "started": fork.before["utc"],
        "ns_per_sort": fork.evidence.nsPerSort,
        "ns_per_event_created": fork.evidence.nsPerEventCreated,
        "heap_pages": pages(fork.evidence.heapPagesByNode),
        "short_usage": measured_wall < ENOUGH_WALL_NS,
    }
    return [
        {**shared, "shot": i, "warmup": i < point.warmup, **shot_columns(shot), **thread_columns(shot)}
        for i, shot in enumerate(fork.evidence.shots)
    ]


def shot_columns(shot: Shot) -> dict:
    workers = sum(thread.cpuNs for thread in shot.threads)
    process = shot.userNs + shot.sysNs
    return {
        "wall_ns": shot.wallNs,
        "ns_per_event": shot.wallNs / shot.events,
        "cpu_process": process / shot.wallNs,
        "cpu_workers": workers / shot.wallNs,
        "cpu_rest": (process - workers) / shot.wallNs,
        "user_ns": shot.userNs,
        "sys_ns": shot.sysNs,
        "workers_ns": workers,
        "gc_ns": shot.gcNs,
        "too_short": shot.wallNs < TOO_SHORT_NS,
    }


def thread_columns(shot: Shot) -> dict:
    """Placement as observed, and what the threads did; lists in the order producer, consumers, joined by spaces."""
    return {
        "cpus": " ".join(thread.mask for thread in shot.threads),
        "last_cpus": " ".join(str(thread.lastCpu) for thread in shot.threads),
        "nodes": nodes([thread.node for thread in shot.threads]),
        "oversubscribed": any(thread.oversubscribed for thread in shot.threads),
        "cpu_threads": " ".join(f"{thread.cpuNs / shot.wallNs:.3f}" for thread in shot.threads),
        "voluntary": sum(thread.voluntary for thread in shot.threads),
        "involuntary": sum(thread.involuntary for thread in shot.threads),
    }


def nodes(ids: list[int | None]) -> str:
    """The NUMA nodes used, joined by spaces; empty when unknown."""
    return " ".join(str(node) for node in sorted({node for node in ids if node is not None}))


def pages(by_node: dict[str, int] | None) -> str:
    """Where the heap really is, '0:262144' or '0:131072 1:131072' (node:pages); empty when the kernel does not tell."""
    return " ".join(f"{node}:{count}" for node, count in (by_node or {}).items())


def numbers(params: dict[str, str]) -> dict[str, str | int]:
    return {name: int(value) if value.isdigit() else value for name, value in params.items()}


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
