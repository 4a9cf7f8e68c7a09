"""`extend`: more points and forks for a run, and anchors that show whether the machine changed."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from handoff.cli import measuring, stages
from handoff.cli.answers import ExtensionAnswer
from handoff.cli.command import Command
from handoff.cli.pipeline import find_run
from handoff.cli.preparing import announce_run
from handoff.cli.request import (
    READING_STAGES,
    ExtendRequest,
    RunRequest,
    add_extend,
    make_extend,
)
from handoff.errors import COMPLETE, BadInput
from handoff.paths import restore_folder
from handoff.run import cost, extension, order, planning
from handoff.run.cost import CostModel
from handoff.run.extension import Addition
from handoff.run.host import lock
from handoff.run.java import jdk
from handoff.run.nodes import Backend
from handoff.run.plan import selection
from handoff.run.store import state
from handoff.run.store.run import Run, read_run
from handoff.terminal import console
from handoff.text import pluralize

NOTHING = "has every point and fork of the sweep"


def extend_run(given: argparse.Namespace) -> int:
    """Add what a changed sweep has beyond a run, measure it with the anchors, and redraw the run.

    Return the exit code of the run.
    """
    request = make_extend(given)
    folder = find_run(request.run, request.runs)
    if folder is None:
        raise BadInput(f"run '{request.run}' does not exist: ./run_all.sh runs lists all runs.")
    folder = folder if request.dry_run else restore_folder(folder)
    run = read_run(folder)
    asked = selection.select_sweep(request.sweep or str(run.sweep_file), [], request.sets)
    asked = asked._replace(profile=run.identity["profile"])
    java = jdk.find_jdk()
    if request.wait:
        lock.queue_for_machine()
    if request.dry_run:
        return describe_addition(run, asked, plan_addition(run, asked, java), request)
    backend = Backend(planning.LocalPlanner(java))
    deadline = measuring.find_deadline(request.budget_s)
    with hold_both(folder):
        run = add_points(run, asked, java)
        pending = announce_run(run, backend, request.retry_failed)
    if pending:
        measuring.measure_pending(run, deadline, backend)
        measuring.report_budget(run, deadline, request.budget_s)
    run = measuring.judge_anchors(run)
    reading = RunRequest(folder.name, request.runs, READING_STAGES, json=request.json)
    return stages.run_reading_stages(run, reading)


def add_points(run: Run, asked: selection.SweepRequest, java: jdk.Jdk) -> Run:
    """Return the run with what the sweep adds to it, which is reported."""
    # Calibrating takes half a minute, which a run that may not be extended yet need not cost.
    if not plan_addition(run, asked, java):
        console.print(f"{run.folder.name} {NOTHING}.")
        return run
    added = extension.plan_addition(run, asked, java, calibrate=True)
    run = extension.extend_run(measuring.judge_anchors(run), asked, added)
    console.print(f"Extended by {describe_added(run, added)}.")
    return run


def plan_addition(run: Run, asked: selection.SweepRequest, java: jdk.Jdk) -> Addition:
    """Return what the sweep adds; raise BadInput while forks planned before are missing."""
    measuring.build_jar(java, wanted=True)
    added = extension.plan_addition(run, asked, java)
    if added:
        require_measured(run)
    return added


@contextmanager
def hold_both(folder: Path) -> Iterator[None]:
    """Hold this machine and the run, which another machine may be measuring."""
    with lock.hold_lock(f"extending {folder.name}"), lock.hold_run(folder):
        yield


def require_measured(run: Run) -> None:
    """Raise BadInput while forks that it planned before are missing."""
    if pending := order.list_pending(run, state.scan_run(run)):
        raise BadInput(
            f"{run.folder.name} still misses {pluralize(len(pending), 'fork')}: measure these"
            f" first, ./run_all.sh extend {run.folder.name}."
        )


def describe_added(run: Run, added: Addition) -> str:
    """Return '1 point; 3 anchors: ...; 2 points that the sweep does not have stay'."""
    names = [str(point) for point in run.points if point.key in added.anchors]
    parts = [str(added)]
    parts += [f"{pluralize(len(names), 'anchor')}: {', '.join(names)}"] if names else []
    if added.kept:
        parts.append(f"{pluralize(added.kept, 'point')} that the sweep does not have stay")
    return "; ".join(parts)


def describe_addition(
    run: Run, asked: selection.SweepRequest, added: Addition, request: ExtendRequest
) -> int:
    """Report what would be added and how long it would take; write nothing."""
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


COMMANDS = {
    "extend": Command(
        "add points and forks to an existing run, and measure only these", add_extend, extend_run
    ),
}
