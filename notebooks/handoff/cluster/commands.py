"""The command `cluster`: a sweep on the nodes of a cluster, one run per group of nodes."""

import argparse
import importlib.util
import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

from handoff.cli import dry_run, measuring, pipeline, stages
from handoff.cli.answers import ClusterAnswer
from handoff.cli.command import Command
from handoff.cli.request import BUILD, MEASURE, STAGES, RunRequest, add_run, make_run
from handoff.cluster.clusterfile import Cluster, load_cluster
from handoff.cluster.connection import BASICS, VARIABLE, Basics
from handoff.errors import OUR_FAILURE, BadInput, HandoffError
from handoff.paths import ROOT, find_run
from handoff.run import cost, order
from handoff.run.host import lock
from handoff.run.java import jdk
from handoff.run.nodes import Backend, Nodes
from handoff.run.plan.selection import SweepRequest
from handoff.run.store.run import Run, read_run
from handoff.terminal import console
from handoff.text import pluralize

LOCK = ".preparing.lock"
PATIENCE_S = 600
"""Another driver may be calibrating a load."""
PACKAGES = ("distributed", "cryptography")
LOCK_FILE = ROOT / "requirements-cluster.lock"


def add_cluster(parser: argparse.ArgumentParser) -> None:
    text = "the cluster, as docs/cluster.md describes it"
    parser.add_argument("cluster", metavar="FILE.yml", help=text)
    add_run(parser)


def run_cluster(given: argparse.Namespace) -> int:
    """Run stages of a sweep on a cluster; return the exit code."""
    request = make_run(given)
    request = request._replace(stages=request.stages or STAGES)
    if find_run(request.target, request.runs):
        raise BadInput(
            f"{request.target} is a run, not a sweep: ./run_all.sh {request.target} reads it."
        )
    if request.own_class:
        raise BadInput("--class belongs to this machine: nodes get no class of a user.")
    if not request.dry_run and MEASURE not in request.stages:
        raise BadInput("cluster needs the stage measure; to read a run, name it without cluster.")
    # A cluster adds to no run of another sweep.
    asked = pipeline.select_sweep(request)._replace(base="")
    if asked.sweep.arms:
        raise BadInput(f"{asked.source}: arms: the nodes of a cluster measure without arms.")
    if request.wait:
        lock.queue_for_machine()
    return run_on_cluster(asked, jdk.find_jdk(), request, Path(given.cluster))


def run_on_cluster(asked: SweepRequest, java: jdk.Jdk, request: RunRequest, file: Path) -> int:
    """Measure a sweep on the groups of a cluster, one after the other, and read each run.

    A group that fails does not end the others. Return the highest of their exit codes.
    """
    require_engine()
    cluster = load_cluster(file)
    measuring.build_jar(java, wanted=BUILD in request.stages or request.dry_run)
    if request.dry_run:
        with dry_run.open_planner(request, java) as planner:
            planned = dry_run.plan_dry_run(asked, request, planner)
        for name in cluster.groups:
            describe_plan(planned, request.runs, name, cluster.count_nodes(name))
        return dry_run.print_dry_run(asked, request, java)
    runs: dict[str, Run] = {}
    failed: dict[str, str] = {}
    codes = []
    for name in cluster.groups:
        try:
            runs[name] = measure_group(cluster, name, asked, java, request)
            codes.append(stages.run_reading_stages(runs[name], request))
        except (HandoffError, OSError) as error:
            if len(cluster.groups) == 1:
                raise
            failed[name] = str(error)
            codes.append(getattr(error, "code", OUR_FAILURE))
            print(f"Group {name} failed: {error}", file=sys.stderr, flush=True)
    if len(runs) > 1:
        first, *others = [run.folder.name for run in runs.values()]
        compared = [f"./run_all.sh compare {first} {other}" for other in others]
        console.print(f"Side by side: {'; '.join(compared)}")
    if request.json and len(cluster.groups) > 1:
        names = {name: run.folder.name for name, run in runs.items()}
        return ClusterAnswer(exit=max(codes), groups=names, failed=failed).end(request.json)
    return max(codes)


def measure_group(
    cluster: Cluster, name: str, asked: SweepRequest, java: jdk.Jdk, request: RunRequest
) -> Run:
    """Measure a sweep on one group of nodes; return its run."""
    # Dask takes a second to load.
    from handoff.cluster.group import make_waiter, open_group
    from handoff.cluster.planner import ClusterPlanner

    number, runs = cluster.count_nodes(name), request.runs
    console.print(f"Group {name}: asking for {pluralize(number, 'node')}.")
    with open_group(cluster, name) as group:
        waiter = make_waiter(group, number)
        planner = ClusterPlanner(group.client, group.basics, list_machines(runs), waiter)
        # Before anything is locked: a queue may be long.
        planner.find_first()
        runs.mkdir(parents=True, exist_ok=True)
        hold = partial(lock.hold_lock, patience_s=PATIENCE_S, file=runs / LOCK)
        backend = Backend(planner, f"{__name__}:{name}", hold, lambda sweep: [])
        return pipeline.measure(asked, java, request, backend)


def list_machines(runs: Path) -> list[dict]:
    """Return the machines of earlier runs, the oldest first."""
    folders = sorted(runs.glob("*/plan.json"), key=lambda file: file.stat().st_mtime)
    machines = []
    for file in folders:
        # A damaged run is reported when it is named.
        with suppress(BadInput):
            machines.append(read_run(file.parent).machine)
    return machines


def describe_plan(planned: Run, runs: Path, name: str, nodes: int) -> None:
    """Report blocks and node hours of a group, as this machine would plan it."""
    costs = cost.CostModel(runs, planned.machine["id"])
    blocks: dict[int, float] = {}
    for task in order.plan_order(planned):
        blocks[task.block] = blocks.get(task.block, 0.0) + costs.fork_seconds(task.point)
    spare = nodes - len(blocks)
    idle = f"; {spare} of them would idle, because a block is on one node" if spare > 0 else ""
    busy = [0.0] * nodes
    for seconds in blocks.values():
        busy[busy.index(min(busy))] += seconds
    wall = cost.format_duration(max(busy))
    console.print(
        f"Group {name}: {pluralize(nodes, 'node')}, {pluralize(len(blocks), 'block')}, about"
        f" {sum(busy) / 3600:.2f} node hours, {wall} when all nodes are available at once{idle}."
        " The nodes make their own plan, which may differ."
    )


def require_engine() -> None:
    """Raise BadInput, with the command to run, unless the engine is installed."""
    if not all(map(importlib.util.find_spec, PACKAGES)):
        raise BadInput(
            "cluster needs packages that are not installed: .venv/bin/python -m pip install"
            f" --require-hashes -r {LOCK_FILE.name} (docs/cluster.md)."
        )


def open_nodes(group: str) -> Nodes:
    """Return the nodes of the driver that started this process."""
    require_engine()
    from handoff.cluster.client import ClusterNodes, connect

    if VARIABLE not in os.environ:
        raise BadInput(f"only ./run_all.sh cluster measures on the group {group}.")
    folder = Path(os.environ[VARIABLE])
    basics = Basics.model_validate_json((folder / BASICS).read_bytes())
    return ClusterNodes(connect(folder), basics)


COMMANDS = {
    "cluster": Command(
        "measure a sweep on the nodes of a cluster: cluster FILE.yml [PROFILE] ...",
        add_cluster,
        run_cluster,
    ),
}
