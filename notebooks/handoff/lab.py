"""JupyterLab for people, and one measured point for labs."""

import argparse
import os
import secrets
import sys
import time
from pathlib import Path

from handoff.errors import BadInput
from handoff.notebook import environment
from handoff.paths import NOTEBOOKS, RUNS
from handoff.run import cost, fork, jar, jdk, lock, machine, points
from handoff.run.accept import Rejected
from handoff.run.files import write_once
from handoff.run.points import Point
from handoff.run.sweep import Sweep
from handoff.run.sweepfile import check


def run(options: argparse.Namespace) -> int:
    """Becomes JupyterLab: on 127.0.0.1 only, with a token of its own making, in notebooks/."""
    words = ["lab", "--ServerApp.ip=127.0.0.1", f"--ServerApp.root_dir={NOTEBOOKS}"]
    # Jupyter refuses root because others could reach it; here only this machine can, with the token.
    words += ["--allow-root"] if os.geteuid() == 0 else []
    os.chdir(NOTEBOOKS)
    token = {"JUPYTER_TOKEN": secrets.token_hex(24)}
    os.execve(sys.executable, [sys.executable, "-m", "jupyter", *words], environment() | token)


def one_point(shots: int = 7, warmup: int = 0, study: str = "scaling", **params: object) -> Path:
    """Measures one fork of one point of a study, now, and returns its fork file, in data/runs/lab.

    All `shots` are recorded; which of them were warm-up is for the reader to say. `params` are the study's, such as
    mechanism="ARRAY_BLOCKING_QUEUE", consumers=1, sorts=1, events=1_000_000.
    BadInput for a parameter that is wrong, Busy while another runner is active; Rejected when the fork must not be counted.
    """
    sweep, asked = asked_for(study, {"shots": shots, "warmup": warmup} | params)
    java = jdk.find()
    with lock.held("measuring one point for a lab"):
        return measured(java, sweep, asked)


def measured(java: jdk.Jdk, sweep: Sweep, asked: list[Point]) -> Path:
    """The fork file of the one point that is asked for."""
    jar.build(java)
    (point,) = points.settle(sweep, asked, jar.check(java, asked), "this lab")
    if point.unavailable:
        raise BadInput(point.unavailable)
    identity = {"run": "lab", "fork": 0, "again": 0, "block": 0, "order": 0, "machine": machine.describe(java)["id"]}
    outcome = fork.measure(fork.Job(java, sweep.jvm, point, identity, cost.Costs().limit_seconds(point)))
    if outcome.content is None:
        raise Rejected(f"{outcome.wrong}\n{outcome.log[-2000:]}")
    path = RUNS / "lab" / f"{point.study}-{point.key}-{int(time.time())}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_once(path, outcome.content)
    return path


def asked_for(study: str, entry: dict) -> tuple[Sweep, list[Point]]:
    """A sweep of one entry, which must be one point."""
    sweep = check({"about": "a lab", "verdicts": False, "forks": {"fitting": 1}, "studies": {study: [entry]}}, "this lab")
    asked = points.expand(sweep, "this lab", len(os.sched_getaffinity(0)))
    if len(asked) != 1:
        raise BadInput(f"A lab measures one point at a time; this is {len(asked)}.")
    return sweep, asked
