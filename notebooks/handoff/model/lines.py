"""Cache lines: which cores have a copy, which core may write, and how long a change of that takes.

A line has one owner, which may write, or several holders, which may read. A writer's transfer takes
place alone, and other requests wait; readers that ask meanwhile are served together, each after its
own transfer time.
"""

from collections import deque
from collections.abc import Hashable
from typing import Any, NamedTuple

from handoff.model.clock import Action, Clock
from handoff.model.machine import Machine

LINE_BYTES = 64


class Request(NamedTuple):
    """A core that waits for a line, to read or to write."""

    core: int
    writes: bool
    action: Action


class Line:
    """64 bytes, with their `values` by field.

    The first word of `name` is the kind of line. `holders` have a copy; the `owner` may write, and
    is then the only holder. `moving` is the number of transfers under way: one of a writer, or
    several of readers. The `watchers` run when a core is about to write.
    """

    def __init__(self, name: str, core: int | None = None, **values: Any) -> None:
        self.name = name
        self.values: dict[Hashable, Any] = dict(values.items())
        self.owner = core
        self.holders: set[int] = set() if core is None else {core}
        self.moving = 0
        self.writer_moves = False
        self.waiting: deque[Request] = deque()
        self.watchers: list[Action] = []

    def serves(self, core: int, writes: bool) -> bool:
        """Return whether the core may read the line, or write it if it asks for that."""
        return self.owner == core if writes else core in self.holders


class Move(NamedTuple):
    """A transfer of a line: the instant of its arrival, and its way from core to core."""

    ps: int
    line: str
    source: int | None
    core: int
    writes: bool


class Lines:
    """All lines of a simulation; `moves` are their transfers so far."""

    def __init__(self, machine: Machine, clock: Clock) -> None:
        self.machine, self.clock = machine, clock
        self.moves: list[Move] = []

    def fetch(self, line: Line, core: int, action: Action, to_write: bool = False) -> None:
        """Run the action as soon as the core has a copy of the line, or may write."""
        if line.serves(core, to_write):
            action()
        else:
            line.waiting.append(Request(core, to_write, action))
            self.pump(line)

    def pump(self, line: Line) -> None:
        """Start the next transfers, as many as may be under way at the same time."""
        while line.waiting:
            request = line.waiting[0]
            if line.moving and (request.writes or line.writer_moves):
                return
            line.waiting.popleft()
            if line.serves(request.core, request.writes):
                # An earlier request of the same core brought it.
                request.action()
            else:
                self.send(line, request)

    def send(self, line: Line, request: Request) -> None:
        line.moving += 1
        line.writer_moves = request.writes
        source = self.find_source(line, request)
        delay = self.machine.transfer(source, request.core)
        # The request travels for half of the time: until then the holders keep the line.
        self.clock.after(delay // 2, lambda: self.leave(line, request))
        self.clock.after(delay, lambda: self.arrive(line, request, source))

    def find_source(self, line: Line, request: Request) -> int | None:
        """Return the core that a request waits for; None if the line comes from memory.

        A reader is served by the nearest holder. A writer waits for the farthest, because all of
        them must drop their copies.
        """
        others = sorted(line.holders - {request.core})
        if not others:
            return request.core if request.core in line.holders else None
        pick = max if request.writes else min
        return pick(others, key=lambda core: self.machine.transfer(core, request.core))

    def leave(self, line: Line, request: Request) -> None:
        line.owner = None
        if request.writes:
            line.holders.clear()
            watchers, line.watchers = line.watchers, []
            for action in watchers:
                action()

    def arrive(self, line: Line, request: Request, source: int | None) -> None:
        line.holders.add(request.core)
        if request.writes:
            assert line.holders == {request.core}, f"{line.name} has two owners"
            line.owner = request.core
        line.moving -= 1
        self.moves.append(Move(self.clock.now, line.name, source, request.core, request.writes))
        request.action()
        # The next request is on its way before this owner does anything else.
        self.pump(line)
