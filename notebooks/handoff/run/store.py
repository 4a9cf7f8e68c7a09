"""A run's folder: the only state there is.

machine.json   the machine            sweep.yml   the sweep, as it was
run.json       identity and start     plan.json   every point, with its threads or why not
sessions/      every start: command, versions, readiness
forks/ failed/ timed-out/ interrupted/ quarantine/    every fork in the folder of its state
tidy/          one table a study, rebuilt from forks/
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import display_path
from handoff.run import jar, jvm, load, machine, points
from handoff.run.identity import IDENTITY_KEYS, compute_identity, hash_identity
from handoff.run.jdk import Jdk
from handoff.run.points import Amounts, Point
from handoff.run.selection import SweepRequest
from handoff.run.sweep import Sweep
from handoff.run.sweepfile import load_sweep


class Run(NamedTuple):
    """One sweep on one machine."""

    folder: Path
    sweep: Sweep
    identity: dict
    machine: dict
    points: list[Point]

    @property
    def sessions(self) -> int:
        """How often every point is measured, each time with all its forks."""
        return self.identity.get("sessions", 1)

    @property
    def looks(self) -> int:
        """How often its claims are judged, which their error rates are split over."""
        return 2 if self.sweep.forks.most else 1

    def tasks(self) -> list[tuple[Point, int]]:
        return [
            (point, fork) for point in self.points for fork in range(point.forks * self.sessions)
        ]

    def missing(self) -> list[tuple[Point, int]]:
        there = {path.stem.partition(".")[0] for path in (self.folder / "forks").glob("*.json")}
        return [
            (point, fork) for point, fork in self.tasks() if f"{point.name}-{fork}" not in there
        ]

    def title(self) -> str:
        """One line for figures: run, machine, JDK."""
        return (
            f"run {self.folder.name}: {machine.summarize_machine(self.machine)},"
            f" {self.identity['jdk']}"
        )


def plan_points(asked: SweepRequest, jdk: Jdk, amounts: Amounts | None = None) -> list[Point]:
    """Every point of the sweep, with its places on this machine; work in `amounts`, or guessed.

    BadInput when one is wrong anywhere.
    """
    if asked.sweep.jvm.flags:
        flags = jvm.build_flags(asked.sweep.jvm, "PARALLEL", jdk.feature)
        jar.check_flags(jdk, flags, asked.source)
    expanded = points.expand_points(
        asked.sweep,
        asked.source,
        machine.count_usable_cores(machine.describe_machine(jdk)),
        amounts or load.guess_amounts(load.find_words(asked.sweep, asked.source)),
    )
    return points.settle_points(
        asked.sweep, expanded, jar.check_points(jdk, expanded), asked.source
    )


def prepare_run(asked: SweepRequest, jdk: Jdk, runs: Path, create: bool) -> Run:
    """The run of this sweep, machine, jar and JDK: the one that exists, or a new folder.

    BadInput before anything is written.
    """
    new = plan_run(asked, [], jdk)
    folder = runs / new.folder
    if not (folder / "plan.json").is_file():
        if not create:
            raise BadInput(
                f"{folder.name} was not measured yet (this sweep, machine, jar and JDK): the stage"
                " measure does it."
            )
        write_run(asked, new, folder, jdk)
    return read_run(folder)


def write_run(asked: SweepRequest, new: Run, folder: Path, jdk: Jdk) -> None:
    """Makes the folder of a new run."""
    planned = plan_points(asked, jdk)
    words = load.find_words(asked.sweep, asked.source)
    amounts = load.calibrate_amounts(words, asked.sweep, jdk)
    if amounts:
        planned = plan_points(asked, jdk, amounts)
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


def plan_run(asked: SweepRequest, settled: list[Point], jdk: Jdk) -> Run:
    """The run as it would be, with a folder that may not exist."""
    here = machine.describe_machine(jdk)
    identity = compute_identity(asked.sweep, here, jdk)
    return Run(
        Path(f"{asked.profile}-{hash_identity(identity)}"), asked.sweep, identity, here, settled
    )


def require_same_setup(run: Run, jdk: Jdk) -> None:
    """BadInput unless this machine, jar, JDK and sweep are those of the run: forks of two kinds are
    never pooled.
    """
    now = compute_identity(run.sweep, machine.describe_machine(jdk), jdk)
    other = [key for key in IDENTITY_KEYS if run.identity[key] != now[key]]
    if other:
        raise BadInput(
            f"{run.folder.name} was measured with another {' and another '.join(other)}: no fork is"
            " added to it; start a new run."
        )


def read_run(folder: Path) -> Run:
    """An existing run, also one of another machine. BadInput when one of its files is not whole."""
    try:
        identity, here = (
            json.loads((folder / name).read_text()) for name in ("run.json", "machine.json")
        )
        points = [
            Point.model_validate(point) for point in json.loads((folder / "plan.json").read_text())
        ]
        hash_identity(identity), here["id"], identity["profile"]
        more = {str(key): int(forks) for key, forks in identity.get("more", {}).items()}
    except (ValueError, KeyError, TypeError) as broken:
        raise BadInput(
            f"{display_path(folder)}: run.json, machine.json or plan.json is not whole"
            f" ({str(broken).splitlines()[0]})."
        ) from None
    points = [
        point.model_copy(update={"forks": more.get(point.key, point.forks)}) for point in points
    ]
    return Run(folder, load_sweep(folder / "sweep.yml"), identity, here, points)


def grant_forks(run: Run, more: dict[str, int]) -> Run:
    """The run with so many forks for these points, by their keys: what a second look gives them."""
    write_json(run.folder / "run.json", run.identity | {"more": more})
    return read_run(run.folder)


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
    different = [f"another {key}" for key in IDENTITY_KEYS if before.get(key) != run.identity[key]]
    return f"{' and '.join(different)} than {latest.parent.name}"
