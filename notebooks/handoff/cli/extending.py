"""`extend`: more points and forks for a run, and anchors that show whether the machine changed."""

import argparse

from handoff.cli import adding, measuring, stages
from handoff.cli.answers import ExtensionAnswer
from handoff.cli.command import Command
from handoff.cli.pipeline import find_run
from handoff.cli.request import (
    READING_STAGES,
    ExtendRequest,
    RunRequest,
    add_extend,
    make_extend,
)
from handoff.errors import COMPLETE, BadInput
from handoff.paths import restore_folder
from handoff.run import cost, extension, planning
from handoff.run.cost import CostModel
from handoff.run.extension import Addition
from handoff.run.host import lock
from handoff.run.java import jdk
from handoff.run.nodes import Backend
from handoff.run.plan import selection
from handoff.run.store.run import Run, read_run
from handoff.terminal import console
from handoff.text import pluralize


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
        return describe_addition(run, asked, adding.plan_addition(run, asked, java), request)
    backend = Backend(planning.LocalPlanner(java))
    deadline = measuring.find_deadline(request.budget_s)
    run = adding.measure_addition(run, asked, java, request.retry_failed, deadline, backend)
    measuring.report_budget(run, deadline, request.budget_s)
    reading = RunRequest(
        folder.name, request.runs, READING_STAGES, budget_s=request.budget_s, json=request.json
    )
    return stages.run_reading_stages(run, reading)


def describe_addition(
    run: Run, asked: selection.SweepRequest, added: Addition, request: ExtendRequest
) -> int:
    """Report what would be added and how long it would take; write nothing."""
    planned = extension.plan_extended(run, asked, added) if added else run
    what = f"would be extended by {adding.describe_added(run, added)}" if added else adding.NOTHING
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
