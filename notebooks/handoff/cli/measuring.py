"""The stages build and measure: the jar, the run's folder, notebooks 00 and 01."""

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from handoff.cli import notebook, progress
from handoff.cli.request import RunRequest
from handoff.errors import BadInput
from handoff.paths import display_path, restore_folder
from handoff.run import cost, order, planning
from handoff.run.host import lock, readiness
from handoff.run.java import jar, jdk
from handoff.run.plan.points import UNPLACED
from handoff.run.plan.selection import SweepRequest
from handoff.run.store import provenance, session, state
from handoff.run.store.run import Run
from handoff.text import console, pluralize


@dataclass
class Budget:
    """Time from now on in which forks may start that end in it; `at_least` so many start anyway.

    Otherwise a fork that takes longer than the budget, or is only expected to, would keep a run
    from ever ending. `deadline` is in seconds since the epoch.
    """

    seconds: float = math.inf
    deadline: float = field(init=False)
    at_least: int = 1

    def __post_init__(self) -> None:
        self.deadline = time.time() + self.seconds


def measure_sweep(asked: SweepRequest, java: jdk.Jdk, request: RunRequest, budget: Budget) -> Run:
    """Measure what a sweep's run misses, in the kernel of notebook 01; return the run."""
    with lock.hold_lock(f"preparing {asked.profile}"):
        # Another start may measure between two steps of this one, which then waits.
        lock.queue_for_machine()
        # A session needs a run: without one, this refuses before anything is calibrated.
        create = not request.session
        run = planning.prepare_run(asked, planning.LocalPlanner(java), request.runs, create)
        run = run._replace(folder=restore_folder(run.folder))
        if request.sessions:
            run = session.plan_judging(run, request.sessions, count_missing(run))
        if request.session:
            run = session.add_session(run, count_missing(run))
        pending = announce_run(run, request.retry_failed)
    if pending:
        measure_pending(run, budget)
    return run


def announce_run(run: Run, retry_failed: bool) -> list[state.Task]:
    """Report the run and what measuring it will cost, run notebook 00, and return the tasks."""
    tasks = list_tasks(run, retry_failed)
    if not tasks:
        console.print("  Nothing to measure.")
        return tasks
    for finding in readiness.list_findings(run.sweep):
        if finding.ready is False:
            advice = f" Root could: {finding.advice}" if finding.advice else ""
            console.print(f"  Not ready: {finding.sentence}{advice}")
    expected = cost.expect_duration(run, (task.point for task in tasks))
    console.print(f"  About {expected}. Interrupt at any time: the same command continues.")
    (run.folder / "progress.json").unlink(missing_ok=True)
    notebook.execute_notebook("00_machine", run.folder)
    return tasks


def list_tasks(
    run: Run, retry_failed: bool, choose: Callable[..., list[state.Task]] = order.list_pending
) -> list[state.Task]:
    """Return the forks to measure, as `choose` says, after a report on the run."""
    if retry_failed:
        state.reset_failures(run)
    scanned = state.scan_run(run, move=True)
    tasks = choose(run, scanned)
    why = planning.explain_new_run(run)
    new = f", new: {why}." if why and not scanned.measured else "."
    lines = [f"Run {run.folder.name}{new}"]
    lines += [f"  {UNPLACED}"] if any(point.unplaced for point in run.points) else []
    reasons = [point.unavailable for point in run.points if point.unavailable]
    lines += [f"  {sentence}" for sentence in [*scanned.corrupt, *describe_left_out(reasons)]]
    shared = sum(point.oversubscribed for point in run.points)
    lines.append(
        f"  {pluralize(len(run.points), 'point')}, oversubscribed here: {shared}."
        f" {state.summarize_state(run, scanned, len(tasks))}."
    )
    console.print("\n".join(lines))
    return tasks


def describe_left_out(reasons: list[str]) -> list[str]:
    """Return 'left out, 3 points: why', once for reasons with the same beginning."""
    by_head: dict[str, list[str]] = {}
    for reason in reasons:
        by_head.setdefault(reason.partition(": ")[0], []).append(reason)
    return [
        f"left out, {pluralize(len(alike), 'point')}: "
        + (alike[0] if len(set(alike)) == 1 else f"{head}.")
        for head, alike in by_head.items()
    ]


def start_budget(budget_s: float | None) -> Budget:
    """Return a budget that starts when the machine is free, without the time in the queue."""
    if not budget_s:
        return Budget()
    with lock.hold_lock("starting a budget"):
        return Budget(budget_s)


def report_budget(run: Run, budget: Budget, blocks: bool = False) -> None:
    """Report the forks that the budget left, and why; `blocks`: it starts whole blocks."""
    if budget.seconds == math.inf:
        return
    scan = state.scan_run(run)
    # A block's node repeats its disturbed forks at once.
    pending = order.list_unmeasured(run, scan) if blocks else order.list_pending(run, scan)
    # Forks that were tried are missing for another reason.
    cut = [task for task in pending if not scan.tries[task.name]]
    if not cut:
        return
    repetitions = sum(task.again > 0 for task in cut)
    again = f" ({repetitions} again: they ran disturbed)" if repetitions else ""
    step = "one"
    upcoming = [cut[0].point]
    if blocks:
        step = "block"
        upcoming = [task.point for task in cut if task.block == cut[0].block]
    spare = cost.format_duration(max(0.0, budget.deadline - time.time()))
    console.print(
        f"{pluralize(len(cut), 'fork')} left{again}: the next {step} takes about"
        f" {cost.expect_duration(run, upcoming)}, and {spare} of"
        f" {cost.format_duration(budget.seconds)} were left. The same command continues."
    )


def measure_pending(run: Run, budget: Budget) -> None:
    """Measure what the run misses in the kernel of notebook 01."""
    at_least = budget.at_least
    # A sweep that extends another one measures twice with one budget.
    budget.at_least = 0
    notebook.execute_notebook(
        "01_measure",
        run.folder,
        partial(progress.watch_run, run.folder),
        command=provenance.anonymize_command(sys.argv[1:]),
        deadline=str(budget.deadline),
        at_least=str(at_least),
    )


def count_missing(run: Run) -> int:
    """Return the number of missing forks that have tries left."""
    return len(order.list_unmeasured(run, state.scan_run(run)))


def provide_jar(wanted: bool = True) -> jdk.Jdk:
    """Build the jar where it is wanted and not up to date, and return the JDK.

    Raise BadInput without a jar.
    """
    java = jdk.find_jdk()
    if wanted and jar.build_jar(java):
        console.print("Built java-bench/target/benchmarks.jar.")
    if not jar.JAR.is_file():
        raise BadInput(f"{display_path(jar.JAR)} does not exist: run the stage build first.")
    return java


def require_ready(asked: SweepRequest) -> None:
    """Raise BadInput, with what is wrong, unless this machine is ready."""
    with lock.hold_lock(f"preparing {asked.profile}"):
        findings = readiness.list_findings(asked.sweep)
    unready = [finding for finding in findings if finding.ready is False]
    if unready:
        reasons = " ".join(finding.sentence for finding in unready)
        raise BadInput(f"This machine is not ready (--strict): {reasons}")
