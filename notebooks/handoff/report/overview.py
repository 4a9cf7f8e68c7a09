"""Tables and sentences on a run's machine and plan, for people."""

import pandas as pd

from handoff.run import cost
from handoff.run.host import machine, readiness
from handoff.run.order import list_pending
from handoff.run.plan.points import UNPLACED
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.study import find_study
from handoff.text import pluralize

PAPER_THREADS = 12


def tabulate_placements(run: Run) -> pd.DataFrame:
    """Return the CPUs, in the order of the threads, and the nodes of each placement and size."""
    rows = {}
    for point in run.points:
        if slots := point.threads:
            rows[point.params.get("placement"), len(slots)] = {
                "CPUs (producer first)": " ".join(
                    "any" if slot.cpu is None else str(slot.cpu) for slot in slots
                ),
                "nodes": sorted({s.node for s in slots if s.node is not None}) or "unknown",
                "caches": sorted({s.cache for s in slots if s.cache is not None}) or "unknown",
                "cores": ", ".join(sorted({s.kind for s in slots if s.kind})) or "alike",
                "oversubscribed": point.oversubscribed,
            }
    places = pd.MultiIndex.from_tuples(list(rows), names=["placement", "threads"])
    return pd.DataFrame(list(rows.values()), index=places).sort_index()


def describe_fit(run: Run) -> list[str]:
    """Return sentences on the machine and how many of the paper's threads fit its cores."""
    cores = machine.count_usable_cores(run.machine)
    sentences = [machine.summarize_machine(run.machine) + "."]
    if cores < PAPER_THREADS:
        fitting = f"up to {pluralize(cores - 1, 'consumer')}" if cores > 1 else "no consumer at all"
        sentences.append(
            f"{pluralize(cores, 'core')} for 12 threads: {fitting} can be judged; beyond that,"
            " threads share cores (drawn hollow on grey)."
        )
    return sentences + list_properties(run)


def list_properties(run: Run) -> list[str]:
    """Return what a reader of any result of this run must know about its machine."""
    here = run.machine
    sentences = [UNPLACED] if any(point.unplaced for point in run.points) else []
    if kinds := here["topology"].get("kinds"):
        sentences.append(
            f"Cores of {len(kinds)} kinds: {', '.join(kinds)}. Threads on unlike kinds are drawn"
            " and not judged."
        )
    if here["topology"]["virtual"]:
        sentences.append(
            "A virtual machine: its host may hide SMT siblings and nodes, and may take CPU time"
            " away."
        )
    return sentences


def list_readiness(run: Run) -> list[str]:
    """Return one line per finding on the machine's readiness: mark, sentence, root's command."""
    mark = {True: "ok", False: "NO", None: ""}
    return [
        f"{mark[f.ready]:4}{f.sentence}" + (f" Root could: {f.advice}" if f.advice else "")
        for f in readiness.list_findings(run.sweep)
    ]


def divide_time(shots: pd.DataFrame) -> pd.Series:
    """Return shares of the forks' wall time in percent: measured shots, warm-up, the rest.

    The rest is the start of JVMs, the heap, and calibration.
    """
    if shots.empty:
        return pd.Series(dtype=float)
    forks = shots.drop_duplicates(["point", "fork", "again"])
    total = forks["seconds"].sum()
    shares = shots.groupby("warmup")["wall_ns"].sum() / 1e9 / total
    before = forks["warmup_ns"].fillna(0).sum() / 1e9 / total
    parts = {
        "measured shots": shares.get(False, 0.0),
        "warm-up shots": shares.get(True, 0.0) + before,
    }
    return pd.Series(parts | {"starting, ending": 1 - sum(parts.values())}).mul(100).round(1)


def tabulate_plan(run: Run) -> pd.DataFrame:
    """Return points, forks and expected minutes of each mechanism at each place in its study."""
    costs = cost.make_costs(run)
    rows = []
    for point in run.points:
        study, forks = find_study(point.study), run.count_forks(point)
        places = [name for name in study.location if name != study.axis]
        rows.append(
            {
                "study": point.study,
                "mechanism": point.params["mechanism"],
                "at": ", ".join(f"{name} {point.params[name]}" for name in places),
                "points": 1,
                "forks": forks,
                "oversubscribed": int(point.oversubscribed),
                "left out": int(point.unavailable is not None),
                "minutes": forks * costs.fork_seconds(point) / 60,
            }
        )
    keys = ["study", "mechanism", "at"]
    return pd.DataFrame(rows).groupby(keys, sort=False).sum().round({"minutes": 1})


def describe_progress(run: Run) -> str:
    """Return the state of the run in words, with the expected time of the forks to measure."""
    scan = state.scan_run(run)
    tasks = list_pending(run, scan)
    expected = cost.expect_duration(run, (task.point for task in tasks))
    return f"{state.summarize_state(run, scan, len(tasks))}, about {expected}"
