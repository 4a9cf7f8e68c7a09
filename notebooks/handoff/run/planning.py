"""From a sweep to its run on this machine: planned, found or begun."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import locate_run, restore_folder
from handoff.run import calibration
from handoff.run.host import machine
from handoff.run.java import jar, jvm
from handoff.run.java.jdk import Jdk
from handoff.run.plan import expansion
from handoff.run.plan.points import Amounts, Point
from handoff.run.plan.selection import SweepRequest
from handoff.run.store.identity import (
    IDENTITY_KEYS,
    SETUP_KEYS,
    compute_identity,
    describe_difference,
    hash_identity,
    list_other,
)
from handoff.run.store.run import Run, read_run


class Planner(Protocol):
    """Who knows the machine that a sweep is for."""

    def identify(self, asked: SweepRequest) -> tuple[dict, dict[str, str]]:
        """The machine, and what the run's identity is there."""

    def plan(self, asked: SweepRequest) -> tuple[list[Point], Amounts]:
        """Every point of the sweep, and the work that stands for its words, which is measured."""


class LocalPlanner(NamedTuple):
    """This machine."""

    jdk: Jdk

    def identify(self, asked: SweepRequest) -> tuple[dict, dict[str, str]]:
        here = machine.describe_machine(jar.query_topology(self.jdk))
        return here, compute_identity(asked.sweep, here, self.jdk)

    def plan(self, asked: SweepRequest) -> tuple[list[Point], Amounts]:
        planned = plan_points(asked, self.jdk)
        words = calibration.find_words(asked.sweep, asked.source)
        amounts = calibration.calibrate_amounts(words, asked.sweep, self.jdk)
        return plan_points(asked, self.jdk, amounts) if amounts else planned, amounts


def plan_points(asked: SweepRequest, jdk: Jdk, amounts: Amounts | None = None) -> list[Point]:
    """Every point of the sweep, with its places on this machine; work in `amounts`, or guessed.

    BadInput when one is wrong anywhere.
    """
    if asked.sweep.jvm.flags:
        flags = jvm.build_flags(asked.sweep.jvm, "PARALLEL", jdk.feature)
        jar.check_flags(jdk, flags, asked.source)
    expanded = expansion.expand_points(
        asked.sweep,
        asked.source,
        machine.count_usable_cores(machine.describe_machine(jar.query_topology(jdk))),
        amounts or calibration.guess_amounts(calibration.find_words(asked.sweep, asked.source)),
    )
    return expansion.settle_points(
        asked.sweep, expanded, jar.check_points(jdk, expanded), asked.source
    )


def prepare_run(asked: SweepRequest, planner: Planner, runs: Path, create: bool) -> Run:
    """The run of this sweep, machine, jar and JDK: the one that exists, or a new folder.

    BadInput before anything is written.
    """
    new = plan_run(asked, planner)
    folder = find_folder(new, runs)
    there = locate_run(folder)
    if there is not None:
        folder = restore_folder(there) if create else there
    else:
        if not create:
            raise BadInput(
                f"{folder.name} was not measured yet (this sweep, machine, jar and JDK): the stage"
                " measure does it."
            )
        write_run(asked, new, folder, planner)
    return read_run(folder)


def find_folder(new: Run, runs: Path) -> Path:
    """Of the run that was begun with its sweep, else of one that was extended to it; else where it
    would be.
    """
    own = runs / new.folder
    if (own / "plan.json").is_file():
        return own
    return find_extended(new.identity, runs) or own


def find_extended(identity: dict, runs: Path) -> Path | None:
    """The folder of a run that was extended to this very sweep."""
    for file in sorted(runs.glob("*/run.json")):
        try:
            there = json.loads(file.read_text())
            last = there["extensions"][-1]["sweep"]
        except (OSError, ValueError, LookupError, TypeError):
            # Not extended, or not whole: whoever asks for that run by its name is told.
            continue
        if last == identity["sweep"] and not list_other(identity, there, SETUP_KEYS):
            return file.parent
    return None


def write_run(asked: SweepRequest, new: Run, folder: Path, planner: Planner) -> None:
    """Makes the folder of a new run."""
    planned, amounts = planner.plan(asked)
    (folder / "forks").mkdir(parents=True, exist_ok=True)
    (folder / "sweep.yml").write_text(asked.text, encoding="utf-8")
    write_json(folder / "machine.json", new.machine)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    write_json(
        folder / "run.json",
        new.identity | {"profile": asked.profile, "started": started, "amounts": amounts},
    )
    # Last: a folder with a plan is a run.
    write_json(folder / "plan.json", [point.model_dump() for point in planned])


def plan_run(asked: SweepRequest, planner: Planner) -> Run:
    """The run as it would be, without its points, with a folder that may not exist."""
    here, identity = planner.identify(asked)
    return Run(Path(f"{asked.profile}-{hash_identity(identity)}"), asked.sweep, identity, here, [])


def require_same_setup(run: Run, jdk: Jdk) -> None:
    """BadInput unless this machine, jar, JDK and sweep are those of the run: forks of two kinds are
    never pooled.
    """
    now = compute_identity(run.sweep, machine.describe_machine(jar.query_topology(jdk)), jdk)
    if other := list_differences(run, now):
        raise BadInput(
            f"{run.folder.name} was measured with {describe_difference(other)}: no fork is"
            " added to it; start a new run."
        )


def list_differences(run: Run, now: dict[str, str]) -> list[str]:
    """The parts of the run's identity that are others now."""
    then = run.identity | {"sweep": run.sweep_hash}
    return list_other(then, now, IDENTITY_KEYS)


def explain_new_run(run: Run) -> str:
    """Why this is a new run and not the latest of the same profile: '' when there
    was none before.
    """
    others = [
        f
        for f in run.folder.parent.glob(f"{run.identity['profile']}-*/run.json")
        if f.parent != run.folder
    ]
    if not others:
        return ""
    latest = max(others, key=lambda f: f.stat().st_mtime)
    try:
        before = json.loads(latest.read_text())
    except ValueError:
        return ""
    different = list_other(before, run.identity, IDENTITY_KEYS)
    hint = f"; extend {latest.parent.name} would add to that" if different == ["sweep"] else ""
    return f"{describe_difference(different)} than {latest.parent.name}{hint}"
