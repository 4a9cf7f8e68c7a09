"""From a sweep to the paper: build, measure, tidy, draw and judge, and what is said on the way."""

import sys
from pathlib import Path

from handoff.cli import dry_run, notebook, progress
from handoff.cli.request import BUILD, MEASURE, READING_STAGES, STAGES, RunRequest
from handoff.cli.stages import run_reading_stages
from handoff.errors import COMPLETE, BadInput
from handoff.paths import display_path, find_run_folder
from handoff.run import cost, jar, jdk, lock, order, provenance, readiness, selection, state, store
from handoff.run.cost import CostModel
from handoff.run.state import Task
from handoff.run.sweep import Sweep
from handoff.terminal import console
from handoff.text import pluralize


def run_stages(request: RunRequest) -> int:
    """The stages asked for, of a sweep or of a run that exists; returns the exit code."""
    folder = find_run(request.target, request.runs)
    return redraw_run(folder, request) if folder else run_sweep(request)


def run_sweep(request: RunRequest) -> int:
    """The stages asked for, of a sweep."""
    stages = request.stages or STAGES
    asked = selection.select_sweep(request.target, request.only, request.sets)
    if request.strict:
        with lock.hold_lock(f"preparing {asked.profile}"):
            require_ready(asked.sweep)
    java = jdk.find_jdk()
    if request.dry_run:
        build_jar(java, wanted=True)
        return dry_run.print_dry_run(store.plan_points(asked, java), asked, request.runs, java)
    if MEASURE not in stages:
        build_jar(java, wanted=BUILD in stages)
        if stages == (BUILD,):
            return COMPLETE
        run = store.prepare_run(asked, java, request.runs, create=False)
        return run_reading_stages(run, stages, request)
    run = measure_sweep(asked, java, request)
    return run_reading_stages(run, stages, request)


def measure_sweep(asked: selection.SweepRequest, java: jdk.Jdk, request: RunRequest) -> store.Run:
    """Measures what is missing, in the kernel of notebook 01."""
    with lock.hold_lock(f"preparing {asked.profile}"):
        build_jar(java, wanted=BUILD in (request.stages or STAGES))
        run = store.prepare_run(asked, java, request.runs, create=True)
        pending = prepare_measuring(run, request.retry_failed)
    if pending:
        command = provenance.anonymize_command(sys.argv[1:])
        watcher = progress.make_watcher(run.folder, console)
        notebook.execute_notebook("01_measure", run.folder, watcher, command=command)
    return run


def build_jar(java: jdk.Jdk, wanted: bool) -> None:
    if wanted and jar.build_jar(java):
        console.print("Built java-bench/target/benchmarks.jar.")
    if not jar.JAR.is_file():
        raise BadInput(f"{display_path(jar.JAR)} is not there: run the stage build first.")


def find_run(profile: str, runs: Path) -> Path | None:
    """The folder of a run that the word names: the shipped one, one by name, or one by path; None
    when it names a sweep.
    """
    if profile == "reference":
        return find_run_folder("reference")
    candidates = [
        folder for folder in (Path(profile), runs / profile) if (folder / "plan.json").is_file()
    ]
    return candidates[0].resolve() if candidates else None


def redraw_run(folder: Path, request: RunRequest) -> int:
    """Reads a run that exists, whatever machine it comes from."""
    measuring = [stage for stage in request.stages if stage not in READING_STAGES]
    if measuring:
        raise BadInput(
            f"{folder.name} is a run, not a sweep: its stages are tidy, figures and paper, not"
            f" {measuring[0]}."
        )
    measuring_options = {
        "--only": request.only,
        "--set": request.sets,
        "--dry-run": request.dry_run,
        "--strict": request.strict,
        "--retry-failed": request.retry_failed,
    }
    given = [option for option, value in measuring_options.items() if value]
    if given:
        raise BadInput(f"{folder.name} is a run, not a sweep: {given[0]} belongs to sweeps.")
    return run_reading_stages(store.read_run(folder), request.stages or READING_STAGES, request)


def require_ready(asked: Sweep) -> None:
    unready = [finding for finding in readiness.list_findings(asked) if finding.ready is False]
    if unready:
        raise BadInput(
            "This machine is not ready (--strict): "
            + " ".join(finding.sentence for finding in unready)
        )


def prepare_measuring(run: store.Run, retry_failed: bool) -> list[Task]:
    """Says what the machine is like, what is there and what it will cost, and runs notebook 00.

    Returns what is to measure.
    """
    if retry_failed:
        state.reset_failures(run)
    found = state.scan_run(run, move=True)
    to_do = order.list_pending(run, found)
    why = store.explain_new_run(run)
    console.print(
        f"Run {run.folder.name}" + (f", new: {why}." if why and not found.measured else ".")
    )
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
    for finding in readiness.list_findings(run.sweep):
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
