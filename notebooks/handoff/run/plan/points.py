"""What a point is: one combination of a study's parameters, with the places of its threads."""

import hashlib
import json
from collections.abc import Mapping

from pydantic import BaseModel, Field

from handoff.catalog import load_catalog
from handoff.registry import find_study


class Slot(BaseModel):
    """One thread's place, as the jar planned it; None where unpinned or unknown."""

    role: str
    cpu: int | None = None
    core: int | None = None
    socket: int | None = None
    node: int | None = None
    cache: int | None = None
    kind: str | None = None
    oversubscribed: bool


class HeapPolicy(BaseModel):
    """The NUMA nodes that the heap shall lie on, page by page where `interleaved`."""

    interleaved: bool
    nodes: list[int]


class Housekeeping(BaseModel):
    """Where the JVM's own threads go when those that are measured are on isolated CPUs; `allowed`
    and `processors` are what the JVM is to take for its mask and its number of CPUs.
    """

    cpus: list[int]
    allowed: str
    processors: int


class Point(BaseModel):
    """One combination of a study's parameters, all of them spelt out as the jar will read them.

    Of `shots`, the first `warmup` are left out; where that is 0, a fork may warm up beforehand for
    as long as `warmup_limit` seconds. `oversubscribed_forks`: what its entry says of `forks` where
    threads share cores.
    """

    study: str
    params: dict[str, str]
    shots: int
    warmup: int = 0
    warmup_limit: float = 0
    oversubscribed_forks: int | None = Field(None, exclude=True)
    forks: int = 0
    threads: list[Slot] = []
    heap: HeapPolicy | None = None
    housekeeping: Housekeeping | None = None
    unavailable: str | None = None

    @property
    def key(self) -> str:
        """8 hex digits that stand for study and parameters in file names."""
        return hashlib.sha256(
            json.dumps([self.study, self.params], sort_keys=True).encode()
        ).hexdigest()[:8]

    @property
    def name(self) -> str:
        """How the files of its forks begin."""
        return f"{self.study}-{self.key}"

    def fork_name(self, number: int, again: int = 0) -> str:
        """What the files of one of its forks are called, whatever its state; `again` counts its
        repetitions, from 1.
        """
        return f"{self.name}-{number}" + (f".again{again}" if again else "")

    @property
    def oversubscribed(self) -> bool:
        return any(slot.oversubscribed for slot in self.threads)

    @property
    def cpus(self) -> list[int]:
        """The CPUs that its threads are pinned to, each once."""
        return sorted({slot.cpu for slot in self.threads if slot.cpu is not None})

    def __str__(self) -> str:
        defaults = load_catalog()[self.study].defaults()
        location = find_study(self.study).location
        parts = [
            f"{name}={value}"
            for name, value in self.params.items()
            if name in location or (value != defaults.get(name) and name != "mechanism")
        ]
        return f"{self.study} {self.params['mechanism']} {' '.join(parts)}"


Amounts = Mapping[str, Mapping[str, int]]
"""Of work, by study and word such as NS_2225."""
