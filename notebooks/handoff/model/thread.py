"""State of a simulated thread, and the type of its program.

A program is a generator: it yields operations (see `operations`) and is sent the result of each.
"""

from collections import deque
from collections.abc import Generator, Hashable
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
