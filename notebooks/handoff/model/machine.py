"""Machine files: the constants of a simulation, each with its source and its certainty.

A matrix next to them has the time of a cache line's transfer between every two cores.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from handoff.errors import BadInput, validate
from handoff.files import read_yaml
from handoff.paths import DATA, display_path

MACHINES = DATA / "machines"
PAPER = "x5650"
"""Name of the paper's machine."""

PS = 1000
"""Picoseconds in a nanosecond."""

CONSTANTS = {
    "cycle": "a clock cycle",
    "hit": "a read from the nearest cache",
    "memory": "a read from memory",
    "fence": "a fence with an empty store buffer",
    "atomic": "compare and set on a line that the core owns",
    "java": "one call of a queue's or ring's method, without its reads and writes",
    "pause": "one hint to the core that the thread spins",
    "spins": "how long a yielding wait reads before its first yield",
    "yields": "a yield when no other thread wants the core",
    "try_park": "from the call of park until the thread sleeps; a permit ends it meanwhile",
    "permit": "unparking a thread that is awake",
    "unpark": "unparking a thread that sleeps, for the caller",
    "switch": "from there until the woken thread runs, without idle states",
    "switch_cpu": "the part of it that is CPU time of the woken thread's core",
    "nap": "parking for the shortest time, until the thread runs again",
    "nap_cpu": "the part of it that is CPU time",
    "produce": "making one event, by the producer",
    "fill": "making and filling an event's array of numbers, by its consumer",
    "sort": "sorting the array once",
}


class Constant(BaseModel, extra="forbid"):
    """Nanoseconds, with the source of the number or the reason of a guess."""

    ns: Annotated[float, Field(ge=0)]
    certainty: Literal["measured", "published", "derived", "guess"]
    source: Annotated[str, Field(min_length=5)]


class IdleState(BaseModel, extra="forbid"):
    """Sleep state of an idle core, which it enters if its last sleep was at least this long."""

    name: str
    after_us: float
    exit_us: float


class MachineFile(BaseModel, extra="forbid"):
    """Content of data/machines/NAME.yml.

    `sockets`: the cores that a simulation uses, by socket. `hops`: name of a CSV file with the ns
    between two cores, a lower triangle. `jdk`: feature release, which decides the queue's lock.
    """

    about: str
    jdk: int
    sockets: list[list[int]]
    hops: str
    hops_source: str
    store_buffer: int
    store_buffer_source: str
    constants: dict[str, Constant]
    idle_states: list[IdleState]
    idle_source: str


@dataclass(frozen=True)
class Machine:
    """A machine for the engine; all times are in ps.

    Cores are numbered by socket, from 0. Each constant is an attribute.
    """

    jdk: int
    hops: Mapping[tuple[int, int], int]
    socket: tuple[int, ...]
    store_buffer: int
    times: Mapping[str, int]
    idle_states: tuple[tuple[int, int], ...]

    def __getattr__(self, name: str) -> int:
        try:
            return self.__dict__["times"][name]
        except KeyError:
            raise AttributeError(name) from None

    def transfer(self, source: int | None, core: int) -> int:
        """Return the time until a line arrives; without a source it comes from memory."""
        if source is None:
            return self.times["memory"]
        return self.times["hit"] if source == core else self.hops[source, core]

    def is_far(self, source: int | None, core: int) -> bool:
        """Return whether a line comes from the other socket; memory is near."""
        return source is not None and self.socket[source] != self.socket[core]

    def exit_latency(self, idled: int) -> int:
        """Return the time to leave the deepest state that a core enters after such a sleep."""
        return max((exits for after, exits in self.idle_states if idled >= after), default=0)


def load_machine(name: str) -> Machine:
    """Load a machine by name. Raise BadInput as `load_machine_file` does."""
    content = load_machine_file(name)
    places = [cpu for socket in content.sockets for cpu in socket]
    with (MACHINES / content.hops).open(newline="") as lines:
        triangle = list(csv.reader(lines))
    hops = {}
    for one, other in combinations(range(len(places)), 2):
        column, row = sorted((places[one], places[other]))
        hops[one, other] = hops[other, one] = round(float(triangle[row][column]) * PS)
    return Machine(
        jdk=content.jdk,
        hops=hops,
        socket=tuple(i for i, socket in enumerate(content.sockets) for _ in socket),
        store_buffer=content.store_buffer,
        times={name: round(constant.ns * PS) for name, constant in content.constants.items()},
        idle_states=tuple(
            (round(state.after_us * 1000 * PS), round(state.exit_us * 1000 * PS))
            for state in content.idle_states
        ),
    )


def load_machine_file(name: str) -> MachineFile:
    """Load and check a machine file. Raise BadInput with the file, the key and the choices."""
    file = MACHINES / f"{name}.yml"
    if not file.is_file():
        known = ", ".join(sorted(path.stem for path in MACHINES.glob("*.yml")))
        raise BadInput(f"unknown machine '{name}'; choose from {known}.")
    content = validate(MachineFile, read_yaml(file), display_path(file))
    if set(content.constants) != set(CONSTANTS):
        wrong = sorted(set(content.constants) ^ set(CONSTANTS))
        raise BadInput(f"{display_path(file)}: constants: {wrong[0]} is missing or unknown.")
    return content
