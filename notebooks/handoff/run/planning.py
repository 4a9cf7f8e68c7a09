"""Find or create the run of a sweep on a machine."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import find_start, list_run_folders, locate_run, read_identity, restore_folder
from handoff.run import calibration
from handoff.run.host import machine
from handoff.run.java import arms, command, jar
from handoff.run.java.jdk import Jdk
from handoff.run.plan import expansion
from handoff.run.plan.points import Amounts, Point
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.sweep import Sweep
from handoff.run.store.identity import (
    IDENTITY_KEYS,
    SETUP_KEYS,
    compute_identity,
    describe_difference,
    hash_identity,
    list_other,
)
from handoff.run.store.provenance import format_now
from handoff.run.store.run import Run, read_run


class Planner(Protocol):
    """A planner for the machine that a sweep is for."""

    def identify(self, asked: SweepRequest) -> tuple[dict, dict[str, str]]:
        """Return the machine and the identity of the run there."""

    def plan(self, asked: SweepRequest) -> tuple[list[Point], Amounts]:
        """Return every point of the sweep, and the calibrated amounts of work for its words."""


class LocalPlanner(NamedTuple):
    """The planner for this machine, or to preview the one whose sys and proc are in `root`."""

    jdk: Jdk
    root: Path = jar.HERE

    def identify(self, asked: SweepRequest) -> tuple[dict, dict[str, str]]:
        there = describe_here(self.jdk, self.root)
        return there, compute_identity(asked.sweep, there, self.jdk)

    def plan(self, asked: SweepRequest) -> tuple[list[Point], Amounts]:
        planned = self.preview(asked)
        words = calibration.find_words(asked.sweep, asked.source)
        amounts = calibration.calibrate_amounts(words, asked.sweep, self.jdk)
        return plan_points(asked, self.jdk, amounts) if amounts else planned, amounts

    def preview(self, asked: SweepRequest) -> list[Point]:
        """Return every point of the sweep, with guessed amounts of work: nothing is measured."""
        return plan_points(asked, self.jdk, root=self.root)


def describe_here(jdk: Jdk, root: Path = jar.HERE) -> dict:
    return machine.describe_machine(jar.query_topology(jdk, root), root)


def plan_points(
    asked: SweepRequest, jdk: Jdk, amounts: Amounts | None = None, root: Path = jar.HERE
) -> list[Point]:
    """Return every point of the sweep, placed on a machine; amounts are guessed unless given.

    Where the kernel refuses to place the heap, and the sweep does not ask for a place, points are
    planned without one. Raise BadInput if a point is invalid, or if a refused place was asked for.
    """
    javas = arms.resolve_arms(asked.sweep, jdk, asked.source)
    for arm, java in javas.items():
        planned = asked.sweep.make_jvm(arm)
        if planned.flags:
            own = arm and asked.sweep.arms[arm].flags
            named = f"{asked.source}: {f'arms.{arm}' if own else 'jvm'}.flags"
            jar.check_flags(java, command.build_flags(planned, "PARALLEL", java.feature), named)
    here = describe_here(jdk, root)
    require_memory(asked, here)
    command.require_classes(asked.sweep.jvm, asked.source)
    cores = machine.count_usable_cores(here)
    amounts = amounts or calibration.guess_amounts(
        calibration.find_words(asked.sweep, asked.source)
    )

    def place(unplaced: bool) -> list[Point]:
        expanded = expansion.expand_points(asked.sweep, asked.source, cores, amounts, unplaced)
        answers = check_points(javas, expanded, root)
        return expansion.settle_points(asked.sweep, expanded, answers, asked.source)

    points = place(unplaced=False)
    if root == jar.HERE and command.find_refusal(points):
        points = place(unplaced=True)
        if refusal := command.find_refusal(points):
            raise BadInput(f"{asked.source}: {refusal}")
    require_forks(points, asked.source)
    return points


def require_memory(asked: SweepRequest, here: dict) -> None:
    memory = here["memory_gib"]
    if memory and asked.sweep.jvm.heap_mib > memory << 10:
        raise BadInput(
            f"{asked.source}: jvm.heap: {asked.sweep.jvm.heap} is more than the {memory} GiB of"
            " memory of this machine."
        )


def require_forks(points: list[Point], source: str) -> None:
    if not any(point.forks for point in points):
        reasons = dict.fromkeys(point.unavailable for point in points if point.unavailable)
        why = " ".join(reasons) or "all threads share cores, and oversubscribed is 0."
        raise BadInput(f"{source}: nothing can be measured here: {why}")


def check_points(javas: Mapping[str, Jdk], points: list[Point], root: Path) -> list[dict]:
    """Return the answer to each point of the jar that its arm measures with."""
    answers: dict[str, dict] = {}
    for arm, java in javas.items():
        asked = [point for point in points if point.arm == arm]
        listed = jar.check_points(java, asked, root)
        answers |= {point.key: answer for point, answer in zip(asked, listed, strict=True)}
    return [answers[point.key] for point in points]


def prepare_run(asked: SweepRequest, planner: Planner, runs: Path, create: bool) -> Run:
    """Return the run of this sweep and set-up; `create` its folder, or raise BadInput."""
    new = identify_run(asked, planner)
    folder = find_folder(new, runs)
    if (folder / "plan.json").is_file():
        return read_run(restore_folder(folder) if create else folder)
    if not create:
        raise BadInput(
            f"{folder.name} was not measured yet (this sweep, machine, jar and JDK): measure"
            " it first."
        )
    write_run(asked, new, folder, planner)
    return read_run(folder)


def find_folder(new: Run, runs: Path) -> Path:
    """Return the folder of the run, or of one extended to its sweep, or where it would be."""
    folder = runs / new.folder
    return locate_run(folder) or find_extended(new.identity, runs) or folder


def find_extended(identity: dict, runs: Path) -> Path | None:
    """Return the folder of a run that was extended to this sweep."""
    for folder in list_run_folders(runs):
        known = read_identity(folder)
        try:
            last = known["extensions"][-1]["sweep"]
        except (LookupError, TypeError):
            # Not extended, or damaged, which is reported when that run is loaded.
            continue
        if last == identity["sweep"] and not list_other(identity, known, SETUP_KEYS):
            return folder
    return None


def write_run(asked: SweepRequest, new: Run, folder: Path, planner: Planner) -> None:
    planned, amounts = planner.plan(asked)
    (folder / "forks").mkdir(parents=True, exist_ok=True)
    (folder / "sweep.yml").write_text(asked.text, encoding="utf-8")
    write_json(folder / "machine.json", new.machine)
    start = {
        "profile": asked.profile,
        "started": format_now(),
        "amounts": amounts,
        "planned_sessions": 1,
    }
    write_json(folder / "run.json", new.identity | start)
    # The plan comes last: only a folder with a plan is a run.
    write_json(folder / "plan.json", [point.model_dump() for point in planned])


def identify_run(asked: SweepRequest, planner: Planner) -> Run:
    """Return the run without points, with a folder that may not exist."""
    here, identity = planner.identify(asked)
    return Run(Path(f"{asked.profile}-{hash_identity(identity)}"), asked.sweep, identity, here, [])


def require_same_setup(run: Run, jdk: Jdk, extended: Sweep | None = None) -> None:
    """Raise BadInput unless this machine, jar, JDK and flags are those of the run.

    The sweep must be the run's too, unless another one is given, to which the run is `extended`.
    """
    command.require_classes(run.sweep.jvm, run.folder.name)
    # Equal machines report slightly different memory.
    here = machine.adopt(describe_here(jdk), [run.machine])
    now = compute_identity(extended or run.sweep, here, jdk)
    keys = SETUP_KEYS if extended else IDENTITY_KEYS
    if different := [key for key in list_differences(run, now) if key in keys]:
        raise BadInput(
            f"{run.folder.name} was measured with {describe_difference(different)}: no fork is"
            " added to it; start a new run."
        )


def list_differences(run: Run, now: dict[str, str]) -> list[str]:
    then = run.identity | {"sweep": run.sweep_hash}
    return list_other(then, now, IDENTITY_KEYS)


def explain_new_run(run: Run) -> str:
    """Return how this run differs from the latest of its profile, or '' for the first."""
    named = run.folder.parent.glob(f"{run.identity['profile']}-*/run.json")
    folders = [file.parent for file in named if file.parent != run.folder]
    others = [folder for folder in folders if read_identity(folder)]
    if not others:
        return ""
    latest = max(others, key=find_start)
    different = list_other(read_identity(latest), run.identity, IDENTITY_KEYS)
    hint = f"; extend {latest.name} would add to that" if different == ["sweep"] else ""
    return f"{describe_difference(different)} than {latest.name}{hint}"
