"""SYNTHETIC runs: a formula makes the fork files of a fictitious machine like the paper's.

They are not measured; they test the judging.

`paper` behaves as the paper says, `mirror` the opposite way, `flat` makes all mechanisms equal.
"""

import copy
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from handoff.files import write_json
from handoff.run.plan import expansion
from handoff.run.plan.points import Point, Slot
from handoff.run.plan.sweep import validate_sweep
from handoff.run.store.forkfile import compute_seal
from handoff.run.store.identity import hash_setup
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy
from handoff.tables.rows import name_arm

CPU = "SYNTHETIC, not measured: 2 x 6 cores"
ALONE = {1: 400.0, 15: 3_000.0, 300: 60_000.0}
EVENTS = 1_000_000
MECHANISMS = ["SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED"]


def make_sweep(**studies: list[dict]) -> dict:
    """Return a sweep of these studies' entries, with seven forks of three shots."""
    shots = {"shots": 3, "warmup": 1}
    listed = {study: [shots | entry for entry in entries] for study, entries in studies.items()}
    return {"about": "SYNTHETIC", "forks": {"fitting": 7}, "studies": listed}


BASE = {"mechanism": MECHANISMS, "consumers": "1..11", "sorts": [1, 15, 300], "events": EVENTS}
FEW = {"mechanism": MECHANISMS[1:], "consumers": "2..5", "sorts": 1}
THEN = {"mechanism": MECHANISMS[:3], "release": "3.2.0", "sort": "DUAL_PIVOT"}
SWEEP = make_sweep(scaling=[BASE, BASE | FEW | {"placement": ["SCATTER", "ONE_NODE"]}, BASE | THEN])
Behaviour = Callable[[bool, int, int, bool], tuple[float, float]]
"""Maps (is queue, consumers, sorts, on two nodes) to (time over sequential, CPU per thread)."""

MACHINE = {"id": "5e7f0e71", "cpu": CPU, "architecture": "none", "memory_gib": 0, "kernel": "none"}
JAVA = {"jar": "0" * 64, "jdk": "none", "flags": "0"}

SHARES = ("stayed", "in_a_row")
PLACE = ("role", "socket", "node", "cache", "kind", "oversubscribed")
STILL = {"voluntary": 0, "involuntary": 0, "migrations": 0}

Measurement = Callable[[Point], tuple[float, dict[str, float] | None]]
"""Maps a point of another study to (ns per event, its other measures)."""


def paper(queue: bool, n: int, sorts: int, two: bool) -> tuple[float, float]:
    if sorts == 1 and queue:
        return 2.0 * (1.3 if two else 1.0), 0.6
    if sorts == 1:
        return 0.9 if n == 1 else 0.55 if two else 0.4, 0.98
    if sorts == 15:
        time = 1.1 if n == 1 else 1 / (0.6 * n)
        return (time, 0.7 if two else 0.97) if queue else (time / 1.1, 0.98)
    return (1.06 if n == 1 else 1 / (0.9 * n), 0.98)


def mirror(queue: bool, n: int, sorts: int, two: bool) -> tuple[float, float]:
    nearer = 0.6 if two else 1.0
    if sorts == 1:
        return (0.5 * nearer, 0.98) if queue else (1.8 * nearer, 0.6)
    return (1.5, 0.98) if queue else (1.5 / (0.7 if sorts == 15 else 1.6), 0.6)


def flat(queue: bool, n: int, sorts: int, two: bool) -> tuple[float, float]:
    return 1.0, 0.95


def make(
    folder: Path, golden: dict, behave: Behaviour | Measurement, sweep: dict = SWEEP, cores: int = 6
) -> Run:
    """Write a whole run on two nodes of `cores` each, with its tables.

    Forks differ by a lognormal factor of 3 % in time and 1 % in CPU usage. `behave` is a
    `Behaviour` for points of the paper's study, a `Measurement` for those of other studies.
    """
    checked = validate_sweep(copy.deepcopy(sweep), "synthetic")
    identity = JAVA | {"sweep": "0", "machine": MACHINE["id"], "profile": "synthetic"}
    identity |= {"started": "2015-01-01T00:00:00+00:00"}
    points = [place(point, cores) for point in expansion.expand_points(checked, "synthetic", cores)]
    run = write_run(folder, sweep, MACHINE | {"topology": topology(cores)}, identity, points)
    random = np.random.default_rng(2015)
    for order, (point, fork) in enumerate(run.tasks()):
        luck, busy = np.exp(random.normal(0, [0.03, 0.01])).tolist()
        shots = imagine_shots(point, golden, behave, luck, busy)
        write_fork(run, golden, point, fork, order, shots)
    tidy.write_tables(run)
    return run


def write_run(folder: Path, sweep: dict, machine: dict, identity: dict, points: list[Point]) -> Run:
    """Write a run without forks."""
    (folder / "forks").mkdir(parents=True)
    # JSON is YAML, too.
    (folder / "sweep.yml").write_text(json.dumps(sweep))
    write_json(folder / "machine.json", machine)
    write_json(folder / "run.json", identity)
    write_json(folder / "plan.json", [point.model_dump() for point in points])
    return read_run(folder)


