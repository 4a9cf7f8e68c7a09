"""The stages build and measure: the jar, the run's folder, what is said before, and notebook 01."""

import math
import sys
import time
from contextlib import nullcontext

from handoff.cli import notebook, progress
from handoff.cli.preparing import prepare_measuring
from handoff.cli.request import BUILD, MEASURE, RunRequest
from handoff.cli.site import Site
from handoff.errors import BadInput
from handoff.paths import display_path
from handoff.run import cost, extension, order, planning
from handoff.run.cost import CostModel
from handoff.run.host import lock, readiness
from handoff.run.java import jar, jdk
from handoff.run.plan.selection import SweepRequest
from handoff.run.store import provenance, session, state
from handoff.run.store.run import Run, grant_forks
from handoff.terminal import console
from handoff.text import pluralize


def provide_run(
    asked: SweepRequest, java: jdk.Jdk, request: RunRequest, site: Site | None = None
) -> Run:
    """The sweep's run on this machine, or on another site; what is missing is measured, in the
    kernel of notebook 01, when the stage measure is asked for.
    """
    site = site or Site(planning.LocalPlanner(java))
    measure = MEASURE in request.stages
    deadline = time.time() + request.budget_s if request.budget_s else math.inf
    with site.hold(f"preparing {asked.profile}") if measure else nullcontext():
        build_jar(java, wanted=BUILD in request.stages)
        run = planning.prepare_run(asked, site.planner, request.runs, create=measure)
        run = session.add_session(run) if measure and request.session else run
        pending = prepare_measuring(run, site, request.retry_failed) if measure else []
    if pending:
        measure_pending(run, deadline, site)
    if measure:
        run = judge_anchors(run, site)
    if measure and run.sweep.forks.most and "more" not in run.identity:
        run = look_again(run, deadline, site)
    if measure and pending:
        report_budget(run, deadline, request.budget_s)
    return run


def report_budget(run: Run, deadline: float, budget_s: float | None) -> None:
    """Says so where forks are left because a budget is used up."""
    left = order.list_pending(run, state.scan_run(run)) if budget_s else []
    if left and time.time() > deadline - min(budget_s or 0, SPARE_S):
        again = sum(task.again > 0 for task in left)
        repeats = f", and {again} to be measured again" if again else ""
        console.print(
            f"The budget is used up; {pluralize(len(left) - again, 'fork')} left{repeats}: the same"
            " command goes on."
        )


SPARE_S = 60
"""A budget is used up when less than this is left of it."""


def measure_pending(run: Run, deadline: float, site: Site) -> None:
    """In the kernel of notebook 01."""
    command = provenance.anonymize_command(sys.argv[1:])
    watcher = progress.make_watcher(run.folder, console)
    notebook.execute_notebook(
        "01_measure",
        run.folder,
        watcher,
        command=command,
        cluster=site.name,
        deadline=str(deadline),
    )


def look_again(run: Run, deadline: float, site: Site) -> Run:
    """Gives the points of claims that are undecided, and that more forks may decide, as many as the
    sweep allows, and measures these; those that the deadline cuts off are not asked for.

    Nothing is done before the first look is complete.
    """
    if order.list_unmeasured(run, state.scan_run(run)):
        return run
    # Statistics take a second to load, which other commands need not wait for.
    from handoff.claims import verdict_table
    from handoff.tables import tidy

    tidy.write_tables(run)
    found = verdict_table.plan_second_look(run)
    with site.hold(f"planning {run.folder.name}"):
        run = grant_forks(run, found.more)
    if found.given_up:
        console.print(f"  Undecided, and not by more forks: {', '.join(found.given_up)}.")
    if not found.more:
        console.print("  A second look needs no forks.")
        return run
    tasks = order.list_pending(run, state.scan_run(run))
    costs = CostModel(run.folder.parent, run.machine["id"])
    expected = cost.format_duration(sum(costs.fork_seconds(task.point) for task in tasks))
    console.print(
        f"  Undecided so far: {', '.join(found.claims)}. A second look gives"
        f" {pluralize(len(found.more), 'point')} {run.sweep.forks.most} forks:"
        f" {pluralize(len(tasks), 'fork')} more, about {expected}."
    )
    measure_pending(run, deadline, site)
    return grant_forks(run, count_granted(run)) if time.time() > deadline - SPARE_S else run


def judge_anchors(run: Run, site: Site | None = None) -> Run:
    """The run with what the anchors of its extensions say, once all of it is measured."""
    if all(each.sentence for each in run.extensions) or order.list_unmeasured(
        run, state.scan_run(run)
    ):
        return run
    # Statistics take a second to load, which other commands need not wait for.
    from handoff.analysis.anchors import judge_extension
    from handoff.tables import tidy

    hold = site.hold if site else lock.hold_lock
    with hold(f"judging the anchors of {run.folder.name}"):
        for place, each in enumerate(run.extensions):
            if not each.sentence:
                tidy.write_tables(run)
                judged = judge_extension(run, place)
                console.print(f"  {judged.sentence}")
                changed = [*run.extensions[:place], judged, *run.extensions[place + 1 :]]
                run = extension.write_identity(extension.put_extensions(run, changed))
    return run


def count_granted(run: Run) -> dict[str, int]:
    """By point the forks that a second look really gave it: up to the last that is there."""
    missing = {(point.key, number) for point, number in run.missing()}
    last = {
        point.key: number
        for point, number in run.tasks()
        if point.key in run.identity["more"] and (point.key, number) not in missing
    }
    beyond = {point.key: run.count_beyond(point) for point in run.points}
    return {key: -(-(last[key] + 1 - beyond[key]) // run.sessions) for key in last}


def build_jar(java: jdk.Jdk, wanted: bool) -> None:
    if wanted and jar.build_jar(java):
        console.print("Built java-bench/target/benchmarks.jar.")
    if not jar.JAR.is_file():
        raise BadInput(f"{display_path(jar.JAR)} is not there: run the stage build first.")


def require_ready(asked: SweepRequest) -> None:
    """BadInput, with what is wrong, unless this machine is ready."""
    with lock.hold_lock(f"preparing {asked.profile}"):
        found = readiness.list_findings(asked.sweep)
    unready = [finding for finding in found if finding.ready is False]
    if unready:
        raise BadInput(
            "This machine is not ready (--strict): "
            + " ".join(finding.sentence for finding in unready)
        )
