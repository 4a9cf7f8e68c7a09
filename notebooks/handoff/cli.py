"""Handoff's one command line; `./run_all.sh` hands over to it.

[PROFILE] [STAGE ...] [--data DIR]    measure, tidy and draw
test                                  check this checkout: Java and Python tests, linters, one real smoke sweep
lab                                   JupyterLab on this machine only
"""

import argparse
import signal
import sys
from pathlib import Path

from rich.console import Console

from handoff import check, lab, notebook, tidy, watch
from handoff.errors import BAD_INPUT, COMPLETE, INCOMPLETE, OUR_FAILURE, BadInput, Failure
from handoff.names import counted
from handoff.paths import RUNS, generated, run_folder, shown
from handoff.run import cost, jar, jdk, store, sweep

STAGES = ("build", "measure", "tidy", "figures")
SIGNALLED = 128
PROFILES = (
    "quick (default): an honest small measurement; smoke: proves the road, says nothing; paper: the published sizes, hours; "
    "load, sensitivity: more questions to the same study; reference, or any run's name: redraw it, measure nothing; "
    "or the path of a sweep"
)
console = Console(highlight=False, soft_wrap=True)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="./run_all.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("profile", nargs="?", default="quick", metavar="PROFILE", help=PROFILES)
    made.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {', '.join(STAGES)} (default: all, in this order)")
    made.add_argument("--data", type=Path, default=RUNS, metavar="DIR", help="keep the runs in DIR instead of data/runs")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code; every bad ending is one sentence on standard error."""
    options = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, watch.terminated)
    try:
        return {"test": check.run, "lab": lab.run}.get(options.profile, go)(options)
    except BadInput as mistake:
        return say(mistake, BAD_INPUT)
    except Failure as failure:
        return say(failure, OUR_FAILURE)
    except OSError as refused:
        return say(f"{refused.filename or 'a file'}: {refused.strerror}.", BAD_INPUT)
    except watch.Interrupted as stop:
        return say(f"Stopped ({stop}). Nothing measured is lost: the same command goes on from here.", SIGNALLED + stop.number)
    except KeyboardInterrupt:
        return say("Stopped.", SIGNALLED + 2)


def say(sentence: object, code: int) -> int:
    print(sentence, file=sys.stderr)
    return code


def go(options: argparse.Namespace) -> int:
    unknown = [stage for stage in options.stages if stage not in STAGES]
    if unknown:
        raise BadInput(f"{unknown[0]} is no stage: allowed is {', '.join(STAGES)}.")
    folder = existing(options.profile, options.data.resolve())
    if folder:
        return redraw(folder, options.stages)
    stages = options.stages or list(STAGES)
    file = sweep.find(options.profile)
    sweep.load(file)
    java = jdk.find()
    if "build" in stages and jar.build(java):
        console.print("Built java-bench/target/benchmarks.jar.")
    if not jar.JAR.is_file():
        raise BadInput(f"{shown(jar.JAR)} is not there: run the stage build first.")
    if stages == ["build"]:
        return COMPLETE
    run = store.prepare(file.stem, file, java, options.data.resolve(), create="measure" in stages)
    if "measure" in stages:
        measure(run)
    return read_only(run, stages)


def existing(profile: str, runs: Path) -> Path | None:
    """The folder of a run that the word names: the shipped one, one by name, or one by path; None when it names a sweep."""
    if profile == "reference":
        return run_folder("reference")
    candidates = [folder for folder in (Path(profile), runs / profile) if (folder / "plan.json").is_file()]
    return candidates[0].resolve() if candidates else None


def redraw(folder: Path, stages: list[str]) -> int:
    """Reads a run that exists, whatever machine it comes from."""
    measuring = [stage for stage in stages if stage not in ("tidy", "figures")]
    if measuring:
        raise BadInput(f"{folder.name} is a run, not a sweep: its stages are tidy and figures, not {measuring[0]}.")
    return read_only(store.read(folder), stages or ["tidy", "figures"])


def measure(run: store.Run) -> None:
    """Says what it will cost, then runs the notebooks 00 and 01."""
    missing = run.missing()
    why = store.changed(run)
    console.print(f"Run {run.folder.name}" + (f", new: {why}." if why and len(missing) == len(run.tasks()) else "."))
    left_out = [point.unavailable for point in run.points if point.unavailable]
    for reason in dict.fromkeys(left_out):
        console.print(f"  left out, {counted(left_out.count(reason), 'point')}: {reason}")
    shared = sum(point.oversubscribed for point in run.points)
    console.print(
        f"  {counted(len(run.points), 'point')}, {counted(len(run.tasks()), 'fork')}; oversubscribed here: {counted(shared, 'point')}."
    )
    if not missing:
        console.print("  All forks are there: nothing to measure.")
        return
    expected = cost.in_words(cost.tasks_seconds(missing))
    console.print(f"  {counted(len(missing), 'fork')} to measure, about {expected}. Interrupt at any time: the same command goes on.")
    (run.folder / "progress.json").unlink(missing_ok=True)
    notebook.execute("00_machine", run.folder)
    notebook.execute("01_measure", run.folder, watch.watcher(run.folder, console))


def read_only(run: store.Run, stages: list[str]) -> int:
    """Tidies and draws, and says where the results are. INCOMPLETE when forks are missing."""
    if "tidy" in stages:
        notebook.execute("02_tidy", run.folder)
        console.print(f"Table:   {shown(run.folder / 'tidy')}/scaling.csv")
    if "figures" in stages:
        if tidy.load(run, "points")["found"].sum() != len(run.tasks()) - len(run.missing()):
            raise BadInput(f"The tables of {run.folder.name} do not hold the forks that are there now: run the stage tidy first.")
        notebook.execute("10_scaling", run.folder)
        figures = generated(run.folder) / "figures"
        whole = ", all on one page: scaling.pdf" if (figures / "scaling.pdf").is_file() else ""
        console.print(f"Figures: {shown(figures)}/ (SVG, PDF, PNG{whole})")
    missing = run.missing()
    if missing:
        failed = len(list((run.folder / "failed").glob("*.txt")))
        reasons = f", {failed} failed: reasons in {shown(run.folder / 'failed')}" if failed else ""
        return say(f"{len(missing)} of {len(run.tasks())} forks are missing{reasons}.", INCOMPLETE)
    return COMPLETE
