"""What stands for measuring: the archive handed in with a notebook, and shipped forks to borrow.

While nbgrader grades, the archive is all that is known of the measurement: nothing is measured.
"""

import os
import shutil
import tempfile
from pathlib import Path

from handoff import archive
from handoff.errors import BadInput, HandoffError
from handoff.files import write_json
from handoff.labs.forks import BORROWED, is_borrowed
from handoff.labs.lab import Lab
from handoff.labs.work import PLAN, PREDICTION, RUNS, TRIALS, Work
from handoff.paths import SHIPPED, display_path, find_run_folder
from handoff.run.host.machine import count_usable_cores
from handoff.run.plan import expansion
from handoff.run.plan.points import Point
from handoff.run.store.identity import hash_sweep
from handoff.run.store.provenance import STARTS
from handoff.run.store.run import Run, read_run
from handoff.run.store.state import read_forks

FILE = "run.zip"
MOST_BYTES = 64 * 2**20
"""Largest size of an unpacked archive."""

KEPT = ("machine.json", "run.json", PLAN, "sweep.yml", "forks", STARTS)

CORES = 2
"""Cores for which the points of a borrowed run are planned."""

IGNORED = {"events", "capacity"}
"""Parameters in which a shipped point may differ from the lab's."""

DROPPED = ("sessions", "extensions", "planned_sessions")
"""Parts of the shipped run's identity that are about all of its forks."""


def is_grading() -> bool:
    """Return whether nbgrader runs this notebook to grade it; it sets the variable."""
    return os.environ.get("NBGRADER_EXECUTION") == "autograde"


def save_work(work: Work) -> None:
    """Write the archive next to the notebook.

    A borrowed run is named, not copied. Raise BadInput before everything is measured.
    """
    measured = work.find_measured()
    with tempfile.TemporaryDirectory(prefix="handoff-save-") as name:
        folder = Path(name)
        shutil.copy(work.folder / PREDICTION, folder)
        if not isinstance(measured, Run):
            shutil.copy(work.folder / TRIALS, folder)
        elif is_borrowed(measured):
            (folder / BORROWED).touch()
        else:
            run = measured.folder
            left_out = {path.name for path in run.iterdir()}.difference(KEPT)
            shutil.copytree(run, folder / RUNS / run.name, ignore=lambda *_: left_out)
        archive.pack_folder(folder, work.folder / FILE)


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
        elif isinstance(measured := work.find_measured(), Run):
            require_run_of(work, measured)
    except (HandoffError, OSError, ValueError, KeyError, TypeError) as wrong:
        work.refused = f"{FILE}: {wrong}".rstrip(".")


def require_run_of(work: Work, run: Run) -> None:
    """Raise BadInput unless a run is what the lab measures for this prediction."""
    request = work.make_sweep(run.sweep.jvm.yours or "")
    unplaced = any(point.unplaced for point in run.points)
    due = expansion.expand_points(
        request.sweep, request.source, count_usable_cores(run.machine), unplaced=unplaced
    )
    planned = [(point.key, point.shots, point.warmup, point.forks) for point in run.points]
    wanted = [(p.key, p.shots, p.warmup, request.sweep.forks.fitting) for p in due]
    if hash_sweep(request.sweep) != hash_sweep(run.sweep) or planned != wanted:
        raise BadInput("the run is of another sweep than this lab's")
    corrupt: list[str] = []
    list(read_forks(run, corrupt))
    if corrupt:
        raise BadInput(corrupt[0])


def borrow_forks(work: Work) -> Run:
    """Copy shipped forks that fit the lab into the student's work, the same for every student."""
    work.require()
    kept = work.folder / RUNS / "borrowed"
    if work.run_folders not in ([], [kept]):
        raise BadInput("You have measured forks of your own: use those.")
    if not work.lab.forks_borrowed:
        raise BadInput(
            f"No shipped forks fit lab {work.lab.number}: it needs Linux and a JDK. Without them"
            " you can read it, predict, and try its step-throughs."
        )
    shutil.rmtree(kept, ignore_errors=True)
    copy_forks(work, kept)
    return read_run(kept)


def copy_forks(work: Work, folder: Path) -> None:
    """Write the run that is borrowed, with the lab's points for which its points stand."""
    shipped, number = read_run(find_run_folder(SHIPPED)), work.lab.forks_borrowed
    wanted = expansion.expand_points(work.make_sweep().sweep, f"lab {work.lab.number}", CORES)
    pairs = [(point, find_stand_in(work.lab, point, shipped)) for point in wanted]
    (folder / "forks").mkdir(parents=True)
    shutil.copy(shipped.sweep_file, folder / "sweep.yml")
    shutil.copy(shipped.folder / "machine.json", folder)
    identity = {key: value for key, value in shipped.identity.items() if key not in DROPPED}
    write_json(folder / "run.json", identity)
    plan = [point.model_copy(update={"forks": number}) for _, point in pairs]
    write_json(folder / PLAN, [point.model_dump() for point in plan])
    aliases = {point.key: wanted.params for wanted, point in pairs}
    write_json(folder / BORROWED, aliases)
    kept = {point.fork_name(fork) for point in plan for fork in range(number)}
    for file in (shipped.folder / "forks").glob("*.json"):
        if file.stem.partition(".again")[0] in kept:
            shutil.copy(file, folder / "forks")


def find_stand_in(lab: Lab, wanted: Point, shipped: Run) -> Point:
    """Return the shipped point with the same parameters, except those that the lab replaces."""
    params = dict(wanted.params)
    for given, instead in lab.stand_ins:
        if given.items() <= wanted.params.items():
            params |= instead
    for point in shipped.points:
        # A run from before a parameter existed has its default.
        differing = {k for k, v in params.items() if point.params.get(k, v) != v}
        if point.study == wanted.study and differing <= IGNORED:
            return point
    raise BadInput(f"{display_path(shipped.folder)} has no forks of {wanted}.")
