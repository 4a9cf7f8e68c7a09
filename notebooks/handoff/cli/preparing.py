"""What is said before measuring: what is there, what is left out, what it will cost."""

from handoff.cli import notebook
from handoff.cli.site import Site
from handoff.run import cost, order, planning
from handoff.run.cost import CostModel
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.run.store.state import Task
from handoff.terminal import console
from handoff.text import pluralize


def prepare_measuring(run: Run, site: Site, retry_failed: bool) -> list[Task]:
    """Says what the machine is like, what is there and what it will cost, and runs notebook 00.

    Returns what is to measure.
    """
    if retry_failed:
        state.reset_failures(run)
    found = state.scan_run(run, move=True)
    to_do = order.list_pending(run, found)
    why = planning.explain_new_run(run)
    console.print(
        f"Run {run.folder.name}" + (f", new: {why}." if why and not found.measured else ".")
    )
    if run.extensions:
        times = pluralize(len(run.extensions), "time")
        console.print(f"  Extended {times}, last on {run.extensions[-1].began[:10]}.")
    for sentence in found.corrupt:
        console.print(f"  {sentence}")
    for sentence in describe_left_out(
        [point.unavailable for point in run.points if point.unavailable]
    ):
        console.print(f"  {sentence}")
    shared = sum(point.oversubscribed for point in run.points)
    console.print(
        f"  {pluralize(len(run.points), 'point')}, oversubscribed here: {shared}."
        f" {state.summarize_state(run, found, len(to_do))}."
    )
    if not to_do:
        console.print("  Nothing to measure.")
        return to_do
    for finding in site.list_findings(run.sweep):
        if finding.ready is False:
            console.print(
                f"  Not ready: {finding.sentence}"
                + (f" Root could: {finding.advice}" if finding.advice else "")
            )
    costs = CostModel(run.folder.parent, run.machine["id"])
    expected = cost.format_duration(sum(costs.fork_seconds(task.point) for task in to_do))
    console.print(f"  About {expected}. Interrupt at any time: the same command goes on.")
    (run.folder / "progress.json").unlink(missing_ok=True)
    notebook.execute_notebook("00_machine", run.folder)
    return to_do


def describe_left_out(reasons: list[str]) -> list[str]:
    """'left out, 3 points: why', once for reasons that begin alike."""
    alike: dict[str, list[str]] = {}
    for reason in reasons:
        alike.setdefault(reason.partition(": ")[0], []).append(reason)
    parts = [
        (len(own), own[0] if len(set(own)) == 1 else f"{head}.") for head, own in alike.items()
    ]
    return [f"left out, {pluralize(number, 'point')}: {why}" for number, why in parts]
