"""SYNTHETIC runs: a formula makes the fork files of a fictitious machine like the paper's.

They are not measured; they test the judging.

`paper` behaves as the paper says, `mirror` the opposite way, `flat` makes all mechanisms equal.
"""

import copy
from collections.abc import Callable
from pathlib import Path

import numpy as np
import yaml

from handoff.files import write_json
from handoff.run.plan import expansion, sweepfile
from handoff.run.plan.points import Point, Slot
from handoff.run.store.forkfile import compute_seal
from handoff.run.store.identity import hash_setup
from handoff.run.store.run import Run, read_run

CPU = "SYNTHETIC, not measured: 2 x 6 cores"
ALONE = {1: 400.0, 15: 3_000.0, 300: 60_000.0}
EVENTS = 1_000_000
SHARED = {"events": EVENTS, "shots": 3, "warmup": 1}
MECHANISMS = ["SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED"]
SWEEP = {
    "about": "SYNTHETIC",
    "forks": {"fitting": 7},
    "studies": {
        "scaling": [
            {"mechanism": MECHANISMS, "consumers": "1..11", "sorts": [1, 15, 300], **SHARED},
            {
                "mechanism": MECHANISMS[1:],
                "consumers": "2..5",
                "sorts": 1,
                "placement": ["SCATTER", "ONE_NODE"],
                **SHARED,
            },
        ]
    },
}
Behaviour = Callable[[bool, int, int, bool], tuple[float, float]]
"""Maps (is queue, consumers, sorts, on two nodes) to (time over sequential, CPU per thread)."""

JAVA = {"jar": "0" * 64, "jdk": "none", "flags": "0"}

SHARES = ("stayed", "in_a_row")

Measurement = Callable[[Point], tuple[float, dict[str, float] | None]]
"""Maps a point of another study to (ns per event, its other measures)."""


def paper(queue: bool, n: int, sorts: int, two: bool) -> tuple[float, float]:
    if sorts == 1:
        return (
            (2.0 * (1.3 if two else 1.0), 0.6)
            if queue
            else (0.9 if n == 1 else 0.55 if two else 0.4, 0.98)
        )
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
    """Write a whole run on two nodes of `cores` each.

    Forks differ by a lognormal factor of 3 % in time and 1 % in CPU usage. `behave` is a
    `Behaviour` for points of the paper's study, a `Measurement` for those of other studies.
    """
    checked = sweepfile.validate_sweep(copy.deepcopy(sweep), "synthetic")
    machine = {
        "id": "5e7f0e71",
        "cpu": CPU,
        "architecture": "none",
        "memory_gib": 0,
        "kernel": "none",
        "topology": topology(cores),
    }
    identity = {
        "sweep": "0",
        "machine": machine["id"],
        **JAVA,
        **({"arms": {arm: JAVA | {"jar": arm} for arm in checked.arms}} if checked.arms else {}),
    }
    placed = [place(point, cores) for point in expansion.expand_points(checked, "synthetic", cores)]
    (folder / "forks").mkdir(parents=True)
    (folder / "sweep.yml").write_text(yaml.safe_dump(sweep))
    write_json(folder / "machine.json", machine)
    write_json(
        folder / "run.json",
        identity | {"profile": "synthetic", "started": "2015-01-01T00:00:00+00:00"},
    )
    write_json(folder / "plan.json", [point.model_dump() for point in placed])
    run, random = read_run(folder), np.random.default_rng(2015)
    for order, (point, fork) in enumerate(run.tasks()):
        shared = {
            "setup": hash_setup(run.identity, point.arm),
            **({"arm": point.arm} if point.arm else {}),
            "machine": machine["id"],
            "fork": fork,
            "block": fork,
            "order": order,
        }
        luck = np.exp(random.normal(0, [0.03, 0.01]))
        write_fork(folder, golden, point, shared, behave, *map(float, luck))
    return run


