"""Lab 1: what does one hand-over cost? Time, CPU usage and sleeping of queue and Disruptor."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from handoff.labs.forks import load_forks
from handoff.labs.lab import Function, Known, Lab, Values, ask
from handoff.run.store.run import Run
from handoff.text import pluralize

WAYS = {
    "sequential": "SEQUENTIAL",
    "queue": "ARRAY_BLOCKING_QUEUE",
    "disruptor": "DISRUPTOR_WORKER_POOL",
}
NAMES = {"queue": "queue", "disruptor": "Disruptor"}
LOADS = (1, 300)
NUMBER_KEYS = (
    *("sequential_ns_1", "queue_ns_1", "disruptor_ns_1"),
    *("queue_cores_1", "disruptor_cores_1", "queue_sleeps_1", "queue_sleeps_300"),
)


def per_fork(fork: Mapping[str, Any], warmup: int) -> dict[str, float]:
    """Return `ns` per event, busy `cores` and `sleeps` per event of the shots after warm-up.

    Cores are CPU time of the process over wall time, both summed; sleeps are voluntary switches.
    """
    shots = fork["evidence"]["shots"][warmup:]
    wall, events = (sum(shot[key] for shot in shots) for key in ("wallNs", "events"))
    cpu = sum(shot["userNs"] + shot["sysNs"] for shot in shots)
    sleeps = sum(thread["voluntary"] for shot in shots for thread in shot["threads"])
    return {"ns": wall / events, "cores": cpu / wall, "sleeps": sleeps / events}


def draw_fork(random: np.random.Generator) -> tuple[dict[str, Any], int]:
    """Draw a fork in which every mistake worth finding changes the result."""
    warmup, events = int(random.integers(1, 4)), int(random.integers(1_000, 9_000))
    shots = [draw_shot(random, events, 3.0 if i < warmup else 1.0) for i in range(warmup + 4)]
    scores = [shot["wallNs"] * float(random.uniform(1.1, 1.3)) for shot in shots]
    return {"evidence": {"shots": shots}, "jmh": {"primaryMetric": {"rawData": [scores]}}}, warmup


def draw_shot(random: np.random.Generator, events: int, slower: float) -> dict[str, Any]:
    wall = int(events * slower * random.uniform(100, 400))
    threads = [
        {"role": role, "voluntary": int(events * slower * random.uniform(0.05, 0.6))}
        for role in ("producer", "consumer 0")
    ]
    user, system = (int(wall * random.uniform(0.2, 1.0)) for _ in range(2))
    return {"wallNs": wall, "events": events, "userNs": user, "sysNs": system, "threads": threads}


def compute_means(run: Run, function: Callable[..., Any] = per_fork) -> dict[str, float]:
    """Return the mean over the forks of each point, by names such as 'queue_ns_1'."""
    means = {}
    for way, mechanism in WAYS.items():
        for sorts in LOADS:
            pairs = load_forks(run, mechanism=mechanism, sorts=sorts)
            forks = [function(*pair) for pair in pairs]
            for part in ("ns", "cores", "sleeps"):
                means[f"{way}_{part}_{sorts}"] = float(np.mean([fork[part] for fork in forks]))
    return means


def expect_numbers(known: Known) -> dict[str, Any]:
    return compute_means(known.measured, known.functions["per_fork"])


def expect_where(known: Known) -> dict[str, Any]:
    """Decide by CPU time whether the queue's extra time is spent working; follow given numbers."""
    means = expect_numbers(known)
    queue, alone = means["queue_ns_1"], means["sequential_ns_1"]
    cpu = queue * means["queue_cores_1"] - alone * means["sequential_cores_1"]
    due = {"extra_wall_ns": queue - alone, "extra_cpu_ns": cpu}
    stated = due | dict(known.given.get("where", {}))
    works = stated["extra_cpu_ns"] >= stated["extra_wall_ns"]
    return due | {"where": "working" if works else "sleeping"}


def list_outcomes(run: Run) -> dict[str, Any]:
    means = compute_means(run)
    for way in NAMES:
        for sorts in LOADS:
            ratio = means[f"{way}_ns_{sorts}"] / means[f"sequential_ns_{sorts}"]
            means[f"{way}_over_sequential_{sorts}"] = ratio
    return means


RATIOS = {
    f"{way}_over_sequential_{sorts}": f"time per event with the {name} divided by one thread's, at"
    f" {pluralize(sorts, 'sort')}"
    for way, name in NAMES.items()
    for sorts in LOADS
}
CORES = {f"{w}_cores_1": f"cores that the {name} keeps busy, 1 sort" for w, name in NAMES.items()}
SLEEPS = {f"{w}_sleeps_1": f"sleeps per event with the {name}, 1 sort" for w, name in NAMES.items()}

LAB = Lab(
    number=1,
    predictions=ask(RATIOS, "times", 0.01, 1000)
    | ask(CORES, "cores", 0, 100)
    | ask(SLEEPS, "sleeps", 0, 100),
    parts=(
        Function("per_fork", {"ns": 2, "cores": 1, "sleeps": 1}, per_fork, draw_fork),
        Values("numbers", dict.fromkeys(NUMBER_KEYS, 0.5), expect_numbers),
        Values("where", {"extra_wall_ns": 0.75, "extra_cpu_ns": 0.75, "where": 1}, expect_where),
    ),
    forks_borrowed=5,
    outcomes=list_outcomes,
)
