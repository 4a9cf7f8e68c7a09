"""What is handed in: one file with the prediction, the answers and the run."""

import shutil
import tempfile
from pathlib import Path

from handoff import archive
from handoff.errors import BadInput
from handoff.labs.trials import read_trials
from handoff.labs.work import ANSWERS, PREDICTION, RUNS, TRIALS, Work
from handoff.run.java.command import locate_classes
from handoff.run.store.provenance import STARTS
from handoff.run.store.run import Run

MOST_BYTES = 64 * 2**20
"""Unpacked."""

CLASSES = "classes"
"""Of the student's own class, as they were measured."""

KEPT = ("machine.json", "run.json", "plan.json", "sweep.yml", "forks", *STARTS)


def name_pack(work: Work) -> str:
    return f"lab{work.lab.number}-{work.pseudonym}{archive.SUFFIX}"


def make_pack(work: Work) -> Path:
    """Writes the pack into the work's folder. BadInput before there is a prediction."""
    work.require()
    file = work.folder / name_pack(work)
    with tempfile.TemporaryDirectory(prefix="handoff-pack-") as name:
        folder = Path(name)
        shutil.copy(work.folder / PREDICTION, folder / PREDICTION)
        for answer in work.lab.answers:
            if (work.answers / answer.file).is_file():
                (folder / ANSWERS).mkdir(exist_ok=True)
                shutil.copy(work.answers / answer.file, folder / ANSWERS / answer.file)
        if work.lab.trials:
            read_trials(work)
            shutil.copy(work.folder / TRIALS, folder / TRIALS)
        else:
            copy_run(work.find_run(), folder)
        archive.pack_folder(folder, file)
    return file


def copy_run(run: Run, folder: Path) -> None:
    """The run, and the student's own classes that it was measured with. BadInput where these are
    gone.
    """
    inside = folder / RUNS / run.folder.name
    inside.mkdir(parents=True)
    for kept in KEPT:
        copy_into(run.folder / kept, inside)
    if run.sweep.jvm.yours:
        kept_classes = locate_classes(run.sweep.jvm.yours)
        if not kept_classes.is_dir():
            # Building the jar anew empties its folder.
            raise BadInput("The classes that were measured are gone: measure again.")
        shutil.copytree(kept_classes, folder / CLASSES)


def copy_into(path: Path, folder: Path) -> None:
    if path.is_dir():
        shutil.copytree(path, folder / path.name)
    elif path.is_file():
        shutil.copy(path, folder / path.name)
