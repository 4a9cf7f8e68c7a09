"""The archive that a student hands in next to the notebook: the prediction and the run.

While nbgrader grades, the archive is all that is known of the measurement: nothing is measured.
"""

import os
import shutil
import tempfile
from pathlib import Path

from handoff import archive
from handoff.errors import HandoffError
from handoff.labs import measuring
from handoff.labs.borrowed import borrow_forks
from handoff.labs.forks import BORROWED, is_borrowed
from handoff.labs.work import PREDICTION, RUNS, TRIALS, Work
from handoff.run.host.machine import count_usable_cores
from handoff.run.plan import expansion
from handoff.run.store.forks import read_forks
from handoff.run.store.identity import hash_sweep
from handoff.run.store.provenance import STARTS
from handoff.run.store.run import Run

FILE = "run.zip"
MOST_BYTES = 64 * 2**20
"""Largest size of an unpacked archive."""

KEPT = ("machine.json", "run.json", "plan.json", "sweep.yml", "forks", STARTS)


def is_grading() -> bool:
    """Return whether nbgrader runs this notebook to grade it; it sets the variable."""
    return os.environ.get("NBGRADER_EXECUTION") == "autograde"


def save_work(work: Work) -> str:
    """Write the archive next to the notebook, and return what it holds.

    A borrowed run is named, not copied. Raise BadInput before everything is measured.
    """
    measured = work.find_measured()
    with tempfile.TemporaryDirectory(prefix="handoff-save-") as name:
        folder = Path(name)
        shutil.copy(work.folder / PREDICTION, folder / PREDICTION)
        if not isinstance(measured, Run):
            shutil.copy(work.folder / TRIALS, folder / TRIALS)
            content = "the findings of your tests"
        elif is_borrowed(measured):
            (folder / BORROWED).touch()
            content = "the name of the run that you borrowed"
        else:
            run = measured.folder
            left_out = {path.name for path in run.iterdir()}.difference(KEPT)
            shutil.copytree(run, folder / RUNS / run.name, ignore=lambda *_: left_out)
            content = f"your {len(measured.tasks())} forks"
        archive.pack_folder(folder, work.folder / FILE)
    return f"your prediction and {content}"


def open_saved(work: Work) -> None:
    """Unpack the archive of the current folder into the work's, or note why it is refused.

    That is a file that is missing or damaged, and a run that is not what the lab measures.
    """
    if not Path(FILE).is_file():
        work.refused = f"{FILE} was not handed in with the notebook"
        return
    try:
        archive.unpack_archive(Path(FILE), work.folder, MOST_BYTES)
        if (work.folder / BORROWED).is_file():
            borrow_forks(work)
            return
        measured = work.find_measured()
        wrong = describe_run(work, measured) if isinstance(measured, Run) else ""
    except HandoffError as error:
        wrong = str(error)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        wrong = f"it is damaged ({type(error).__name__})"
    if wrong:
        # No cell may read a run that does not count.
        shutil.rmtree(work.folder / RUNS, ignore_errors=True)
        work.refused = f"{FILE}: {wrong.rstrip('.')}"


def describe_run(work: Work, run: Run) -> str:
    """Return why a run is not what the lab measures for this prediction, or ''."""
    request = measuring.make_sweep(work, (work.lab.own_class and run.sweep.jvm.yours) or "")
    if not hash_sweep(request.sweep) == hash_sweep(run.sweep) == run.identity.get("sweep"):
        return "the run is of another sweep than this lab's"
    cores = count_usable_cores(run.machine)
    unplaced = any(point.unplaced for point in run.points)
    due = expansion.expand_points(request.sweep, "the lab", cores, unplaced=unplaced)
    forks = request.sweep.forks
    planned = [(p.key, p.shots, p.warmup, p.warmup_limit) for p in run.points]
    wanted = [(p.key, p.shots, p.warmup, p.warmup_limit) for p in due]
    numbers = [forks.oversubscribed if p.oversubscribed else forks.fitting for p in run.points]
    same = planned == wanted and [point.forks for point in run.points] == numbers
    if not same or run.sessions != 1 or run.extensions:
        return "its plan is not this lab's"
    corrupt: list[str] = []
    list(read_forks(run, corrupt))
    return next(iter(corrupt), "")
