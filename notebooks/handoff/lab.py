"""One measured point, now: what labs start from."""

import os
import time
from pathlib import Path

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import RUNS
from handoff.registry import find_primary
from handoff.run import cost, expansion, fork, jar, jdk, lock, machine
from handoff.run.accept import Rejected
from handoff.run.points import Point
from handoff.run.sweep import Sweep
from handoff.run.sweepfile import validate_sweep


def measure_point(
    shots: int = 7, warmup: int = 0, study: str = find_primary().name, **params: object
) -> Path:
    """Measures one fork of one point of a study, now, and returns its fork file, in data/runs/lab.

    All `shots` are recorded; which of them were warm-up is for the reader to say. `params` are the
    study's, such as mechanism="ARRAY_BLOCKING_QUEUE", consumers=1, sorts=1, events=1_000_000.
    BadInput for a parameter that is wrong, Busy while another runner is active; Rejected when the
    fork must not be counted.
    """
    sweep, asked = plan_point(study, {"shots": shots, "warmup": warmup} | params)
    java = jdk.find_jdk()
    with lock.hold_lock("measuring one point for a lab"):
        return measure_settled(java, sweep, asked)


def measure_settled(java: jdk.Jdk, sweep: Sweep, asked: list[Point]) -> Path:
    """The fork file of the one point that is asked for."""
    jar.build_jar(java)
    (point,) = expansion.settle_points(sweep, asked, jar.check_points(java, asked), "this lab")
    if point.unavailable:
        raise BadInput(point.unavailable)
    identity = {
        "setup": "lab",
        "fork": 0,
        "again": 0,
        "block": 0,
        "order": 0,
        "machine": machine.describe_machine(java)["id"],
    }
    outcome = fork.measure_fork(
        java, fork.Job(sweep.jvm, point, identity, cost.CostModel().limit_seconds(point))
    )
    if outcome.content is None:
        raise Rejected(f"{outcome.wrong}\n{outcome.log[-2000:]}")
    path = RUNS / "lab" / f"{point.study}-{point.key}-{int(time.time())}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, outcome.content)
    return path


def plan_point(study: str, entry: dict) -> tuple[Sweep, list[Point]]:
    """A sweep of one entry, which must be one point."""
    sweep = validate_sweep(
        {"about": "a lab", "verdicts": False, "forks": {"fitting": 1}, "studies": {study: [entry]}},
        "this lab",
    )
    asked = expansion.expand_points(sweep, "this lab", len(os.sched_getaffinity(0)))
    if len(asked) != 1:
        raise BadInput(f"A lab measures one point at a time; this is {len(asked)}.")
    return sweep, asked
