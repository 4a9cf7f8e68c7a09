"""Add the points and forks of a changed sweep to a run, and measure them; the command `extend`."""

import argparse
from pathlib import Path

from handoff.cli import dry_run, measuring, stages
from handoff.cli.measuring import announce_run
from handoff.cli.request import (
    READING_STAGES,
    RunRequest,
    add_data,
    add_json,
    add_measuring,
    add_set,
    make_request,
    refuse_unused,
)
from handoff.errors import BadInput
from handoff.paths import find_run_folder, restore_folder
from handoff.run import extension, planning
from handoff.run.host import lock, readiness
from handoff.run.java import jdk
from handoff.run.plan.selection import SweepRequest, select_sweep
from handoff.run.store.run import Run, read_run
from handoff.text import console, pluralize

NOTHING = "has every point and fork of the sweep"


def extend_run(given: argparse.Namespace) -> int:
    """Add what a changed sweep has beyond a run, measure it, redraw the run."""
    refuse_unused(given)
    if not given.dry_run:
        readiness.refuse_binder()
    run = read_run(find_run_folder(given.run, given.runs))
    request = make_request(given, target=run.folder.name, stages=READING_STAGES)
    asked = select_sweep(given.sweep or str(run.sweep_file), [], given.sets)
    asked = asked._replace(profile=run.identity["profile"])
    if given.wait:
        lock.queue_for_machine()
    java = measuring.provide_jar()
    if given.dry_run:
        return describe_addition(run, asked, java, request)
    planning.require_same_setup(run, java, asked.sweep)
    run = run._replace(folder=restore_folder(run.folder))
    budget = measuring.start_budget(given.budget_s)
    run = measure_addition(run.folder, asked, java, given.retry_failed, budget)
    measuring.report_budget(run, budget)
    return stages.run_reading_stages(run, request)


def measure_addition(
    folder: Path, asked: SweepRequest, java: jdk.Jdk, retry_failed: bool, budget: measuring.Budget
) -> Run:
    """Measure what a sweep has beyond a complete run; return the run."""
    # Another machine may be measuring the run.
    with lock.hold_lock(f"extending {folder.name}"), lock.hold_run(folder):
        lock.queue_for_machine()
        # Another runner may have extended the run meanwhile.
        run = read_run(folder)
        # Calibrating takes half a minute, which a run that may not be extended yet need not cost.
        if plan_addition(run, asked, java):
            added = extension.plan_addition(run, asked, java, calibrate=True)
            run = extension.extend_run(run, asked, added)
            console.print(f"Extended by {describe_added(added)}.")
        else:
            console.print(f"{folder.name} {NOTHING}.")
        pending = announce_run(run, retry_failed)
    if pending:
        measuring.measure_pending(run, budget)
    return run


def plan_addition(run: Run, asked: SweepRequest, java: jdk.Jdk) -> extension.Addition:
    """Return what the sweep adds; raise BadInput while forks planned before are missing."""
    added = extension.plan_addition(run, asked, java)
    if added and (missing := measuring.count_missing(run)):
        raise BadInput(
            f"{run.folder.name} still misses {pluralize(missing, 'fork')}: measure these"
            f" first, ./run_all.sh extend {run.folder.name}."
        )
    return added


def describe_addition(run: Run, asked: SweepRequest, java: jdk.Jdk, request: RunRequest) -> int:
    """Report what would be added and the run as it would be; write nothing."""
    added = plan_addition(run, asked, java)
    what = f"would be extended by {describe_added(added)}" if added else NOTHING
    console.print(f"{run.folder.name} {what}.")
    planned = extension.plan_extended(run, asked, added) if added else run
    return dry_run.print_dry_run(planned, request)


def describe_added(added: extension.Addition) -> str:
    """Return '1 point; 2 points that the sweep does not have stay'."""
    stay = f"{pluralize(added.kept, 'point')} that the sweep does not have stay"
    return f"{added}; {stay}" if added.kept else str(added)


def add_extend(parser: argparse.ArgumentParser) -> None:
    run = "the run to add to: its name or folder, or latest"
    parser.add_argument("run", metavar="RUN", help=run)
    sweep = "a changed sweep; without it the run's own, changed by --set"
    parser.add_argument("sweep", nargs="?", default="", metavar="FILE.yml", help=sweep)
    add_set(parser)
    add_measuring(parser.add_argument_group("measuring"))
    add_data(parser)
    add_json(parser)
