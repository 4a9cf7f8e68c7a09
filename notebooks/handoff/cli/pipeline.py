"""From a sweep to the paper: which stages of which run."""

import argparse
import sys
from pathlib import Path

from handoff.cli import dry_run, extending, measuring, stages
from handoff.cli.answers import Answer
from handoff.cli.request import (
    BUILD,
    MEASURE,
    OF_SWEEPS,
    READING_STAGES,
    STAGES,
    RunRequest,
    read_request,
    refuse_options,
)
from handoff.errors import COMPLETE, BadInput
from handoff.paths import find_run
from handoff.report.papers import require_source
from handoff.run import extension, planning
from handoff.run.host import lock, readiness
from handoff.run.java import jdk, ownclass
from handoff.run.plan import expansion, selection
from handoff.run.plan.sweep import find_sweep, load_sweep
from handoff.run.store.run import Run, read_run


def run_stages(given: argparse.Namespace) -> int:
    """Run stages of a sweep, or of a run that exists, whatever machine measured it."""
    request = read_request(given)
    folder = find_run(request.target, request.runs)
    request = request._replace(stages=request.stages or (READING_STAGES if folder else STAGES))
    if folder:
        require_reading_only(folder.name, request)
        return stages.run_reading_stages(read_run(folder), request)
    return run_sweep(select_sweep(request), request)


def select_sweep(request: RunRequest) -> selection.SweepRequest:
    """Return the sweep, narrowed and changed; raise BadInput for a source that it has not."""
    asked = selection.select_sweep(request.target, request.only, request.sets)
    whole = load_sweep(find_sweep(request.target))
    for sentence in expansion.list_idle_excludes(whole):
        print(f"{request.target}: {sentence}", file=sys.stderr)
    if request.source:
        # Before hours of measuring, not after.
        require_source(request.source, [study for study, _ in asked.sweep.entries()], asked.source)
    return asked


def run_sweep(asked: selection.SweepRequest, request: RunRequest) -> int:
    """Run stages of a sweep on this machine; return the exit code."""
    measures = MEASURE in request.stages and not request.dry_run
    if measures:
        readiness.refuse_binder()
    if request.wait:
        lock.queue_for_machine()
    if measures and request.strict:
        measuring.require_ready(asked)
    java = measuring.provide_jar(wanted=BUILD in request.stages or request.dry_run)
    if request.own_class:
        asked = select_with_class(request, java)
    if request.dry_run:
        return dry_run.print_dry_run(dry_run.plan_dry_run(asked, request, java), request)
    if list(request.stages) == [BUILD]:
        return Answer(exit=COMPLETE).end(request.json)
    if measures:
        run = measure(asked, java, request)
    else:
        run = planning.prepare_run(asked, planning.LocalPlanner(java), request.runs, create=False)
    return stages.run_reading_stages(run, request)


def select_with_class(request: RunRequest, java: jdk.Jdk) -> selection.SweepRequest:
    """Return the sweep with the user's class as YOURS, after compiling it."""
    name, source = ownclass.read_class(Path(request.own_class))
    try:
        word = ownclass.provide_class(java, source, name)
    except BadInput as wrong:
        raise BadInput(f"--class {request.own_class}: {wrong}") from None
    return selection.select_sweep(request.target, request.only, request.sets, word)


def measure(asked: selection.SweepRequest, java: jdk.Jdk, request: RunRequest) -> Run:
    """Measure what the sweep's run misses; a sweep that extends another one adds to its run."""
    budget = measuring.start_budget(request.budget_s)
    first = selection.select_sweep(asked.base, [], []) if asked.base else asked
    if asked.base:
        with lock.hold_lock(f"planning {asked.profile}"):
            extension.require_extensible(first, asked, java)
    run = measuring.measure_sweep(first, java, request, budget)
    if asked.base and not measuring.count_missing(run):
        # What failed has been reset by measure_sweep.
        run = extending.measure_addition(run.folder, asked, java, False, budget)
    measuring.report_budget(run, budget)
    return run


def require_reading_only(name: str, request: RunRequest) -> None:
    """Raise BadInput for a stage or an option that only a sweep can have."""
    what = f"{name} is a run, not a sweep: "
    for stage in request.stages:
        if stage not in READING_STAGES:
            choices = ", ".join(READING_STAGES)
            raise BadInput(f"{what}unknown stage '{stage}'; choose from {choices}.")
    refuse_options(request, OF_SWEEPS, "belongs to sweeps", what)
