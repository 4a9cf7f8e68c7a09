"""Cache lines: who has a copy, who may write, and how long it takes to change that. A line is with
one owner, who may write, or with some who may read. One writer's transfer at a time, the others
wait; readers who ask one after the other are served at once, each after its own way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

from handoff.model.machine import Machine

if TYPE_CHECKING:
    from handoff.model.engine import Engine

Action = Callable[[], None]


class Request(NamedTuple):
    """A core that waits for a line, to read or to write."""

    core: int
    writes: bool
    action: Action


class Line:
    """64 bytes: `values` by field. A `name` is a kind, and what tells it from others of its kind.
    `holders` have a copy; `owner` may write, and is the only one.
    `moving` transfers are under way: one writer's, or readers'.
    """

    def __init__(self, name: str, core: int | None = None, **values: Any) -> None:
        self.name = name
        self.values: dict[Hashable, Any] = {}
        self.values.update(values)
        self.owner = core
        self.holders: set[int] = set() if core is None else {core}
        self.last = core
        self.moving = 0
        self.writer_moves = False
        self.waiting: deque[Request] = deque()
        self.watchers: list[Action] = []


class Move(NamedTuple):
    """A line's transfer: when it arrived, from whom to whom."""

    ps: int
    line: str
    source: int | None
    core: int
    writes: bool


class Lines:
    """All transfers, counted by whether they leave the socket; `log` keeps each where asked."""

    def __init__(self, machine: Machine, engine: Engine) -> None:
        self.machine, self.engine = machine, engine
        self.near = self.far = 0
        self.by_line: dict[str, int] = {}
        self.log: list[Move] | None = None

    def read(self, line: Line, core: int, action: Action) -> None:
        """`action` when this core has a copy."""
        if core in line.holders:
            action()
        else:
            self.request(line, Request(core, False, action))

    def own(self, line: Line, core: int, action: Action) -> None:
        """`action` when this core may write."""
        if line.owner == core:
            action()
        else:
            self.request(line, Request(core, True, action))

    def watch(self, line: Line, action: Action) -> None:
        """`action` when somebody is about to write."""
        line.watchers.append(action)

    def request(self, line: Line, request: Request) -> None:
        line.waiting.append(request)
        self.pump(line)

    def pump(self, line: Line) -> None:
        """Begins the next transfers, as many as may be under way at once."""
        while line.waiting:
            request = line.waiting[0]
            if line.moving and (request.writes or line.writer_moves):
                return
            line.waiting.popleft()
            held = not request.writes and request.core in line.holders
            if held or line.owner == request.core:
                # Another of its own requests brought it.
                request.action()
            else:
                self.send(line, request)

    def send(self, line: Line, request: Request) -> None:
        line.moving += 1
        line.writer_moves = request.writes
        source = self.find_source(line, request)
        delay = self.machine.transfer(source, request.core)
        # Half for the request to get there: until then the holders keep it.
        self.engine.after(delay // 2, lambda: self.leave(line, request))
        self.engine.after(delay, lambda: self.arrive(line, request, source))

    def find_source(self, line: Line, request: Request) -> int | None:
        """Who sends it, or must say that it has dropped it: for a writer the farthest of those who
        have it, for a reader the nearest. None: from memory.
        """
        others = sorted(line.holders - {request.core})
        if not others:
            return None if line.last is None or request.core not in line.holders else request.core
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
        line.last = request.core
        if request.writes:
            assert line.holders == {request.core}, f"{line.name} has two owners"
            line.owner = request.core
        line.moving -= 1
        self.count(line, request, source)
        request.action()
        # The next one's request is on its way before this owner does anything else.
        self.pump(line)

    def count(self, line: Line, request: Request, source: int | None) -> None:
        far = source is not None and self.machine.is_far(source, request.core)
        self.near += not far
        self.far += far
        kind = line.name.split()[0]
        self.by_line[kind] = self.by_line.get(kind, 0) + 1
        if self.log is not None:
            self.log.append(Move(self.engine.now, line.name, source, request.core, request.writes))
