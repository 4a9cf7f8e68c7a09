"""Observations of a run, and of the numbers that a source published."""

from collections.abc import Iterator

import pandas as pd

from handoff.analysis.baseline import find_baseline, mask_irrelevant
from handoff.analysis.forks import compute_fork_means
from handoff.analysis.intervals import MIN_FORKS
from handoff.catalog import load_catalog
from handoff.claims.check import CORES, QUANTITIES, SOCKETS, Assignment
from handoff.claims.model import SOCKET_CORES, ClaimFile
from handoff.claims.observations import WITHOUT_FORKS, Observations
from handoff.paths import PUBLISHED
from handoff.run.host.machine import count_roomy_sockets, count_usable_cores, find_places
from handoff.run.plan.points import Point
from handoff.run.store.run import Run
from handoff.tables import tidy
from handoff.tables.rows import parse_numbers


def observe_run(run: Run, study: str) -> Observations:
    """Return a run's forks of a study, with all quantities."""
    planned = study in {point.study for point in run.points}
    rows = compute_fork_means(tidy.load_table(run, study)) if planned else pd.DataFrame()
    if len(rows):
        rows = add_places(run, add_quantities(mask_irrelevant(rows, study)))
    return make_observations(run, study, rows)


def observe_plan(run: Run, study: str) -> Observations:
    """Return the plan as if each of its forks had taken the same time, before any is measured."""
    return make_observations(run, study, add_places(run, tabulate_plan(run, study)))


def tabulate_plan(run: Run, study: str) -> pd.DataFrame:
    """Return one row per planned fork, all of the same time and CPU usage."""
    spec = load_catalog()[study]
    quantities = [*QUANTITIES, *spec.measures]
    rows = [
        {**params, "point": point.key, "oversubscribed": point.oversubscribed}
        for point, params in list_claimed(run, study)
        for _ in range(point.forks * (run.planned_sessions or 1))
    ]
    table = pd.DataFrame(rows, columns=[*spec.defaults(), "point", "oversubscribed"])
    return mask_irrelevant(table.assign(**dict.fromkeys(quantities, 1.0)), study)


def list_claimed(run: Run, study: str) -> Iterator[tuple[Point, Assignment]]:
    """Yield the planned points that claims are about, those of the first arm, with parameters."""
    defaults = load_catalog()[study].defaults()
    for point in run.points:
        if point.study == study and point.arm == run.sweep.first_arm:
            yield point, parse_numbers(defaults | point.params)


def make_observations(run: Run, study: str, rows: pd.DataFrame) -> Observations:
    """Return forks as observations; where PAPER was planned, COMPACT on such places counts too."""
    if "PAPER" in set(rows.get("placement", ())):
        rows = rows.assign(placement=rows["placement"].mask(rows["like_paper"], "PAPER"))
    return Observations(
        rows,
        [*load_catalog()[study].defaults(), SOCKETS],
        find_baseline(rows, study),
        {CORES: count_usable_cores(run.machine)} | run.identity.get("amounts", {}).get(study, {}),
        MIN_FORKS,
        list_planned(run, study),
    )


def add_quantities(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the forks with the quantities that claims compare."""
    handlers = (rows["path_threads"] - 1).where(rows["path_threads"] > 1)
    return rows.assign(
        time=rows["ns_per_event"],
        cpu_usage=rows["cpu_process"],
        # The threads' own time: without the compiler's and the collector's.
        cpu_per_thread=rows["cpu_workers"] / rows["path_threads"],
        cpu_consumer=(rows["cpu_workers"] - rows["cpu_producer"]) / handlers,
    )


def add_places(run: Run, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the forks with where their threads are, which is where the plan says."""
    points = {point.key: point for point in run.points}
    planned = [points[key] for key in rows["point"]]
    # Without the copy, pandas warns that a table of many columns was assembled one by one.
    return rows.copy().assign(
        unlike=[len(find_places(run.machine, point.cpus, "kind")) > 1 for point in planned],
        unplaced=[point.unplaced for point in planned],
        like_paper=[is_like_paper(run.machine, point) for point in planned],
        **{SOCKETS: [count_sockets(run.machine, point.cpus) for point in planned]},
    )


def is_like_paper(machine: dict, point: Point) -> bool:
    """Return whether a COMPACT point has its threads on the CPUs that PAPER would give them."""
    if point.params.get("placement") != "COMPACT":
        return False
    sockets = [slot.socket for slot in point.threads]
    first, others = set(sockets[:SOCKET_CORES]), set(sockets[SOCKET_CORES:])
    roomy = count_roomy_sockets(machine, SOCKET_CORES) or 0
    apart = len(first) == 1 and len(others) <= 1 and first.isdisjoint(others)
    return roomy < 2 or len(sockets) > 2 * SOCKET_CORES or apart


def count_sockets(machine: dict, cpus: list[int]) -> int | None:
    """Return on how many sockets these CPUs are; None for no CPU or where it is unknown."""
    sockets = find_places(machine, cpus, "socket")
    return len(sockets) if sockets and None not in sockets else None


def list_planned(run: Run, study: str) -> Iterator[tuple[Assignment, str]]:
    """Yield the relevant parameters of each planned point, and why it may have no forks."""
    mechanisms = load_catalog()[study].mechanisms
    for point, params in list_claimed(run, study):
        relevant = ("mechanism", *mechanisms[point.params["mechanism"]])
        planned = {name: value for name, value in params.items() if name in relevant}
        sockets = count_sockets(run.machine, point.cpus)
        reason = "left out on this machine" if point.unavailable else WITHOUT_FORKS
        yield planned | ({SOCKETS: sockets} if sockets else {}), reason


def observe_tables(file: ClaimFile) -> dict[str, Observations]:
    """Return the source's numbers by machine, in its units; empty if it published none."""
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
