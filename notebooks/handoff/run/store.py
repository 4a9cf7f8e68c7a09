"""A run's folder: the only state there is.

machine.json   the machine            sweep.yml   the sweep, as it was
run.json       identity and start     plan.json   every point, with its threads or why it cannot run here
forks/         accepted forks         failed/     the others, with their logs
tidy/          one table a study, rebuilt from forks/
"""

import hashlib
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from handoff.errors import BadInput
from handoff.paths import shown
from handoff.run import fork, jar, machine, points
from handoff.run.forkfile import ForkFile, seal, write_once
from handoff.run.jdk import Jdk
from handoff.run.points import Point
from handoff.run.sweep import Sweep, load

IDENTITY = ("sweep", "machine", "jar", "jdk", "flags")


class Run(NamedTuple):
    """One sweep on one machine."""

    folder: Path
    sweep: Sweep
    identity: dict
    machine: dict
    points: list[Point]

    def fork_path(self, point: Point, fork: int) -> Path:
        return self.folder / "forks" / f"{point.study}-{point.key}-{fork}.json"

    def tasks(self) -> list[tuple[Point, int]]:
        return [(point, fork) for point in self.points for fork in range(point.forks)]

    def missing(self) -> list[tuple[Point, int]]:
        return [(point, fork) for point, fork in self.tasks() if not self.fork_path(point, fork).is_file()]

    def title(self) -> str:
        """One line for figures: run, machine, JDK."""
        return f"run {self.folder.name}: {machine.in_words(self.machine)}, {self.identity['jdk']}"


def prepare(profile: str, file: Path, jdk: Jdk, runs: Path, create: bool) -> Run:
    """The run of this sweep, machine, jar and JDK: the one that exists, or a new folder. BadInput before anything is written."""
    sweep = load(file)
    here = machine.describe(jdk)
    expanded = points.expand(sweep, shown(file))
    settled = points.settle(sweep, expanded, jar.check(jdk, expanded), shown(file))
    identity = identify(sweep, here, jdk)
    folder = runs / f"{profile}-{hexed(identity)}"
    if not (folder / "plan.json").is_file():
        if not create:
            raise BadInput(f"{folder.name} was not measured yet (this sweep, machine, jar and JDK): the stage measure does it.")
        (folder / "forks").mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder / "sweep.yml")
        write_once(folder / "machine.json", here)
        write_once(folder / "run.json", identity | {"profile": profile, "started": datetime.now(UTC).isoformat(timespec="seconds")})
        # Last: a folder with a plan is a run.
        write_once(folder / "plan.json", [point.model_dump() for point in settled])
    return read(folder)


def identify(sweep: Sweep, here: dict, jdk: Jdk) -> dict[str, str]:
    """What makes a run what it is; a change in any of these makes another run."""
    return {"sweep": digest(sweep.model_dump(exclude={"about"})), "machine": here["id"], "jar": jar.sha256(), "jdk": jdk.runtime} | {
        "flags": digest([fork.flags(sweep.jvm, collector, jdk.feature) for collector in fork.COLLECTORS])
    }


def hexed(identity: dict[str, str]) -> str:
    """8 hex digits that stand for a run in its folder's name and in its fork files."""
    return digest({key: identity[key] for key in IDENTITY})


def refuse_elsewhere(run: Run, jdk: Jdk) -> None:
    """BadInput unless this machine, jar, JDK and sweep are those of the run: forks of two kinds are never pooled."""
    now = identify(run.sweep, machine.describe(jdk), jdk)
    other = [key for key in IDENTITY if run.identity[key] != now[key]]
    if other:
        raise BadInput(
            f"{run.folder.name} was measured with another {' and another '.join(other)}: no fork is added to it; start a new run."
        )


def read(folder: Path) -> Run:
    """An existing run, also one of another machine."""
    identity = json.loads((folder / "run.json").read_text())
    here = json.loads((folder / "machine.json").read_text())
    planned = [Point.model_validate(point) for point in json.loads((folder / "plan.json").read_text())]
    return Run(folder, load(folder / "sweep.yml"), identity, here, planned)


def changed(run: Run) -> str:
    """Why this is a new run and not the latest of the same profile: '' when there was none before."""
    others = [f for f in run.folder.parent.glob(f"{run.identity['profile']}-*/run.json") if f.parent != run.folder]
    if not others:
        return ""
    latest = max(others, key=lambda f: f.stat().st_mtime)
    before = json.loads(latest.read_text())
    different = [f"another {key}" for key in IDENTITY if before.get(key) != run.identity[key]]
    return f"{' and '.join(different)} than {latest.parent.name}"


def digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:8]


def read_fork(path: Path) -> ForkFile:
    """A fork file, whole and unchanged since it was written. BadInput otherwise."""
    try:
        content = json.loads(path.read_text())
        read = ForkFile.model_validate(content)
    except (ValueError, ValidationError) as error:
        raise BadInput(
            f"{shown(path)} is not a whole fork file ({str(error).splitlines()[0]}); move it away to measure this fork again."
        ) from None
    if seal(content) != read.sha256:
        raise BadInput(f"{shown(path)} was changed after it was measured; move it away to measure this fork again.")
    return read
