"""The folder of a run, which holds all of its state.

machine.json   the machine            sweep.yml   the original sweep
run.json       identity and start     plan.json   every point, with its threads or why not
sweep-2.yml, plan-2.json, ...         the whole sweep and plan after each extension
starts/        a file per start: command, versions, readiness
forks/ failed/ timed-out/ quarantine/    every fork in the folder of its state
driver.lock    held by the runner that adds to the run
tidy/          one table per study, rebuilt from forks/
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel

from handoff.catalog import load_catalog
from handoff.errors import BadInput
from handoff.files import read_json, replace_unprintable, write_json
from handoff.paths import SWEEPS, display_path
from handoff.run.host import machine
from handoff.run.plan.points import Point
from handoff.run.plan.sweep import Sweep, load_sweep
from handoff.run.store.identity import hash_identity

MOST_FORKS = 1_000_000
"""Forks of a run; more would not fit into its archive either."""


class Extension(BaseModel):
    """Points and forks added to a complete run at the time `began`, in UTC.

    `sweep` is the hash of the sweep from then on. `planned`: the run was made to be extended so, as
    `quick` by `full`, and the session continues. `baseline`: forks of points that were measured
    again, to compare with the added ones, by point key. `sentence` says in words what was done.
    `sessions` are starts of further sessions; the shipped run was put together from two.
    """

    began: str
    sweep: str
    planned: bool = False
    baseline: dict[str, int] = {}
    sentence: str = ""
    sessions: list[str] = []


def number_version(name: str, number: int) -> str:
    """Return 'plan.json' for the original, 'plan-2.json' after one extension."""
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
        """The number of sessions planned; each measures every point with all its forks."""
        return self.identity.get("sessions", 1)

    @property
    def extensions(self) -> list[Extension]:
        """The extensions so far, in their order."""
        return [Extension.model_validate(entry) for entry in self.identity.get("extensions", [])]

    @property
    def planned_sessions(self) -> int:
        """The number of sessions after which the claims are judged."""
        return self.identity.get("planned_sessions", 1)

    @property
    def sweep_hash(self) -> str:
        """The hash of the sweep after all extensions."""
        extensions = self.extensions
        return extensions[-1].sweep if extensions else self.identity["sweep"]

    @property
    def sweep_file(self) -> Path:
        return self.folder / number_version("sweep.yml", len(self.extensions))

    @property
    def is_own(self) -> bool:
        """Whether its sweep is a user's file."""
        return not (SWEEPS / f"{self.identity['profile']}.yml").is_file()

    @property
    def only_reports(self) -> bool:
        """Whether it is a user's question about a sweep, and not about any claim."""
        return self.is_own and not self.sweep.verdicts

    def count_forks(self, point: Point) -> int:
        """Return the number of forks planned for a point, over all sessions and extensions."""
        return point.forks * self.sessions + self.count_beyond(point)

    def count_beyond(self, point: Point) -> int:
        """Return the number of forks that a point has only as part of an extension's baseline."""
        return sum(extension.baseline.get(point.key, 0) for extension in self.extensions)

    def tasks(self) -> list[tuple[Point, int]]:
        return [(point, fork) for point in self.points for fork in range(self.count_forks(point))]

    def missing(self) -> list[tuple[Point, int]]:
        measured = {path.stem.partition(".")[0] for path in (self.folder / "forks").glob("*.json")}
        return [
            (point, fork) for point, fork in self.tasks() if f"{point.name}-{fork}" not in measured
        ]

    def title(self) -> str:
        """Return one line for figures: run, machine, JDK."""
        heap = ", heap not placed" if any(point.unplaced for point in self.points) else ""
        arm = f" (arm {self.sweep.first_arm})" if self.sweep.arms else ""
        return (
            f"run {self.folder.name}: {machine.summarize_machine(self.machine)},"
            f" {self.identity['jdk']}{arm}{heap}"
        )


def read_run(folder: Path) -> Run:
    """Load an existing run, even one of another machine; raise BadInput if it is damaged."""
    try:
        identity, here = (read_json(folder / name) for name in ("run.json", "machine.json"))
        extended = len(list(map(Extension.model_validate, identity.get("extensions", []))))
        hash_identity(identity), here["id"], identity["profile"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(
            f"{display_path(folder)}: run.json or machine.json is damaged"
            f" ({str(error).splitlines()[0]})."
        ) from None
    points = read_plan(folder, extended)
    unknown = [point.study for point in points if point.study not in load_catalog()]
    if unknown:
        # A study's name becomes the name of a file.
        raise BadInput(f"{display_path(folder)}: plan.json: unknown study {unknown[0][:40]!r}.")
    sweep = load_sweep(folder / number_version("sweep.yml", extended))
    run = Run(folder, sweep, identity, here, points)
    require_countable(run)
    return run


def read_plan(folder: Path, extended: int) -> list[Point]:
    """Load the points of a run after this many extensions; raise BadInput for a damaged file."""
    name = number_version("plan.json", extended)
    try:
        return list(parse_plan((folder / name).read_bytes()))
    except (OSError, ValueError, TypeError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise BadInput(f"{display_path(folder)}: {name} is damaged ({reason}).") from None


@lru_cache(maxsize=16)
def parse_plan(text: bytes) -> tuple[Point, ...]:
    """Return the points of a plan, which a command reads many times."""
    return tuple(map(Point.model_validate, replace_unprintable(json.loads(text))))


def require_countable(run: Run) -> None:
    """Raise BadInput for numbers of forks that no run can have, which would never end."""
    counts = [run.sessions, *(point.forks for point in run.points)]
    counts += [forks for extension in run.extensions for forks in extension.baseline.values()]
    whole = all(isinstance(count, int) and 0 <= count <= MOST_FORKS for count in counts)
    if not whole or sum(map(run.count_forks, run.points)) > MOST_FORKS:
        raise BadInput(
            f"{display_path(run.folder)}: run.json or plan.json asks for more than"
            f" {MOST_FORKS:,} forks, or for a number that is none."
        )


def write_identity(run: Run, **changed: object) -> Run:
    """Write run.json, with these parts changed, and return the run as it is then."""
    write_json(run.folder / "run.json", run.identity | changed)
    return read_run(run.folder)
