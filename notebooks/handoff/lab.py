"""JupyterLab for people, and one measured point for labs."""

import argparse
import os
import sys

from handoff.notebook import environment
from handoff.paths import NOTEBOOKS
from handoff.run import cost, fork, jar, jdk, machine, points
from handoff.run.forkfile import ForkFile, Rejected
from handoff.run.points import Point
from handoff.run.sweep import Sweep


def run(options: argparse.Namespace) -> int:
    """Becomes JupyterLab: on 127.0.0.1 only, with a token of its own making, in notebooks/."""
    words = ["lab", "--ServerApp.ip=127.0.0.1", f"--ServerApp.root_dir={NOTEBOOKS}"]
    os.chdir(NOTEBOOKS)
    os.execve(sys.executable, [sys.executable, "-m", "jupyter", *words], environment())


def one_point(shots: int = 7, warmup: int = 4, **params: object) -> tuple[Point, ForkFile]:
    """Measures one fork of one point of the study scaling, now, and keeps nothing.

    `params` are the study's, such as mechanism="ARRAY_BLOCKING_QUEUE", consumers=1, sorts=1, events=1_000_000.
    BadInput for a parameter that is wrong; Rejected when the fork must not be counted.
    """
    entry = {"shots": shots, "warmup": warmup} | params
    sweep = Sweep(about="a lab", verdicts=False, forks={"fitting": 1}, studies={"scaling": [entry]})
    java = jdk.find()
    jar.build(java)
    asked = points.expand(sweep)
    (point,) = points.settle(sweep, asked, jar.check(java, asked), "this lab")
    identity = {"fork": 0, "block": 0, "order": 0, "machine": machine.describe(java)["id"]}
    content, log, wrong = fork.measure(java, sweep.jvm, point, identity, cost.limit_seconds(point))
    if content is None:
        raise Rejected(f"{wrong}\n{log[-2000:]}")
    return point, ForkFile.model_validate(content)
