"""Report before measuring: the run, what is left out, readiness and expected time."""

from handoff.cli import notebook
from handoff.run import cost, order, planning
from handoff.run.host import readiness
from handoff.run.java import arms
from handoff.run.plan.points import UNPLACED
from handoff.run.store import state
from handoff.run.store.identity import ARMS
from handoff.run.store.run import Run
from handoff.terminal import console
from handoff.text import pluralize


def announce_run(run: Run, retry_failed: bool) -> list[state.Task]:
    """Report the run and what measuring it will cost, run notebook 00, and return the tasks."""
    if retry_failed:
        state.reset_failures(run)
    scanned = state.scan_run(run, move=True)
    tasks = order.list_pending(run, scanned)
    print_run(run, scanned, len(tasks))
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


def print_run(run: Run, scanned: state.RunState, pending: int) -> None:
    why = planning.explain_new_run(run)
    new = f", new: {why}." if why and not scanned.measured else "."
    lines = [f"Run {run.folder.name}{new}"]
    if run.extensions:
        times = pluralize(len(run.extensions), "time")
        lines.append(f"  Extended {times}, last on {run.extensions[-1].began[:10]}.")
    javas = run.identity.get(ARMS) or {"": run.identity}
    runtimes = {arm: java["jdk"] for arm, java in javas.items()}
    lines += [f"  {sentence}" for sentence in arms.list_warnings(run.points, runtimes)]
    lines += [f"  {UNPLACED}"] if any(point.unplaced for point in run.points) else []
    reasons = [point.unavailable for point in run.points if point.unavailable]
    lines += [f"  {sentence}" for sentence in [*scanned.corrupt, *describe_left_out(reasons)]]
    shared = sum(point.oversubscribed for point in run.points)
    lines.append(
        f"  {pluralize(len(run.points), 'point')}, oversubscribed here: {shared}."
        f" {state.summarize_state(run, scanned, pending)}."
    )
    console.print("\n".join(lines))


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