def write_fork(
    run: Run, golden: dict, point: Point, fork: int, order: int, shots: list[dict], **more: object
) -> None:
    """Write the file of one fork; JMH's rows are not read again: the golden one stands in."""
    content = golden | name_arm(point) | {"machine": run.machine["id"]}
    content |= {"setup": hash_setup(run.identity, point.arm)}
    content |= {"study": point.study, "params": point.params, "again": 0}
    content |= {"fork": fork, "block": fork, "order": order, "seconds": 1.0 + order / 1e6}
    content["evidence"] = golden["evidence"] | {"nsPerSort": 20.0, "shots": shots}
    write_json(run.folder / "forks" / f"{point.name}-{fork}.json", seal(content | more))


def seal(content: dict) -> dict:
    """Return the content of a fork file with its seal, in place of an older one."""
    content = {name: value for name, value in content.items() if name != "sha256"}
    return content | {"sha256": compute_seal(content)}


def scaling(point: Point, behave: Behaviour) -> tuple[float, float]:
    """Return (ns per event, CPU usage per thread) of a point of the paper's study."""
    sorts, mechanism = int(point.params["sorts"]), point.params["mechanism"]
    if mechanism == "SEQUENTIAL":
        return ALONE[sorts], 0.99
    two = len({slot.node for slot in point.threads}) > 1
    queue = mechanism == "ARRAY_BLOCKING_QUEUE"
    time, usage = behave(queue, int(point.params["consumers"]), sorts, two)
    return ALONE[sorts] * time, usage


def imagine_shots(
    point: Point, golden: dict, behave: Behaviour | Measurement, luck: float, busy: float
) -> list[dict]:
    """Return the shots of a fork that is slower by `luck`, and busier by `busy`, than it should."""
    measures, usage = None, 0.9
    if point.study == "scaling":
        time, usage = scaling(point, behave)
    else:
        time, measures = behave(point)
    varied = {name: ns * (1 if name in SHARES else luck) for name, ns in (measures or {}).items()}
    return [imagine_shot(point, golden, time * luck, usage * busy, varied)] * point.shots


def imagine_shot(point: Point, golden: dict, ns: float, usage: float, measures: dict) -> dict:
    """Return a shot of `ns` nanoseconds per event, during which each thread has this CPU usage."""
    events = int(point.params["events"])
    wall = max(1, int(ns * events))
    threads = [imagine_thread(slot, int(usage * wall)) for slot in point.threads]
    medians = {way: measures.get(f"{way}_p50") for way in ("total", "due", "stage1")}
    return golden["evidence"]["shots"][0] | {
        "events": events,
        "wallNs": wall,
        "threads": threads,
        "userNs": int(usage * wall * len(threads)),
        "sysNs": 0,
        "gcNs": 0,
        "measures": measures or None,
        "curves": {way: imagine_curve(ns) for way, ns in medians.items() if ns} or None,
    }


def imagine_thread(slot: Slot, cpu_ns: int) -> dict:
    """Return what a thread reports that ran where it was planned."""
    place = {name: getattr(slot, name) for name in PLACE}
    mask = "0-5" if slot.cpu is None else str(slot.cpu)
    pinned = {"asked": slot.cpu, "mask": mask, "lastCpu": slot.cpu or 0}
    return STILL | place | pinned | {"cpuNs": cpu_ns}


def topology(cores: int) -> dict:
    nodes = [i // cores for i in range(2 * cores)]
    cpus = [
        {"id": i, "core": i, "socket": node, "node": node, "online": True, "allowed": True}
        for i, node in enumerate(nodes)
    ]
    return {"cpus": cpus, "virtual": None, "quota": None}


def imagine_curve(median: float) -> list[tuple[float, float]]:
    """Return a curve that rises with the number of nines."""
    nines = [i / 8 for i in range(41)]
    return [(1 - 10**-nine, median * (1 + nine)) for nine in nines]


def count_threads(study: str, params: Mapping) -> int:
    """Return the number of threads on the event path of a point."""
    match study:
        case "scaling":
            return 1 if params["mechanism"] == "SEQUENTIAL" else 1 + int(params["consumers"])
        case "topologies":
            return 2 if params["topology"] == "UNICAST" else 4
        case "latency":
            return 1 + int(params["stages"])
        case "executors":
            others = 2 if params["mechanism"].startswith("DISRUPTOR") else 1
            return int(params["threads"]) + others
        case "ring" if params["mechanism"] == "THREAD_PER_NODE":
            return int(params["size"])
        case "actors":
            return int(params["workers"])
    return int(params.get("threads", 2))


def place(point: Point, cores: int) -> Point:
    """Place each thread on a core: node by node, or alternating with SCATTER."""
    number = count_threads(point.study, point.params)
    scattered = point.params["placement"] == "SCATTER"
    cpus = [i // 2 + cores * (i % 2) if scattered else i for i in range(number)]
    roles = ["producer", *(f"consumer-{i}" for i in range(1, number))]
    slots = [
        Slot(
            role=role,
            cpu=cpu,
            core=cpu,
            oversubscribed=False,
            **dict.fromkeys(("socket", "node", "cache"), cpu // cores),
        )
        for role, cpu in zip(roles, cpus, strict=True)
    ]
    return point.model_copy(update={"threads": slots, "forks": 7})
