"""From a sweep to figures: build, measure, tidy, draw, and what is said on the way."""

import argparse
import json
import shutil
import sys
from pathlib import Path

from rich.console import Console

from handoff import notebook, tidy, watch
from handoff.errors import COMPLETE, INCOMPLETE, BadInput
from handoff.names import counted
from handoff.paths import generated, run_folder, shown
from handoff.run import choose, cost, jar, jdk, lock, provenance, ready, runner, state, store
from handoff.run.cost import Costs
from handoff.run.points import Point
from handoff.run.state import Task
from handoff.run.sweep import Sweep

STAGES = ("build", "measure", "tidy", "figures")
NEXT = {
    "smoke": "the road works; ./run_all.sh measures this machine.",
    "quick": "./run_all.sh load or sensitivity asks more; paper measures at the published size.",
}
console = Console(highlight=False, soft_wrap=True)


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
        return dry_run(store.plan(asked, java), asked, options.data.resolve(), java)
    if "measure" not in stages:
        build(java, wanted="build" in stages)
        if stages == ["build"]:
            return COMPLETE
        return finish(store.prepare(asked, java, options.data.resolve(), create=False), stages, options)
    with lock.held(f"preparing {asked.profile}"):
        build(java, wanted="build" in stages)
        run = store.prepare(asked, java, options.data.resolve(), create=True)
        to_do = begin(run, options)
    if to_do:
        command = provenance.anonymous(sys.argv[1:])
        notebook.execute("01_measure", run.folder, watch.watcher(run.folder, console), command=command)
    return finish(run, stages, options)


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
    measuring = [stage for stage in options.stages if stage not in ("tidy", "figures")]
    if measuring:
        raise BadInput(f"{folder.name} is a run, not a sweep: its stages are tidy and figures, not {measuring[0]}.")
    if options.only or options.set or options.dry_run:
        raise BadInput(f"{folder.name} is a run, not a sweep: --only, --set and --dry-run belong to sweeps.")
    return finish(store.read(folder), options.stages or ["tidy", "figures"], options)


def refuse_unready(asked: Sweep) -> None:
    unready = [finding for finding in ready.findings(asked) if finding.ready is False]
    if unready:
        raise BadInput("This machine is not ready (--strict): " + " ".join(finding.sentence for finding in unready))


def dry_run(points: list[Point], asked: choose.Asked, runs: Path, java: jdk.Jdk) -> int:
    """Prints what would be measured, and writes nothing."""
    planned = store.planned(asked, points, java)
    folder = runs / planned.folder.name
    tasks = runner.in_order(planned)
    costs = Costs(runs, planned.machine["id"])
    for point in points:
        note = point.unavailable or ("oversubscribed" if point.oversubscribed else "")
        console.print(f"{point}: {counted(point.forks, 'fork')}, {costs.fork_seconds(point):.1f} s each{', ' if note else ''}{note}")
    console.print("\nOrder of the forks:")
    for place, task in enumerate(tasks):
        console.print(f"{place:5} block {task.block} {task.point}")
    there = len(tasks) - len(planned._replace(folder=folder).missing())
    learnt = "learnt from earlier forks" if costs.shot_s else "a guess"
    console.print(
        f"\n{folder.name}: {counted(len(points), 'point')}, {counted(len(tasks), 'fork')} ({there} there already), "
        f"about {cost.in_words(costs.total_seconds(points))} in all ({learnt}), {costs.measured_share(points):.0%} of it inside measured "
        "shots. Nothing was measured."
    )
    return COMPLETE


def begin(run: store.Run, options: argparse.Namespace) -> list[Task]:
    """Says what the machine is like, what is there and what it will cost, and runs notebook 00. Returns what is to measure."""
    if options.retry_failed:
        state.forgive(run)
    found = state.look(run, move=True)
    to_do = runner.to_do(run, found)
    why = store.changed(run)
    console.print(f"Run {run.folder.name}" + (f", new: {why}." if why and not found.measured else "."))
    for sentence in found.spoilt:
        console.print(f"  {sentence}")
    left_out = [point.unavailable for point in run.points if point.unavailable]
    for reason in dict.fromkeys(left_out):
        console.print(f"  left out, {counted(left_out.count(reason), 'point')}: {reason}")
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


def finish(run: store.Run, stages: list[str], options: argparse.Namespace) -> int:
    """Tidies and draws, and says where the results are and what to do next. INCOMPLETE when forks are missing."""
    found = state.look(run)
    for sentence in found.spoilt:
        console.print(sentence)
    if "tidy" in stages:
        notebook.execute("02_tidy", run.folder)
        console.print(f"Table:   {shown(run.folder / 'tidy')}/scaling.csv")
    if "figures" in stages:
        draw(run, found)
    missing = state.missing(run, found)
    failed = state.given_up(run, missing)
    if missing:
        reasons = "; ".join(f"{number} {kind}, see {shown(run.folder / kind)}" for kind, number in failed.items() if number)
        profile = run.identity["profile"]
        step = f" Next: ./run_all.sh {profile} tries a fork twice, and again with --retry-failed." if options.profile == profile else ""
        print(f"{len(missing)} of {len(run.tasks())} forks are missing{': ' if reasons else ''}{reasons}.{step}", file=sys.stderr)
    elif options.profile in NEXT and "figures" in stages:
        console.print(f"Next:    {NEXT[options.profile]}")
    code = INCOMPLETE if missing else COMPLETE
    if options.json:
        paths = {"folder": str(run.folder), "figures": str(generated(run.folder) / "figures")}
        counts = {"asked": len(run.tasks()), "found": len(run.tasks()) - len(missing), **failed}
        print(json.dumps({"exit": code, "run": run.folder.name, **paths, **counts}), flush=True)
    return code


def draw(run: store.Run, found: state.State) -> None:
    """Draws from tables that hold exactly the forks that are there; figures of an earlier drawing go first."""
    shots = tidy.load(run, "scaling")
    tabled = set() if shots.empty else set(shots[["point", "fork", "again"]].itertuples(index=False, name=None))
    if tabled != {(*fork, again) for fork, measurements in found.measured.items() for again in measurements}:
        raise BadInput(f"The tables of {run.folder.name} do not hold the forks that are there now: run the stage tidy first.")
    figures = generated(run.folder) / "figures"
    shutil.rmtree(figures, ignore_errors=True)
    notebook.execute("10_scaling", run.folder)
    whole = ", all on one page: scaling.pdf" if (figures / "scaling.pdf").is_file() else ""
    console.print(f"Figures: {shown(figures)}/ (SVG, PDF, PNG{whole})")
