"""`extend`: more points and forks for a run, and anchors that tell whether the machine is the
same.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from handoff.cli import measuring, stages
from handoff.cli.answers import ExtensionAnswer
from handoff.cli.pipeline import find_run
from handoff.cli.preparing import prepare_measuring
from handoff.cli.request import READING_STAGES, ExtendRequest, RunRequest
from handoff.cli.site import Site
from handoff.errors import COMPLETE, BadInput
from handoff.paths import restore_folder
from handoff.run import cost, extension, order, planning
from handoff.run.cost import CostModel
from handoff.run.extension import Addition
from handoff.run.host import lock
from handoff.run.java import jdk
from handoff.run.plan import selection
from handoff.run.store import state
from handoff.run.store.run import Run, read_run
from handoff.terminal import console
from handoff.text import pluralize

NOTHING = "has every point and fork that is asked for"


def extend_run(request: ExtendRequest) -> int:
    """Adds what a changed sweep asks for beyond a run, measures it with the anchors, and draws all
    anew; the exit code of a run.
    """
    folder = find_run(request.run, request.runs)
    if folder is None:
        raise BadInput(f"{request.run} is no run: ./run_all.sh runs lists them.")
    folder = folder if request.dry_run else restore_folder(folder)
    run = read_run(folder)
    asked = selection.select_sweep(request.sweep or str(run.sweep_file), [], request.sets)
    asked = asked._replace(profile=run.identity["profile"])
    java = jdk.find_jdk()
    if request.wait:
        lock.queue_for_machine()
    site = Site(planning.LocalPlanner(java))
    deadline = time.time() + request.budget_s if request.budget_s else math.inf
    with nullcontext() if request.dry_run else hold_both(folder):
        measuring.build_jar(java, wanted=True)
        # Calibrating takes half a minute, which a run that may not be extended yet need not cost.
        added = extension.plan_addition(run, asked, java)
        if added:
            require_measured(run)
        if request.dry_run:
            return describe_addition(run, asked, added, request)
        added = extension.plan_addition(run, asked, java, calibrate=True)
        if added:
            run = extension.extend_run(measuring.judge_anchors(run), asked, added)
            console.print(f"Extended by {describe_added(run, added)}.")
        else:
            console.print(f"{folder.name} {NOTHING}.")
        pending = prepare_measuring(run, site, request.retry_failed)
    if pending:
        measuring.measure_pending(run, deadline, site)
        measuring.report_budget(run, deadline, request.budget_s)
    run = measuring.judge_anchors(run)
    reading = RunRequest(folder.name, request.runs, READING_STAGES, json=request.json)
    return stages.run_reading_stages(run, reading)


@contextmanager
def hold_both(folder: Path) -> Iterator[None]:
    """This machine, and the run, which a cluster may be measuring."""
    with lock.hold_lock(f"extending {folder.name}"), lock.hold_run(folder):
        yield


def require_measured(run: Run) -> None:
    """BadInput while forks that it asked for before are left."""
    if left := order.list_pending(run, state.scan_run(run)):
        raise BadInput(
            f"{run.folder.name} still lacks {pluralize(len(left), 'fork')}: measure these first,"
            f" ./run_all.sh extend {run.folder.name}."
        )


def describe_added(run: Run, added: Addition) -> str:
    """'1 point; 3 anchors: ...; 2 points that it does not ask for stay'"""
    names = [str(point) for point in run.points if point.key in added.anchors]
    parts = [str(added)]
    parts += [f"{pluralize(len(names), 'anchor')}: {', '.join(names)}"] if names else []
    if added.kept:
        parts.append(f"{pluralize(added.kept, 'point')} that the sweep does not ask for stay")
    return "; ".join(parts)


def describe_addition(
    run: Run, asked: selection.SweepRequest, added: Addition, request: ExtendRequest
) -> int:
    """Says what would be added, and what it would take; writes nothing."""
    planned = extension.plan_extended(run, asked, added) if added else run
    what = f"would be extended by {describe_added(run, added)}" if added else NOTHING
    missing = planned.missing()
    costs = CostModel(request.runs, run.machine["id"])
    seconds = sum(costs.fork_seconds(point) for point, _ in missing)
    console.print(
        f"{run.folder.name} {what}."
        f" {pluralize(len(missing), 'fork')}, about {cost.format_duration(seconds)}."
        " Nothing was measured."
    )
    if request.json:
        return ExtensionAnswer(
            exit=COMPLETE,
            run=run.folder.name,
            points=added.new,
            raised=added.raised,
            anchors=list(added.anchors),
            forks=len(missing),
            seconds=round(seconds),
        ).print()
    return COMPLETE
