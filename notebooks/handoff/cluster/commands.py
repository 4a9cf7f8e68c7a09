"""The command `cluster`: a sweep on the nodes of a cluster."""

import argparse
import importlib.util
import math
import sys
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

from handoff.cli import dry_run, measuring, notebook, pipeline, stages
from handoff.cli.request import (
    BUILD,
    MEASURE,
    STAGES,
    Command,
    RunRequest,
    add_run,
    read_request,
    refuse_options,
)
from handoff.cluster.clusterfile import Cluster, load_cluster
from handoff.cluster.deployment import open_client
from handoff.errors import BadInput
from handoff.paths import find_run, restore_folder
from handoff.run import cost, order, planning
from handoff.run.host import lock
from handoff.run.plan.selection import SweepRequest
from handoff.run.store import provenance
from handoff.run.store.run import Run, read_run
from handoff.text import console, parse_duration, pluralize

LOCK = ".preparing.lock"
PATIENCE_S = 600
"""Another driver may be calibrating a load."""

PACKAGES = ("asyncssh", "cryptography", "dask_jobqueue", "distributed")
ONE_MACHINE = ("own_class", "session", "sessions")
"""Fields of a request that a cluster does not have."""


def add_cluster(parser: argparse.ArgumentParser) -> None:
    text = "the cluster, as docs/cluster.md describes it"
    parser.add_argument("cluster", metavar="FILE.yml", help=text)
    add_run(parser)


def run_cluster(given: argparse.Namespace) -> int:
    """Run stages of a sweep on a cluster; return the exit code."""
    request = read_request(given)
    request = request._replace(stages=request.stages or STAGES)
    if find_run(request.target, request.runs):
        raise BadInput(
            f"{request.target} is a run, not a sweep: ./run_all.sh {request.target} reads it."
        )
    refuse_options(request, ONE_MACHINE, "belongs to one machine; a cluster has no such option")
    if not request.dry_run and MEASURE not in request.stages:
        raise BadInput("cluster needs the stage measure; to read a run, name it without cluster.")
    # A cluster adds to no run of another sweep.
    asked = pipeline.select_sweep(request)._replace(base="")
    if asked.sweep.arms:
        raise BadInput(f"{asked.source}: arms: the nodes of a cluster measure without arms.")
    require_engine()
    cluster = load_cluster(Path(given.cluster))
    java = measuring.provide_jar(wanted=BUILD in request.stages or request.dry_run)
    if request.dry_run:
        planned = dry_run.plan_dry_run(asked, request, java)
        describe_plan(planned, request.runs, cluster.nodes)
        return dry_run.print_dry_run(planned, request)
    return stages.run_reading_stages(measure(cluster, asked, request), request)


def measure(cluster: Cluster, asked: SweepRequest, request: RunRequest) -> Run:
    """Measure what the sweep's run on this kind of nodes misses; return the run."""
    # Dask takes a second to load.
    from handoff.cluster.driver import NodePlanner, measure_blocks
    from handoff.cluster.nodes import Nodes

    runs = request.runs
    runs.mkdir(parents=True, exist_ok=True)
    console.print(f"Asking {cluster.scheduler} for {pluralize(cluster.nodes, 'node')}.")
    with open_client(cluster) as client:
        nodes = Nodes(client, parse_duration(cluster.arrival))
        # Before anything is locked: a queue may be long.
        nodes.find_first()
        with lock.hold_lock(f"preparing {asked.profile}", PATIENCE_S, runs / LOCK):
            planner = NodePlanner(nodes, list_machines(runs))
            run = planning.prepare_run(asked, planner, runs, create=True)
            run = run._replace(folder=restore_folder(run.folder))
        measuring.list_tasks(run, request.retry_failed, order.list_unmeasured)
        notebook.execute_notebook("00_machine", run.folder)
        budget = measuring.Budget(request.budget_s or math.inf)
        measure_blocks(run, nodes, provenance.anonymize_command(sys.argv[1:]), budget.deadline)
        measuring.report_budget(run, budget, blocks=True)
    return run


def list_machines(runs: Path) -> list[dict]:
    """Return the machines of earlier runs, the oldest first."""
    machines = []
    for file in sorted(runs.glob("*/plan.json"), key=lambda file: file.stat().st_mtime):
        # A damaged run is reported when it is named.
        with suppress(BadInput):
            machines.append(read_run(file.parent).machine)
    return machines


def describe_plan(planned: Run, runs: Path, nodes: int) -> None:
    """Report blocks and node hours, as this machine would plan them."""
    costs = cost.CostModel(runs, planned.machine["id"])
    blocks: dict[int, float] = defaultdict(float)
    for task in order.plan_order(planned):
        blocks[task.block] += costs.fork_seconds(task.point)
    console.print(
        f"{pluralize(nodes, 'node')}, {pluralize(len(blocks), 'block')}, about"
        f" {sum(blocks.values()) / 3600:.2f} node hours; the longest block takes"
        f" {cost.format_duration(max(blocks.values()))}. The nodes make their own plan, which may"
        " differ."
    )


def require_engine() -> None:
    """Raise BadInput, with the command to run, unless the engine is installed."""
    if not all(map(importlib.util.find_spec, PACKAGES)):
        raise BadInput(
            "cluster needs packages that are not installed: .venv/bin/python -m pip install"
            " --require-hashes -r requirements-cluster.lock (docs/cluster.md)."
        )


COMMANDS = {
    "cluster": Command(
        "measure a sweep on the nodes of a cluster: cluster FILE.yml [PROFILE] ...",
        add_cluster,
        run_cluster,
    ),
}
