"""Shipped forks in place of the student's own, on a machine that cannot measure."""

import shutil
from pathlib import Path

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.labs.forks import BORROWED
from handoff.labs.lab import Lab
from handoff.labs.measuring import make_sweep
from handoff.labs.work import RUNS, Work
from handoff.paths import SHIPPED, display_path, find_run_folder
from handoff.run.plan import expansion
from handoff.run.plan.points import Point
from handoff.run.store.forks import read_forks
from handoff.run.store.run import Run, read_run

FOLDER = "borrowed"
CORES = 2
IGNORED = {"events", "capacity"}
"""Parameters in which a shipped point may differ from the lab's."""

DROPPED = ("sessions", "extensions", "planned_sessions")
"""Parts of the shipped run's identity that are about all of its forks."""


def borrow_forks(work: Work) -> Run:
    """Copy shipped forks that fit the lab into the student's work, the same for every student."""
    work.require()
    kept = work.folder / RUNS / FOLDER
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
    wanted = expansion.expand_points(make_sweep(work).sweep, f"lab {work.lab.number}", CORES)
    pairs = [(point, find_stand_in(work.lab, point, shipped)) for point in wanted]
    (folder / "forks").mkdir(parents=True)
    shutil.copy(shipped.sweep_file, folder / "sweep.yml")
    shutil.copy(shipped.folder / "machine.json", folder)
    identity = {key: value for key, value in shipped.identity.items() if key not in DROPPED}
    write_json(folder / "run.json", identity)
    plan = [point.model_copy(update={"forks": number}) for _, point in pairs]
    write_json(folder / "plan.json", [point.model_dump() for point in plan])
    aliases = {point.key: wanted.params for wanted, point in pairs}
    write_json(folder / BORROWED, {"run": SHIPPED, "params": aliases})
    for point, fork in read_forks(shipped, []):
        if point.key in aliases and fork.fork < number:
            name = point.fork_name(fork.fork, fork.again)
            shutil.copy(shipped.folder / "forks" / f"{name}.json", folder / "forks")


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
