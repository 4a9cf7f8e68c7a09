"""Observations of a run, and of the numbers that a source published."""

from collections.abc import Iterable

import pandas as pd

from handoff.analysis.baseline import find_baseline, mask_irrelevant
from handoff.analysis.forks import MIN_FORKS_FOR_VERDICT
from handoff.catalog import load_catalog
from handoff.claims.assignments import NODES, Assignment, resolve_machine_words
from handoff.claims.model import ClaimFile
from handoff.claims.observations import WITHOUT_FORKS, Observations
from handoff.paths import PUBLISHED
from handoff.run.host.machine import count_usable_cores, find_places
from handoff.run.store.run import Run
from handoff.tables.rows import parse_numbers


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
    # A fork is accepted only with its threads where the plan says.
    cpus = {point.key: point.cpus for point in run.points}
    rows[NODES] = rows["point"].map(lambda key: count_nodes(run.machine, cpus[key]))
    rows["unlike"] = rows["point"].map(
        lambda key: len(find_places(run.machine, cpus[key], "kind")) > 1
    )
    return Observations(
        rows,
        [*load_catalog()[study].defaults(), NODES],
        chosen,
        own,
        MIN_FORKS_FOR_VERDICT,
        list_planned(run, study),
    )


def count_nodes(machine: dict, cpus: list[int]) -> int | None:
    """On how many NUMA nodes threads pinned to these CPUs are; None where none is pinned, where the
    kernel does not tell, or where several nodes are parts of one socket or the other way round:
    each of the paper's nodes was a socket.
    """
    nodes, sockets = (find_places(machine, cpus, place) for place in ("node", "socket"))
    alike = len(nodes) == len(sockets) or None in sockets
    return len(nodes) if nodes and alike and None not in nodes else None


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
            nodes = count_nodes(run.machine, point.cpus)
            yield (
                params | ({NODES: nodes} if nodes else {}),
                "left out on this machine" if point.unavailable else WITHOUT_FORKS,
            )


def observe_tables(file: ClaimFile) -> dict[str, Observations]:
    """The source's own numbers, by machine; `time` from whatever unit the table has.

    Empty where it published none.
    """
    tables = [pd.read_csv(PUBLISHED / name) for name in file.tables]
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
