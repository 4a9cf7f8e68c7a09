"""`--cluster FILE`: the same sweep on the nodes of a cluster, each group of them a run."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from handoff.cli import dry_run, measuring, stages
from handoff.cli.answers import ClusterAnswer
from handoff.cli.request import BUILD, RunRequest
from handoff.cli.site import Site
from handoff.cluster import engine
from handoff.cluster.clusterfile import Cluster, load_cluster
from handoff.errors import BadInput
from handoff.run import cost, order
from handoff.run.cost import CostModel
from handoff.run.host import lock
from handoff.run.java import jdk
from handoff.run.plan.selection import SweepRequest
from handoff.run.store.run import Run, read_run
from handoff.terminal import console
from handoff.text import pluralize

LOCK = ".preparing.lock"
PATIENCE_S = 600
"""Another driver may be calibrating a load."""


def run_on_cluster(asked: SweepRequest, java: jdk.Jdk, request: RunRequest) -> int:
    """Measures the sweep on every group of the cluster, one after the other, and reads each run;
    returns the worst of their exit codes.
    """
    engine.require_engine()
    cluster = load_cluster(Path(request.cluster))
    measuring.build_jar(java, wanted=BUILD in request.stages or request.dry_run)
    if request.dry_run:
        planned, _ = dry_run.plan_dry_run(asked, request, java)
        for name in cluster.groups:
            describe_plan(planned, request.runs, name, cluster.count_nodes(name))
        return dry_run.print_dry_run(asked, request, java)
    runs: dict[str, Run] = {}
    codes = []
    for name in cluster.groups:
        with open_site(cluster, name, request.runs) as site:
            runs[name] = measuring.provide_run(asked, java, request, site)
        codes.append(stages.run_reading_stages(runs[name], request))
    if len(runs) > 1:
        console.print(f"Side by side: {describe_comparisons(list(runs.values()))}")
    if request.json and len(runs) > 1:
        names = {name: run.folder.name for name, run in runs.items()}
        return ClusterAnswer(exit=max(codes), groups=names).print()
    return max(codes)


@contextmanager
def open_site(cluster: Cluster, name: str, runs: Path) -> Iterator[Site]:
    """A group of nodes as a place to measure, while the block lasts."""
    # Dask takes a second to load.
    from handoff.cluster.group import make_waiter, open_group
    from handoff.cluster.planner import ClusterPlanner

    number = cluster.count_nodes(name)
    console.print(f"Group {name}: asking for {pluralize(number, 'node')}.")
    with open_group(cluster, name) as group:
        waiter = make_waiter(group, number, lambda text: console.print(f"  {text}"))
        known = list_machines(runs)
        planner = ClusterPlanner(group.client, group.basics, known, waiter)
        # Before anything is locked: a queue may be long.
        planner.find_first()
        runs.mkdir(parents=True, exist_ok=True)

        @contextmanager
        def hold(what: str) -> Iterator[None]:
            with lock.hold_lock(what, PATIENCE_S, runs / LOCK):
                yield

        yield Site(planner, name, hold, lambda sweep: [])


def list_machines(runs: Path) -> list[dict]:
    """Of earlier runs, the first first."""
    folders = sorted(runs.glob("*/plan.json"), key=lambda file: file.stat().st_mtime)
    found = []
    for file in folders:
        try:
            found.append(read_run(file.parent).machine)
        except BadInput:
            # Whoever asks for that run by its name is told.
            continue
    return found


def describe_plan(planned: Run, runs: Path, name: str, nodes: int) -> None:
    """Jobs, blocks and node hours of a group, as far as this machine can tell."""
    tasks = order.plan_order(planned)
    costs = CostModel(runs, planned.machine["id"])
    blocks = len({task.block for task in tasks})
    seconds = sum(costs.fork_seconds(task.point) for task in tasks)
    busy = min(nodes, blocks) or 1
    turns = -(-blocks // busy)
    idle = (
        f"; {nodes - busy} of them would idle, for a block is on one node" if nodes > busy else ""
    )
    wall = cost.format_duration(seconds * turns / max(1, blocks))
    console.print(
        f"Group {name}: {pluralize(nodes, 'node')}, {pluralize(blocks, 'block')}, about"
        f" {seconds / 3600:.2f} node hours, {wall} when all nodes are there at once{idle}. That is"
        " as this machine would plan it; the nodes plan for themselves."
    )


def describe_comparisons(runs: list[Run]) -> str:
    """The commands that show runs of different machines beside each other."""
    first = runs[0].folder.name
    return "; ".join(f"./run_all.sh compare {first} {run.folder.name}" for run in runs[1:])
