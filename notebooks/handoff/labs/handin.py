"""The work that a student hands in: answers as files, the grader's checks of them, and the pack."""

import shutil
import tempfile
from pathlib import Path

from handoff import archive
from handoff.errors import BadInput, Failure
from handoff.labs import measuring, ownclass
from handoff.labs.answers import JavaClass, Model, parse_numbers
from handoff.labs.apart import run_functions
from handoff.labs.check import Check
from handoff.labs.forks import BORROWED
from handoff.labs.lessons import correctness
from handoff.labs.marks import Marker
from handoff.labs.work import ANSWERS, PREDICTION, RUNS, TRIALS, Work
from handoff.paths import display_path
from handoff.run.java.command import locate_classes
from handoff.run.store.provenance import STARTS
from handoff.run.store.run import Run
from handoff.text import pluralize

MOST_BYTES = 64 * 2**20
"""Largest size of an unpacked pack."""

CLASSES = "classes"
"""Folder of the student's own classes that were measured."""

KEPT = ("machine.json", "run.json", "plan.json", "sweep.yml", "forks", BORROWED, STARTS)


def register_magic(work: Work) -> None:
    """Register `%%answer NAME`, which writes the cell's text to the answer's file.

    The functions of a code answer are also defined in the notebook.
    """
    shell = measuring.find_shell()
    if shell is None:
        return

    def answer(line: str, cell: str) -> None:
        file = work.write_answer(line.strip(), cell)
        if file.suffix == ".py":
            shell.run_cell(cell)
        elif file.suffix == ".yml":
            # A mistake is reported now, not when the answer is graded.
            parse_numbers(cell, line.strip())
        print(f"Written: {display_path(file)}")

    shell.register_magic_function(answer, magic_kind="cell", magic_name="answer")


def make_marker(work: Work) -> Marker:
    """Return what makes the checks of the grader on visible cases, with the student's own forks."""
    measured, reason = None, ""
    try:
        measured = measuring.find_measured(work)
        if isinstance(measured, Run) and (missing := measured.missing()):
            measured, reason = None, f"{pluralize(len(missing), 'fork')} missing: measure again"
    except BadInput as wrong:
        reason = str(wrong)
    return Marker(work, measured, reason, run_functions, lambda *given: try_java(work, *given))


def try_java(work: Work, answer: JavaClass, source: str) -> tuple[float, str]:
    """Try a class or a model, unless it was tried since it last changed.

    Only an error of the set-up is raised; one of the source earns nothing.
    """
    if kept := work.read_tried(source):
        return kept
    java = ownclass.prepare_java()
    try:
        if isinstance(answer, Model):
            return correctness.try_model(work, lambda line: None)
        return measuring.try_class(work, java)
    except (BadInput, Failure) as wrong:
        return 0.0, str(wrong)


def print_checks(work: Work) -> bool:
    """Make the grader's checks on visible cases, print each, and return whether all pass."""
    if work.read_stated() is None:
        print("Predict first.")
        return False
    marker = make_marker(work)
    if marker.reason:
        print(f"{'Trials' if work.lab.trials else 'Forks'}: {marker.reason}")
    checks = marker.mark()
    print(*map(format_check, checks), sep="\n")
    total = sum(check.points for check in checks)
    earned = sum(check.earned or 0 for check in checks)
    open_points = sum(check.points for check in checks if check.earned is None)
    unchecked = f"; {open_points:g} could not be checked here" if open_points else ""
    print(f"{earned:g} of {total:g} points on the cases that you can see{unchecked}.")
    complete = all(check.passed for check in checks)
    if complete:
        print("Complete: pack it. The grader makes the same checks on other cases.")
    return complete


def format_check(check: Check) -> str:
    """Return a line such as '  0 of 1    per_fork: sleeps   wrong in 3 of 8 cases'."""
    earned = "?" if check.earned is None else f"{check.earned:.3g}"
    points = f"{earned:>4} of {check.points:<4g}" if check.points else " " * 12
    return f"{points} {check.name:28} {check.sentence}"


def list_missing(work: Work) -> list[str]:
    """Return a line for each part of the pack that is missing or not of the right form."""
    if work.read_stated() is None:
        return ["The prediction is missing."]
    reason = make_marker(work).reason
    problems = [f"{'Trials' if work.lab.trials else 'Forks'}: {reason}"] if reason else []
    faults = [(answer, work.describe_form(answer)) for answer in work.lab.answers]
    return problems + [f"{a.name}: {fault} ({a.question})." for a, fault in faults if fault]


def make_pack(work: Work) -> Path:
    """Write the pack, one archive of prediction, answers and run, into the work's folder."""
    work.require()
    file = work.folder / f"lab{work.lab.number}-{work.pseudonym}{archive.SUFFIX}"
    with tempfile.TemporaryDirectory(prefix="handoff-pack-") as name:
        folder = Path(name)
        shutil.copy(work.folder / PREDICTION, folder / PREDICTION)
        for answer in work.lab.answers:
            if (work.answers / answer.file).is_file():
                (folder / ANSWERS).mkdir(exist_ok=True)
                shutil.copy(work.answers / answer.file, folder / ANSWERS / answer.file)
        if work.lab.trials:
            measuring.read_trials(work)
            shutil.copy(work.folder / TRIALS, folder / TRIALS)
        else:
            copy_run(work.find_run(), folder)
        archive.pack_folder(folder, file)
    return file


def copy_run(run: Run, folder: Path) -> None:
    """Copy the run, and the student's classes that it was measured with, into a pack's folder."""
    inside = folder / RUNS / run.folder.name
    inside.mkdir(parents=True)
    for path in (run.folder / name for name in KEPT):
        if path.is_dir():
            shutil.copytree(path, inside / path.name)
        elif path.is_file():
            shutil.copy(path, inside / path.name)
    if run.sweep.jvm.yours:
        classes = locate_classes(run.sweep.jvm.yours)
        if not classes.is_dir():
            # A build of the jar empties their folder.
            raise BadInput("The classes that were measured are gone: measure again.")
        shutil.copytree(classes, folder / CLASSES)
