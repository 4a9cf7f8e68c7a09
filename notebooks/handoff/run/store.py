"""A run's folder: the only state there is.

machine.json   the machine            sweep.yml   the sweep, as it was
run.json       identity and start     plan.json   every point, with its threads or why not
sweep-2.yml and plan-2.json, and so on: the same, whole, after the run was extended
sessions/      every start: command, versions, readiness
forks/ failed/ timed-out/ interrupted/ quarantine/    every fork in the folder of its state
tidy/          one table a study, rebuilt from forks/
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import display_path
from handoff.run import jar, jvm, load, machine, points
from handoff.run.identity import (
    IDENTITY_KEYS,
    SETUP_KEYS,
    compute_identity,
    describe_difference,
    hash_identity,
)
from handoff.run.jdk import Jdk
from handoff.run.points import Amounts, Point
from handoff.run.selection import SweepRequest
from handoff.run.sweep import Sweep
from handoff.run.sweepfile import load_sweep


class Extension(BaseModel):
    """Points and forks added to a run: `began` in UTC, the hash of the `sweep` as it was from then
    on, how often claims have been judged when it is complete (`looks`), the forks that `anchors`
    got beyond those of the plan, by a point's key; and whether these found the machine the same
    (None: not known), in the words of `sentence`.
    """

    began: str
    sweep: str
    looks: int
    anchors: dict[str, int] = {}
    same: bool | None = None
    sentence: str = ""


def count_looks(sweep: Sweep) -> int:
    """That a sweep plans."""
    return 2 if sweep.forks.most else 1


def number_version(name: str, number: int) -> str:
    """'plan.json' at first, 'plan-2.json' after one extension."""
    stem, _, ending = name.partition(".")
    return f"{stem}-{number + 1}.{ending}" if number else name


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
    def extensions(self) -> list[Extension]:
        """What was added to it, each time after it was complete."""
        return [Extension.model_validate(each) for each in self.identity.get("extensions", [])]

    @property
    def looks(self) -> int:
        """How often its claims are judged, which their error rates are split over."""
        extensions = self.extensions
        return extensions[-1].looks if extensions else count_looks(self.sweep)

    @property
    def sweep_hash(self) -> str:
        """Of the sweep as it is now, after all extensions."""
        extensions = self.extensions
        return extensions[-1].sweep if extensions else self.identity["sweep"]

    @property
    def sweep_file(self) -> Path:
        return self.folder / number_version("sweep.yml", len(self.extensions))

    def count_forks(self, point: Point) -> int:
        """Of one of its points, in all sessions, as an anchor of extensions too."""
        return point.forks * self.sessions + self.count_beyond(point)

    def count_beyond(self, point: Point) -> int:
        """Of these, those that it has only as an anchor."""
        return sum(each.anchors.get(point.key, 0) for each in self.extensions)

    def tasks(self) -> list[tuple[Point, int]]:
        return [(point, fork) for point in self.points for fork in range(self.count_forks(point))]

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
    folder = find_folder(new, runs)
    if not (folder / "plan.json").is_file():
        if not create:
            raise BadInput(
                f"{folder.name} was not measured yet (this sweep, machine, jar and JDK): the stage"
                " measure does it."
            )
        write_run(asked, new, folder, jdk)
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
    wanted = {key: identity[key] for key in SETUP_KEYS}
    for file in sorted(runs.glob("*/run.json")):
        try:
            there = json.loads(file.read_text())
            last = there["extensions"][-1]["sweep"]
        except (OSError, ValueError, LookupError, TypeError):
            # Not extended, or not whole: whoever asks for that run by its name is told.
            continue
        if last == identity["sweep"] and wanted == {key: there.get(key) for key in SETUP_KEYS}:
            return file.parent
    return None


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
    then = run.identity | {"sweep": run.sweep_hash}
    other = [key for key in IDENTITY_KEYS if then[key] != now[key]]
    if other:
        raise BadInput(
            f"{run.folder.name} was measured with {describe_difference(other)}: no fork is"
            " added to it; start a new run."
        )


def read_run(folder: Path) -> Run:
    """An existing run, also one of another machine. BadInput when one of its files is not whole."""
    try:
        identity, here = (
            json.loads((folder / name).read_text()) for name in ("run.json", "machine.json")
        )
        extended = len(list(map(Extension.model_validate, identity.get("extensions", []))))
        plan = json.loads((folder / number_version("plan.json", extended)).read_text())
        points = [Point.model_validate(point) for point in plan]
        hash_identity(identity), here["id"], identity["profile"]
        more = {str(key): int(forks) for key, forks in identity.get("more", {}).items()}
    except (ValueError, KeyError, TypeError) as broken:
        raise BadInput(
            f"{display_path(folder)}: run.json, machine.json or plan.json is not whole"
            f" ({str(broken).splitlines()[0]})."
        ) from None
    points = [
        point.model_copy(update={"forks": max(more.get(point.key, 0), point.forks)})
        for point in points
    ]
    sweep = load_sweep(folder / number_version("sweep.yml", extended))
    return Run(folder, sweep, identity, here, points)


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
    different = [key for key in IDENTITY_KEYS if before.get(key) != run.identity[key]]
    hint = f"; extend {latest.parent.name} would add to that" if different == ["sweep"] else ""
    return f"{describe_difference(different)} than {latest.parent.name}{hint}"
