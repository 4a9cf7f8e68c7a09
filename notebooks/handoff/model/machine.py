"""A machine as the model knows it: constants, each with where it is from and how sure it is, and
the time that a line takes from one core to another.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from handoff.errors import BadInput, describe_validation_error
from handoff.files import read_yaml
from handoff.paths import DATA, display_path

MACHINES = DATA / "machines"
PS = 1000
"""Picoseconds in a nanosecond."""

Certainty = Literal["measured", "published", "derived", "guess"]

CONSTANTS = {
    "cycle": "a clock cycle",
    "hit": "a read that finds its line in the nearest cache",
    "memory": "a read that finds it in no cache",
    "fence": "what waits until the store buffer is empty, when it is",
    "atomic": "what compare and set takes beyond getting the line",
    "java": "one call of a queue's or ring's method, beyond its reads and writes",
    "spins": "how long a yielding wait looks before it yields",
    "yields": "a yield with nobody else to run",
    "try_park": "from asking to sleep until asleep; a permit that comes meanwhile ends it",
    "permit": "unparking a thread that does not sleep",
    "unpark": "unparking a thread that sleeps, for its caller",
    "switch": "from there until the woken thread runs, without idle states",
    "switch_cpu": "of this, CPU time of the woken thread's core",
    "nap": "parking for the shortest time there is, until it runs again",
    "nap_cpu": "of this, CPU time",
    "produce": "making one event, by the producer",
    "fill": "making and filling an event's array of numbers, by its consumer",
    "sort": "sorting them once",
}


class Constant(BaseModel):
    """In nanoseconds; `source` says where the number is from, or what was guessed."""

    model_config = ConfigDict(extra="forbid")
    ns: Annotated[float, Field(ge=0)]
    certainty: Certainty
    source: Annotated[str, Field(min_length=5)]


class IdleState(BaseModel):
    """What the kernel lets an idle core do: entered where the last sleep was at least so long."""

    model_config = ConfigDict(extra="forbid")
    name: str
    after_us: float
    exit_us: float


class MachineFile(BaseModel):
    """data/machines/NAME.yml. `hops`: a CSV of ns between two cores, lower triangle, in the order
    of `cores`, which are those that the model may use, by socket.
    """

    model_config = ConfigDict(extra="forbid")
    about: str
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
    """All times in ps. `hops` by two cores' places, 0 first; `socket` of each place."""

    name: str
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
        """Until a line is there: from memory where nobody has it."""
        if source is None:
            return self.times["memory"]
        return self.times["hit"] if source == core else self.hops[source, core]

    def is_far(self, one: int, other: int) -> bool:
        return self.socket[one] != self.socket[other]

    def exit_latency(self, idled: int) -> int:
        """Of the deepest state that a core enters whose last sleep was so long."""
        return max((exits for after, exits in self.idle_states if idled >= after), default=0)

    def scale(self, name: str, factor: float) -> Machine:
        """The same with one constant changed; `near` and `far` are the hops within a socket and
        between two, `idle` the idle states' exits.
        """
        if name in ("near", "far"):
            hops = {
                pair: round(ps * factor) if self.is_far(*pair) == (name == "far") else ps
                for pair, ps in self.hops.items()
            }
            return replace(self, hops=hops)
        if name == "idle":
            states = tuple((after, round(exits * factor)) for after, exits in self.idle_states)
            return replace(self, idle_states=states)
        times = {**self.times, name: round(self.times[name] * factor)}
        return replace(self, times=times)

    def set_ns(self, name: str, ns: float) -> Machine:
        """The same with one constant of another value."""
        return replace(self, times={**self.times, name: round(ns * PS)})

    def merge_sockets(self) -> Machine:
        """The same cores in one socket: every hop is as near as the nearest's mean."""
        near = [ps for pair, ps in self.hops.items() if not self.is_far(*pair)]
        mean = sum(near) // len(near)
        hops = {pair: mean if self.is_far(*pair) else ps for pair, ps in self.hops.items()}
        return replace(self, hops=hops, socket=(0,) * len(self.socket))


def load_machine(name: str) -> Machine:
    """BadInput names the file, the key and what is allowed."""
    content = load_machine_file(name)
    places = [cpu for socket in content.sockets for cpu in socket]
    matrix = read_hops(MACHINES / content.hops)
    hops = {
        (one, other): round(matrix[places[one], places[other]] * PS)
        for one in range(len(places))
        for other in range(len(places))
        if one != other
    }
    sockets = tuple(i for i, socket in enumerate(content.sockets) for _ in socket)
    times = {name: round(each.ns * PS) for name, each in content.constants.items()}
    states = tuple(
        (round(each.after_us * 1000 * PS), round(each.exit_us * 1000 * PS))
        for each in content.idle_states
    )
    return Machine(name, hops, sockets, content.store_buffer, times, states)


def load_machine_file(name: str) -> MachineFile:
    file = MACHINES / f"{name}.yml"
    if not file.is_file():
        known = ", ".join(sorted(path.stem for path in MACHINES.glob("*.yml")))
        raise BadInput(f"There is no machine {name}; allowed is {known}.")
    try:
        content = MachineFile.model_validate(read_yaml(file))
    except ValidationError as error:
        keys = list(MachineFile.model_fields)
        raise BadInput(
            describe_validation_error(display_path(file), error, lambda _: keys)
        ) from None
    if set(content.constants) != set(CONSTANTS):
        wrong = sorted(set(content.constants) ^ set(CONSTANTS))
        raise BadInput(f"{display_path(file)}: constants: {wrong[0]} is missing or unknown.")
    return content


def read_hops(file: Path) -> dict[tuple[int, int], float]:
    """A lower triangle of ns, both ways round."""
    found = {}
    with file.open(newline="") as lines:
        for row, cells in enumerate(csv.reader(lines)):
            for column, cell in enumerate(cells[:row]):
                found[row, column] = found[column, row] = float(cell)
    return found
