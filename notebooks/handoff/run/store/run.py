"""A run's folder: the only state there is.

machine.json   the machine            sweep.yml   the sweep, as it was
run.json       identity and start     plan.json   every point, with its threads or why not
sweep-2.yml and plan-2.json, and so on: the same, whole, after the run was extended
sessions/      every start: command, versions, readiness
forks/ failed/ timed-out/ interrupted/ quarantine/    every fork in the folder of its state
abandoned/     forks of blocks that were measured anew on another node; kept, and not pooled
driver.lock    held by whoever adds to the run
tidy/          one table a study, rebuilt from forks/
ro-crate-metadata.json    what the folder is, for machines that collect data
"""

import json
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel

from handoff.catalog import load_catalog
from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import display_path
from handoff.run.host import machine
from handoff.run.plan.points import Point
from handoff.run.plan.sweep import Sweep
from handoff.run.plan.sweepfile import load_sweep
from handoff.run.store.identity import (
    hash_identity,
)


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
    strange = [point.study for point in points if point.study not in load_catalog()]
    if strange:
        # Tables are named after studies.
        raise BadInput(f"{display_path(folder)}: plan.json: {strange[0][:40]!r} is no study.")
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
