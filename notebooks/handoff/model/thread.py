"""A simulated thread: its state, and the operations that its program yields.

A program is a generator; the engine sends it the result of each operation.
"""

from collections import deque
from collections.abc import Callable, Generator, Hashable
from typing import Any

from handoff.model.clock import Action
from handoff.model.lines import Line

Operation = tuple[Any, ...]
Steps = Generator[Operation, Any, Any]


class Thread:
    """One program on a core of its own; `program` is set when an engine adds the thread.

    `permit`: it was unparked while it ran. `asleep`: parked since then. `idle_since`: its core has
    been idle since then, and for `slept` ps before. `idled`: the length of its last sleep.
    `stores`: its core's store buffer; `drained`: what waits until that is empty.
    """

    program: Steps

    def __init__(self, name: str, core: int) -> None:
        self.name, self.core = name, core
        self.permit = False
        self.asleep: int | None = None
        self.idle_since: int | None = None
        self.slept = self.sleeps = self.idled = 0
        self.stores: deque[tuple[Line, Hashable, Any]] = deque()
        self.draining = False
        self.drained: list[Action] = []
        self.ended: int | None = None

    def count_cpu(self, now: int) -> int:
        """Return the picoseconds of CPU time until now."""
        idle = now - self.idle_since if self.idle_since is not None else 0
        ended = now - self.ended if self.ended is not None else 0
        return now - self.slept - idle - ended


def work(ps: int) -> Operation:
    """Work on data that no other thread uses."""
    return ("work", ps)


def read(line: Line, field: Hashable) -> Operation:
    """Read a field; the core fetches the line if it has no copy. The result is the value."""
    return ("read", line, field)


def write(line: Line, field: Hashable, value: Any) -> Operation:
    """Write into the store buffer; other threads see the value later."""
    return ("write", line, field, value)


def fence() -> Operation:
    """Wait until the store buffer is empty, as after a volatile write."""
    return ("fence",)


def update(line: Line, field: Hashable, change: Callable[[Any], Any]) -> Operation:
    """Change a field atomically. The result is the value before."""
    return ("update", line, field, change)


def swap(line: Line, field: Hashable, old: Any, new: Any) -> Operation:
    """Compare and set. The result is the value before: `old` after a success."""
    return update(line, field, lambda value: new if value is old or value == old else value)


def spin(line: Line, field: Hashable, enough: Callable[[Any], bool], naps: int = 0) -> Operation:
    """Read a field until its value is enough.

    After the first reads the thread yields between two of them, for `naps` ps.
    """
    return ("spin", line, field, enough, naps)


def park() -> Operation:
    """Sleep until another thread unparks this one; return at once if it has a permit."""
    return ("park",)


def nap() -> Operation:
    """Park for the shortest time that the kernel allows."""
    return ("nap",)


def unpark(thread: Thread) -> Operation:
    """Wake a thread, or give it a permit if it is awake."""
    return ("unpark", thread)
