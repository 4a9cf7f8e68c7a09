"""Points: one combination of a study's parameters each, with the places of its threads."""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import lru_cache

from pydantic import BaseModel, Field

from handoff.catalog import load_catalog
from handoff.study import find_study

UNPLACED = (
    "The kernel refused to place the heap (a container needs --cap-add SYS_NICE): memory lies where"
    " it is first written, and claims about sockets are not judged."
)
"""Warning for readers of a run with unplaced points."""


class Slot(BaseModel):
    """The place of one thread as the jar planned it; None where it is unpinned or unknown."""

    role: str
    cpu: int | None = None
    core: int | None = None
    socket: int | None = None
    node: int | None = None
    cache: int | None = None
    kind: str | None = None
    oversubscribed: bool


class HeapPolicy(BaseModel):
    """The NUMA nodes for the heap; `interleaved` spreads its pages over them in turn."""

    interleaved: bool
    nodes: list[int]


class Housekeeping(BaseModel):
    """The JVM's own CPUs where measured ones are isolated, with the mask and number it sees."""

    cpus: list[int]
    allowed: str
    processors: int


DIGITS = 16
"""Hex digits in the names of points."""


@lru_cache(maxsize=2**16)
def hash_point(study: str, arm: str, params: tuple[tuple[str, str], ...]) -> str:
    """Return hex digits that identify a point; readers ask for them at each fork."""
    content = [study, dict(params), *([arm] if arm else [])]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


class Point(BaseModel):
    """One combination of a study's parameters, spelt out as the jar reads them.

    The first `warmup` of the `shots` are left out; where that is 0, a fork may warm up beforehand
    for up to `warmup_limit` seconds or six shots, of `warmup_events` events each, or whole ones
    where that is 0. `oversubscribed_forks` overrides the sweep's number of forks where threads
    share cores. `of_cores`: a value follows from the machine's cores.
    `unplaced`: the kernel refuses to place its heap, and FIRST_TOUCH stands in. `arm` names the
    set-up of its JVM where the sweep has several.
    """

    study: str
    params: dict[str, str]
    arm: str = ""
    shots: int
    warmup: int = 0
    warmup_limit: float = 0
    warmup_events: int = 0
    oversubscribed_forks: int | None = Field(None, exclude=True)
    of_cores: bool = Field(False, exclude=True)
    forks: int = 0
    threads: list[Slot] = []
    heap: HeapPolicy | None = None
    housekeeping: Housekeeping | None = None
    unavailable: str | None = None
    unplaced: bool = False

    @property
    def key(self) -> str:
        """Hex digits that identify study, parameters and arm in file names."""
        return hash_point(self.study, self.arm, tuple(self.params.items()))[:DIGITS]

    @property
    def name(self) -> str:
        """The prefix of its forks' file names."""
        return f"{self.study}-{self.key}"

    def fork_name(self, number: int, again: int = 0) -> str:
        """Return the stem of a fork's file names; `again` counts its repetitions, from 1."""
        return f"{self.name}-{number}" + (f".again{again}" if again else "")

    @property
    def oversubscribed(self) -> bool:
        return any(slot.oversubscribed for slot in self.threads)

    @property
    def cpus(self) -> list[int]:
        """The CPUs that its threads are pinned to, without duplicates."""
        return sorted({slot.cpu for slot in self.threads if slot.cpu is not None})

    def __str__(self) -> str:
        defaults = load_catalog()[self.study].defaults()
        location = find_study(self.study).location
        parts = [
            f"{name}={value}"
            for name, value in self.params.items()
            if name in location or (value != defaults.get(name) and name != "mechanism")
        ]
        parts += [f"arm={self.arm}"] if self.arm else []
        return f"{self.study} {self.params['mechanism']} {' '.join(parts)}"


def make_label(points: list[Point]) -> Callable[[Point], str]:
    """Return a function that describes one of these points, with what varies first."""
    seen: dict[tuple[str, str], set[str]] = {}
    for point in points:
        for name, value in point.params.items():
            seen.setdefault((point.study, name), set()).add(value)
    studies = {point.study for point in points}

    def label(point: Point) -> str:
        varied = [name for name in point.params if len(seen[point.study, name]) > 1]
        relevant = load_catalog()[point.study].mechanisms[point.params["mechanism"]]
        parts = [f"{name}={point.params[name]}" for name in varied if name in relevant]
        parts.append(point.params["mechanism"])
        return " ".join(parts + ([point.study] if len(studies) > 1 else []))

    return label


Amounts = Mapping[str, Mapping[str, int]]
"""Amounts of work by study and by word such as NS_2225."""
