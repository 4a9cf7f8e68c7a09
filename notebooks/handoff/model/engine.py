"""Threads that each have a core of their own, and the order in which things happen: a heap of
instants, in picoseconds. A thread is a generator that yields operations and is sent their results.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Hashable
from itertools import count
from random import Random
from typing import Any

from handoff.model.lines import Line, Lines
from handoff.model.machine import Machine
from handoff.model.operations import Program

Resume = Callable[[Any], None]


class Thread:
    """One program on one core; `asleep` since then where it waits to be unparked. Its core was idle
    for `slept` ps, and is since `idle_since`.
    """

    def __init__(self, name: str, core: int) -> None:
        self.name, self.core = name, core
        self.program: Program | None = None
        self.permit = False
        self.asleep: int | None = None
        self.slept = 0
        self.idle_since: int | None = None
        self.sleeps = 0
        self.idled = 0
        self.wake: Resume | None = None
        self.stores: deque[tuple[Line, Hashable, Any]] = deque()
        self.draining = False
        self.drained: list[Callable[[], None]] = []
        self.ended: int | None = None


class Engine:
    """`now` is in ps. The same seed gives the same bits."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self.machine = machine
        self.random = Random(seed)
        self.now = 0
        self.heap: list[tuple[int, int, Callable[[], None]]] = []
        self.order = count()
        self.threads: list[Thread] = []
        self.lines = Lines(machine, self)

    def at(self, when: int, action: Callable[[], None]) -> None:
        heapq.heappush(self.heap, (when, next(self.order), action))

    def after(self, ps: int, action: Callable[[], None]) -> None:
        self.at(self.now + ps, action)

    def add(self, thread: Thread, program: Program) -> None:
        """A thread that begins within the first microsecond: none is the first by right."""
        thread.program = program
        self.threads.append(thread)
        self.after(self.random.randrange(1_000_000), lambda: self.resume(thread, None))

    def run(self, enough: Callable[[], bool]) -> None:
        """Until it is enough. RuntimeError when nothing can happen any more before that."""
        while not enough():
            if not self.heap:
                states = ", ".join(
                    f"{t.name} {'asleep' if t.asleep else '?'}" for t in self.threads
                )
                raise RuntimeError(f"nothing moves any more: {states}")
            self.now, _, action = heapq.heappop(self.heap)
            action()

    def resume(self, thread: Thread, result: Any) -> None:
        assert thread.program is not None
        try:
            operation = thread.program.send(result)
        except StopIteration:
            thread.ended = self.now
            return
        getattr(self, f"do_{operation[0]}")(thread, *operation[1:])

    def resume_after(self, thread: Thread, ps: int, result: Any = None) -> None:
        self.after(ps, lambda: self.resume(thread, result))

    def do_compute(self, thread: Thread, ps: int) -> None:
        self.resume_after(thread, ps)

    def do_read(self, thread: Thread, line: Line, field: Hashable) -> None:
        for stored, name, value in reversed(thread.stores):
            if stored is line and name == field:
                self.resume_after(thread, self.machine.hit, value)
                return
        self.lines.read(
            line,
            thread.core,
            lambda: self.resume_after(thread, self.machine.hit, line.values[field]),
        )

    def do_write(self, thread: Thread, line: Line, field: Hashable, value: Any) -> None:
        thread.stores.append((line, field, value))
        if thread.draining and line.owner != thread.core:
            # Fetched early: what is before it in the buffer is still written first.
            self.lines.own(line, thread.core, lambda: None)
        self.drain(thread)
        if len(thread.stores) < self.machine.store_buffer:
            self.resume_after(thread, self.machine.cycle)
        else:
            thread.drained.append(lambda: self.resume(thread, None))

    def drain(self, thread: Thread) -> None:
        """Writes what was stored, in its order, as soon as the line is this core's."""
        if thread.draining:
            return
        if not thread.stores:
            waiting, thread.drained = thread.drained, []
            for action in waiting:
                action()
            return
        thread.draining = True
        line = thread.stores[0][0]

        def apply() -> None:
            owned, field, value = thread.stores.popleft()
            owned.values[field] = value
            self.after(self.machine.cycle, proceed)

        def proceed() -> None:
            thread.draining = False
            self.drain(thread)

        self.lines.own(line, thread.core, apply)

    def do_fence(self, thread: Thread) -> None:
        self.when_drained(thread, lambda: self.resume_after(thread, self.machine.fence))

    def when_drained(self, thread: Thread, action: Callable[[], None]) -> None:
        if thread.stores or thread.draining:
            thread.drained.append(action)
        else:
            action()

    def do_update(
        self, thread: Thread, line: Line, field: Hashable, change: Callable[[Any], Any]
    ) -> None:
        def apply() -> None:
            before = line.values[field]
            line.values[field] = change(before)
            self.resume_after(thread, self.machine.atomic, before)

        self.when_drained(thread, lambda: self.lines.own(line, thread.core, apply))

    def do_spin(
        self,
        thread: Thread,
        line: Line,
        field: Hashable,
        enough: Callable[[Any], bool],
        naps: int,
        most: int,
    ) -> None:
        began, done = self.now, False

        def look() -> None:
            value = line.values[field]
            if done:
                return
            if enough(value):
                late = naps and self.now - began > self.machine.spins
                finish(self.random.randrange(naps) if late else 0)
            else:
                self.lines.watch(line, look_again)

        def look_again() -> None:
            if not done:
                self.lines.read(line, thread.core, look)

        def finish(ps: int) -> None:
            nonlocal done
            done = True
            self.resume_after(thread, self.machine.hit + ps, line.values[field])

        self.lines.read(line, thread.core, look)
        if most:
            self.after(most, lambda: None if done else finish(0))

    def do_park(self, thread: Thread) -> None:
        self.after(self.machine.try_park, lambda: self.fall_asleep(thread))

    def fall_asleep(self, thread: Thread) -> None:
        if thread.permit:
            thread.permit = False
            self.resume(thread, None)
            return
        thread.asleep = thread.idle_since = self.now
        thread.sleeps += 1
        thread.wake = lambda _: self.resume(thread, None)

    def do_nap(self, thread: Thread) -> None:
        thread.sleeps += 1
        thread.idle_since = self.now
        self.wake_after(thread, self.machine.nap, self.machine.nap_cpu)
        self.after(self.machine.nap, lambda: self.resume(thread, None))

    def wake_after(self, thread: Thread, ps: int, cpu: int) -> None:
        """Its core is idle until only `cpu` of this is left."""

        def end() -> None:
            assert thread.idle_since is not None
            thread.slept += self.now - thread.idle_since
            thread.idle_since = None

        self.after(max(0, ps - cpu), end)

    def do_unpark(self, thread: Thread, other: Thread) -> None:
        if other.asleep is None:
            other.permit = True
            self.resume_after(thread, self.machine.permit)
            return
        began, wake = other.asleep, other.wake
        other.asleep, other.wake = None, None
        assert wake is not None
        idle = self.now - began
        delay = self.machine.switch + self.machine.exit_latency(other.idled)
        other.idled = idle
        self.wake_after(other, delay, self.machine.switch_cpu)
        self.after(delay, lambda: wake(None))
        self.resume_after(thread, self.machine.unpark)

    def cpu(self, thread: Thread) -> int:
        """Picoseconds of CPU time so far."""
        idle = self.now - thread.idle_since if thread.idle_since is not None else 0
        ended = self.now - thread.ended if thread.ended is not None else 0
        return self.now - thread.slept - idle - ended
