"""From a sweep to the paper: build, measure, tidy, draw and judge, and what is said on the way."""

import argparse
import sys
from pathlib import Path

from handoff import finish, notebook, rehearsal, watch
from handoff.errors import COMPLETE, BadInput
from handoff.names import counted
from handoff.paths import run_folder, shown
from handoff.run import choose, cost, jar, jdk, lock, order, provenance, ready, state, store
from handoff.run.cost import Costs
from handoff.run.state import Task
from handoff.run.sweep import Sweep
from handoff.terminal import console

STAGES = ("build", "measure", "tidy", "figures", "paper")
READING = STAGES[2:]


def go(options: argparse.Namespace) -> int:
    """The stages asked for, of a sweep or of a run that exists."""
    unknown = [stage for stage in options.stages if stage not in STAGES]
    if unknown:
        raise BadInput(f"{unknown[0]} is no stage: allowed is {', '.join(STAGES)}.")
    folder = existing(options.profile, options.data.resolve())
    if folder:
        return redraw(folder, options)
    stages = options.stages or list(STAGES)
    asked = choose.asked(options.profile, options.only, options.set)
    if options.strict:
        with lock.held(f"preparing {asked.profile}"):
            refuse_unready(asked.sweep)
    java = jdk.find()
    if options.dry_run:
        build(java, wanted=True)
        return rehearsal.dry_run(store.plan(asked, java), asked, options.data.resolve(), java)
    if "measure" not in stages:
        build(java, wanted="build" in stages)
        if stages == ["build"]:
            return COMPLETE
        return finish.finish(store.prepare(asked, java, options.data.resolve(), create=False), stages, options)
    with lock.held(f"preparing {asked.profile}"):
        build(java, wanted="build" in stages)
        run = store.prepare(asked, java, options.data.resolve(), create=True)
        to_do = begin(run, options)
    if to_do:
        command = provenance.anonymous(sys.argv[1:])
        notebook.execute("01_measure", run.folder, watch.watcher(run.folder, console), command=command)
    return finish.finish(run, stages, options)


def build(java: jdk.Jdk, wanted: bool) -> None:
    if wanted and jar.build(java):
        console.print("Built java-bench/target/benchmarks.jar.")
    if not jar.JAR.is_file():
        raise BadInput(f"{shown(jar.JAR)} is not there: run the stage build first.")


def existing(profile: str, runs: Path) -> Path | None:
    """The folder of a run that the word names: the shipped one, one by name, or one by path; None when it names a sweep."""
    if profile == "reference":
        return run_folder("reference")
    candidates = [folder for folder in (Path(profile), runs / profile) if (folder / "plan.json").is_file()]
    return candidates[0].resolve() if candidates else None


def redraw(folder: Path, options: argparse.Namespace) -> int:
    """Reads a run that exists, whatever machine it comes from."""
    measuring = [stage for stage in options.stages if stage not in READING]
    if measuring:
        raise BadInput(f"{folder.name} is a run, not a sweep: its stages are tidy, figures and paper, not {measuring[0]}.")
    if options.only or options.set or options.dry_run:
        raise BadInput(f"{folder.name} is a run, not a sweep: --only, --set and --dry-run belong to sweeps.")
    return finish.finish(store.read(folder), options.stages or list(READING), options)


def refuse_unready(asked: Sweep) -> None:
    unready = [finding for finding in ready.findings(asked) if finding.ready is False]
    if unready:
        raise BadInput("This machine is not ready (--strict): " + " ".join(finding.sentence for finding in unready))


def begin(run: store.Run, options: argparse.Namespace) -> list[Task]:
    """Says what the machine is like, what is there and what it will cost, and runs notebook 00. Returns what is to measure."""
    if options.retry_failed:
        state.forgive(run)
    found = state.look(run, move=True)
    to_do = order.to_do(run, found)
    why = store.changed(run)
    console.print(f"Run {run.folder.name}" + (f", new: {why}." if why and not found.measured else "."))
    for sentence in found.spoilt:
        console.print(f"  {sentence}")
    for sentence in left_out([point.unavailable for point in run.points if point.unavailable]):
        console.print(f"  {sentence}")
    shared = sum(point.oversubscribed for point in run.points)
    console.print(f"  {counted(len(run.points), 'point')}, oversubscribed here: {shared}. {state.in_words(run, found, len(to_do))}.")
    if not to_do:
        console.print("  Nothing to measure.")
        return to_do
    for finding in ready.findings(run.sweep):
        if finding.ready is False:
            console.print(f"  Not ready: {finding.sentence}" + (f" Root could: {finding.advice}" if finding.advice else ""))
    costs = Costs(run.folder.parent, run.machine["id"])
    expected = cost.in_words(sum(costs.fork_seconds(task.point) for task in to_do))
    console.print(f"  About {expected}. Interrupt at any time: the same command goes on.")
    (run.folder / "progress.json").unlink(missing_ok=True)
    notebook.execute("00_machine", run.folder)
    return to_do


def left_out(reasons: list[str]) -> list[str]:
    """'left out, 3 points: why', once for reasons that begin alike."""
    alike: dict[str, list[str]] = {}
    for reason in reasons:
        alike.setdefault(reason.partition(": ")[0], []).append(reason)
    told = [(len(own), own[0] if len(set(own)) == 1 else f"{head}.") for head, own in alike.items()]
    return [f"left out, {counted(number, 'point')}: {why}" for number, why in told]