def scaling(point: Point, behave: Behaviour) -> tuple[float, float]:
    """Return (ns per event, CPU usage per thread) of a point of the paper's study."""
    params = point.params
    sorts, alone = int(params["sorts"]), params["mechanism"] == "SEQUENTIAL"
    queue, two = (
        params["mechanism"] == "ARRAY_BLOCKING_QUEUE",
        len({slot.node for slot in point.threads}) > 1,
    )
    time, usage = (1.0, 0.99) if alone else behave(queue, int(params["consumers"]), sorts, two)
    return ALONE[sorts] * time, usage


def write_fork(
    folder: Path,
    golden: dict,
    point: Point,
    shared: dict,
    behave: Behaviour | Measurement,
    luck: float,
    busy: float,
) -> None:
    params, measures, usage = point.params, None, 0.9
    if point.study == "scaling":
        time, usage = scaling(point, behave)
    else:
        time, measures = behave(point)
    usage *= busy
    events = int(params["events"])
    wall = int(time * luck * events)
    template = golden["evidence"]["shots"][0]
    threads = [
        {
            "role": slot.role,
            "asked": slot.cpu,
            "mask": str(slot.cpu),
            "lastCpu": slot.cpu,
            "node": slot.node,
            "socket": slot.node,
            "cache": slot.node,
            "oversubscribed": False,
        }
        | {"cpuNs": int(usage * wall), "voluntary": 0, "involuntary": 0, "migrations": 0}
        for slot in point.threads
    ]
    shot = template | {
        "events": events,
        "wallNs": wall,
        "userNs": int(usage * wall * len(threads)),
        "sysNs": 0,
        "gcNs": 0,
    }
    if measures:
        shot |= {
            "measures": {
                name: value * (1 if name in SHARES else luck) for name, value in measures.items()
            }
        }
    if measures and "total_p50" in measures:
        shot |= {"curves": curves(measures["total_p50"] * luck)}
    # JMH's rows are not read again: the golden one stands in.
    content = (
        golden
        | shared
        | {
            "study": point.study,
            "params": params,
            "again": 0,
            "seconds": 1.0 + shared["order"] / 1e6,
        }
    )
    content["evidence"] = golden["evidence"] | {
        "nsPerSort": 20.0,
        "shots": [shot | {"threads": threads}] * point.shots,
    }
    del content["sha256"]
    write_json(
        folder / "forks" / f"{point.name}-{shared['fork']}.json",
        content | {"sha256": compute_seal(content)},
    )


def topology(cores: int) -> dict:
    cpus = [
        {
            "id": i,
            "core": i,
            "socket": i // cores,
            "node": i // cores,
            "online": True,
            "allowed": True,
        }
        for i in range(2 * cores)
    ]
    return {"cpus": cpus, "virtual": None, "quota": None}


def curves(median: float) -> dict:
    """Return one curve that rises with the number of nines."""
    nines = [i / 8 for i in range(41)]
    return {"total": [(1 - 10**-nine, median * (1 + nine)) for nine in nines]}


def threads(point: Point) -> int:
    params = point.params
    match point.study:
        case "scaling":
            return 1 if params["mechanism"] == "SEQUENTIAL" else 1 + int(params["consumers"])
        case "topologies":
            return 2 if params["topology"] == "UNICAST" else 4
        case "latency":
            return 1 + int(params["stages"])
        case "executors":
            return int(params["threads"]) + (
                2 if params["mechanism"].startswith("DISRUPTOR") else 1
            )
        case "ring":
            return (
                int(params["size"])
                if params["mechanism"] == "THREAD_PER_NODE"
                else int(params["threads"])
            )
        case "actors":
            return int(params["workers"])
    return int(params.get("threads", 2))


def place(point: Point, cores: int) -> Point:
    """Place each thread on a core: node by node, or alternating with SCATTER."""
    number = threads(point)
    scattered = point.params["placement"] == "SCATTER"
    cpus = [i // 2 + cores * (i % 2) if scattered else i for i in range(number)]
    roles = ["producer", *(f"consumer-{i}" for i in range(1, number))]
    slots = [
        Slot(role=role, cpu=cpu, core=cpu, node=cpu // cores, oversubscribed=False)
        for role, cpu in zip(roles, cpus, strict=True)
    ]
    return point.model_copy(update={"threads": slots, "forks": 7})
