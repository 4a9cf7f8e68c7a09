"""Observations of a run, and of the numbers that a source published."""

from collections.abc import Iterator

import pandas as pd

from handoff.analysis.baseline import find_baseline, mask_irrelevant
from handoff.analysis.forks import MIN_FORKS_FOR_VERDICT, compute_fork_means
from handoff.catalog import load_catalog
from handoff.claims.model import CORES, NODES, Assignment, ClaimFile
from handoff.claims.observations import WITHOUT_FORKS, Observations
from handoff.paths import PUBLISHED
from handoff.run.host.machine import count_usable_cores, find_places
from handoff.run.store.run import Run
from handoff.tables import tidy
from handoff.tables.rows import parse_numbers


def observe_run(run: Run, study: str) -> Observations | None:
    """Return a run's forks of a study, or None where the run does not measure it."""
    if study not in {point.study for point in run.points}:
        return None
    forks = compute_fork_means(tidy.load_table(run, study))
    rows = mask_irrelevant(forks, study)
    if not forks.empty:
        rows = add_quantities(run, rows)
    return Observations(
        rows,
        [*load_catalog()[study].defaults(), NODES],
        find_baseline(rows, study),
        {CORES: count_usable_cores(run.machine)} | run.identity.get("amounts", {}).get(study, {}),
        MIN_FORKS_FOR_VERDICT,
        list_planned(run, study),
    )


def add_quantities(run: Run, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the forks with the quantities that claims compare, and with where their threads are.

    A fork is accepted only with its threads where the plan says.
    """
    cpus = {point.key: point.cpus for point in run.points}
    handlers = (rows["path_threads"] - 1).where(rows["path_threads"] > 1)
    return rows.assign(
        time=rows["ns_per_event"],
        cpu_usage=rows["cpu_process"],
        # The threads' own time: without the compiler's and the collector's.
        cpu_per_thread=rows["cpu_workers"] / rows["path_threads"],
        cpu_consumer=(rows["cpu_workers"] - rows["cpu_producer"]) / handlers,
        unlike=[len(find_places(run.machine, cpus[key], "kind")) > 1 for key in rows["point"]],
        **{NODES: [count_nodes(run.machine, cpus[key]) for key in rows["point"]]},
    )


def count_nodes(machine: dict, cpus: list[int]) -> int | None:
    """Return the number of NUMA nodes that threads pinned to these CPUs are on.

    None where no thread is pinned, where the kernel does not report nodes, or where nodes and
    sockets are not the same, because each of the paper's nodes was a socket.
    """
    nodes, sockets = (find_places(machine, cpus, place) for place in ("node", "socket"))
    alike = len(nodes) == len(sockets) or None in sockets
    return len(nodes) if nodes and alike and None not in nodes else None


def list_planned(run: Run, study: str) -> Iterator[tuple[Assignment, str]]:
    """Yield the relevant parameters of each planned point, and why it may have no forks."""
    for point in run.points:
        if point.study == study:
            relevant = {"mechanism", *load_catalog()[study].mechanisms[point.params["mechanism"]]}
            params: Assignment = {
                name: value
                for name, value in parse_numbers(point.params).items()
                if name in relevant
            }
            nodes = count_nodes(run.machine, point.cpus)
            yield (
                params | ({NODES: nodes} if nodes else {}),
                "left out on this machine" if point.unavailable else WITHOUT_FORKS,
            )


def observe_tables(file: ClaimFile) -> dict[str, Observations]:
    """Return the source's numbers by machine; empty if it published none.

    `time` is in whatever unit the table has.
    """
    tables = [pd.read_csv(PUBLISHED / name) for name in file.tables]
    if not tables:
        return {}
    rows = pd.concat(map(name_quantities, tables), ignore_index=True)
    by_machine = {}
    for machine, numbers in rows.groupby("machine", sort=False):
        bindings: Assignment = {CORES: int(numbers["cores"].iloc[0])} if "cores" in rows else {}
        by_machine[machine] = Observations(numbers, file.allowed(), {}, bindings, 1)
    return by_machine


def name_quantities(table: pd.DataFrame) -> pd.DataFrame:
    """Return a published table with `time`, or with one column per statistic if it has several."""
    if "statistic" in table:
        keys = [name for name in table if name not in ("statistic", "ns")]
        return table.pivot(index=keys, columns="statistic", values="ns").reset_index()
    if "ops_per_s" in table:
        return table.assign(time=1 / table["ops_per_s"])
    return table.assign(time=table[next(unit for unit in ("ms", "s", "ns") if unit in table)])
