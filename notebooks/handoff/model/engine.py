"""Engine: runs the programs of threads, each on a core of its own with a store buffer."""

from collections.abc import Callable, Hashable
from random import Random
from typing import Any

from handoff.model.clock import Action, Clock
from handoff.model.lines import Line, Lines
from handoff.model.machine import Machine
from handoff.model.thread import Steps, Thread

LATEST_START = 1_000_000
"""Threads start at random within the first microsecond, so that none is always the first."""


class Engine(Clock):
    """Threads, lines and the clock of one simulation. The same seed gives the same bits."""

    def __init__(self, machine: Machine, seed: int) -> None:
        super().__init__()
        self.machine = machine
        self.random = Random(seed)
        self.threads: list[Thread] = []
        self.lines = Lines(machine, self)

    def add(self, thread: Thread, program: Steps) -> None:
        thread.program = program
        self.threads.append(thread)
        self.resume_after(thread, self.random.randrange(LATEST_START))

    def run(self, enough: Callable[[], bool]) -> None:
        """Run until it is enough. Raise RuntimeError if all threads wait before that."""
        while not enough():
            if not self.advance():
                states = [f"{t.name} {'asleep' if t.asleep else '?'}" for t in self.threads]
                raise RuntimeError(f"no thread can continue: {', '.join(states)}")

    def resume(self, thread: Thread, result: Any = None) -> None:
        """Send a result to the program and start the operation that it yields next."""
        try:
            operation = thread.program.send(result)
        except StopIteration:
            thread.ended = self.now
            return
        getattr(self, f"do_{operation[0]}")(thread, *operation[1:])

    def resume_after(self, thread: Thread, ps: int, result: Any = None) -> None:
        self.after(ps, lambda: self.resume(thread, result))

    do_work = resume_after

    def do_read(self, thread: Thread, line: Line, field: Hashable) -> None:
        for stored, name, value in reversed(thread.stores):
            if stored is line and name == field:
                self.resume_after(thread, self.machine.hit, value)
                return

        def take() -> None:
            self.resume_after(thread, self.machine.hit, line.values[field])

        self.lines.fetch(line, thread.core, take)

    def do_write(self, thread: Thread, line: Line, field: Hashable, value: Any) -> None:
        thread.stores.append((line, field, value))
        if thread.draining and line.owner != thread.core:
            # The line is fetched early; earlier stores in the buffer are still written first.
            self.lines.fetch(line, thread.core, lambda: None, to_write=True)
        self.drain(thread)
        if len(thread.stores) < self.machine.store_buffer:
            self.resume_after(thread, self.machine.cycle)
        else:
            thread.drained.append(lambda: self.resume(thread))

    def drain(self, thread: Thread) -> None:
        """Write the buffered stores in their order, each as soon as the core owns its line."""
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

        self.lines.fetch(line, thread.core, apply, to_write=True)

    def do_fence(self, thread: Thread) -> None:
        self.when_drained(thread, lambda: self.resume_after(thread, self.machine.fence))

    def when_drained(self, thread: Thread, action: Action) -> None:
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

        self.when_drained(thread, lambda: self.lines.fetch(line, thread.core, apply, to_write=True))

    def do_spin(
        self, thread: Thread, line: Line, field: Hashable, enough: Callable[[Any], bool], naps: int
    ) -> None:
        start = self.now

        def look() -> None:
            value = line.values[field]
            if enough(value):
                late = naps and self.now - start > self.machine.spins
                nap = self.random.randrange(naps) if late else 0
                self.resume_after(thread, self.machine.hit + nap, value)
            else:
                line.watchers.append(lambda: self.lines.fetch(line, thread.core, look))

        self.lines.fetch(line, thread.core, look)

    def do_park(self, thread: Thread) -> None:
        self.after(self.machine.try_park, lambda: self.fall_asleep(thread))

    def fall_asleep(self, thread: Thread) -> None:
        if thread.permit:
            thread.permit = False
            self.resume(thread)
            return
        thread.asleep = thread.idle_since = self.now
        thread.sleeps += 1

    def do_nap(self, thread: Thread) -> None:
        thread.sleeps += 1
        thread.idle_since = self.now
        self.wake_after(thread, self.machine.nap, self.machine.nap_cpu)

    def wake_after(self, thread: Thread, ps: int, cpu: int) -> None:
        """Resume a thread; its core is idle until only `cpu` of the `ps` is left."""

        def end_idling() -> None:
            assert thread.idle_since is not None
            thread.slept += self.now - thread.idle_since
            thread.idle_since = None

        self.after(max(0, ps - cpu), end_idling)
        self.resume_after(thread, ps)

    def do_unpark(self, thread: Thread, other: Thread) -> None:
        if other.asleep is None:
            other.permit = True
            self.resume_after(thread, self.machine.permit)
            return
        delay = self.machine.switch + self.machine.exit_latency(other.idled)
        other.idled = self.now - other.asleep
        other.asleep = None
        self.wake_after(other, delay, self.machine.switch_cpu)
        self.resume_after(thread, self.machine.unpark)
