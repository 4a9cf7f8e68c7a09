"""The hand-overs of the paper as the model runs them: each a producer's program and a consumer's.
Beside each stands the class of java-bench that it follows.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from handoff.model.engine import Thread
from handoff.model.lines import Line
from handoff.model.lock import Condition, Lock
from handoff.model.machine import Machine
from handoff.model.operations import Operation, compute, fence, nap, read, spin, swap, write

Steps = Generator[Operation, Any, Any]
Handle = Callable[[int, Any], Steps]
"""A consumer's work on one event: its own number, and what it read where the event was to be."""

SLOTS_A_LINE = 16
"""References of four bytes."""


class Queue:
    """ArrayBlockingQueueHandoff: one array, one lock for both ends, two conditions."""

    def __init__(self, machine: Machine, capacity: int, consumers: int, lock_spins: int) -> None:
        self.machine, self.capacity, self.consumers = machine, capacity, consumers
        self.lock = Lock(lock_spins)
        self.not_empty = Condition(self.lock, "condition not-empty")
        self.not_full = Condition(self.lock, "condition not-full")
        self.fields = Line("fields", None, put=0, take=0, count=0)
        self.slots = [
            Line(f"slots {line}", None, **{str(i): None for i in range(SLOTS_A_LINE)})
            for line in range((capacity + SLOTS_A_LINE - 1) // SLOTS_A_LINE)
        ]

    def find_slot(self, index: int) -> tuple[Line, str]:
        return self.slots[index // SLOTS_A_LINE], str(index % SLOTS_A_LINE)

    def produce(self, thread: Thread, events: int) -> Steps:
        for event in range(events):
            yield compute(self.machine.produce)
            yield from self.put(thread, Line(f"event {event}", thread.core, content=event))

    def put(self, thread: Thread, item: Line) -> Steps:
        yield compute(self.machine.java)
        yield from self.lock.acquire(thread)
        while (yield read(self.fields, "count")) == self.capacity:
            yield from self.not_full.wait(thread)
        index = yield read(self.fields, "put")
        line, slot = self.find_slot(index)
        yield write(line, slot, item)
        yield write(self.fields, "put", (index + 1) % self.capacity)
        count = yield read(self.fields, "count")
        yield write(self.fields, "count", count + 1)
        yield from self.not_empty.signal()
        yield from self.lock.release()

    def consume(self, thread: Thread, number: int, handle: Handle) -> Steps:
        while True:
            line = yield from self.take(thread)
            yield from handle(number, (yield read(line, "content")))

    def take(self, thread: Thread) -> Steps:
        yield compute(self.machine.java)
        yield from self.lock.acquire(thread)
        while (yield read(self.fields, "count")) == 0:
            yield from self.not_empty.wait(thread)
        index = yield read(self.fields, "take")
        line, slot = self.find_slot(index)
        item = yield read(line, slot)
        yield write(line, slot, None)
        yield write(self.fields, "take", (index + 1) % self.capacity)
        count = yield read(self.fields, "count")
        yield write(self.fields, "count", count - 1)
        yield from self.not_full.signal()
        yield from self.lock.release()
        return item


class Ring:
    """What both Disruptors share: the producer, and who must not be overtaken."""

    def __init__(self, machine: Machine, capacity: int, consumers: int, lock_spins: int) -> None:
        self.machine, self.capacity, self.consumers = machine, capacity, consumers
        self.cursor = Line("cursor", None, value=-1)
        self.done = [Line(f"sequence {i + 1}", None, value=-1) for i in range(consumers)]
        self.entries = [Line(f"entry {i}", None, content=None) for i in range(capacity)]

    @property
    def gating(self) -> list[Line]:
        return self.done

    def produce(self, thread: Thread, events: int) -> Steps:
        known = -1
        for event in range(events):
            wrap = event - self.capacity
            if wrap > known:
                # Its place is said, for all to see, before it looks at the others.
                yield fence()
                known = yield from self.find_slowest()
                while wrap > known:
                    yield nap()
                    known = yield from self.find_slowest()
            yield compute(self.machine.java)
            yield write(self.entries[event % self.capacity], "content", event)
            yield compute(self.machine.produce)
            yield write(self.cursor, "value", event)

    def find_slowest(self) -> Steps:
        slowest = None
        for line in self.gating:
            value = yield read(line, "value")
            slowest = value if slowest is None else min(slowest, value)
        return slowest

    def handle_entry(self, number: int, event: int, handle: Handle) -> Steps:
        """RuntimeError where another event is there."""
        content = yield read(self.entries[event % self.capacity], "content")
        if content != event:
            raise RuntimeError(f"event {content} was read where {event} was to be")
        yield from handle(number, content)

    def wait_for(self, line: Line, event: int) -> Steps:
        """Until this sequence says that the event is there; returns the last that is. The wait
        yields.
        """
        return (yield spin(line, "value", lambda value: value >= event, self.machine.yields))


class Striped(Ring):
    """DisruptorStriped: each consumer passes all events, and handles its own."""

    def consume(self, thread: Thread, number: int, handle: Handle) -> Steps:
        event = 0
        while True:
            available = yield from self.wait_for(self.cursor, event)
            while event <= available:
                yield compute(self.machine.java)
                if event % self.consumers == number:
                    yield from self.handle_entry(number, event, handle)
                event += 1
            yield write(self.done[number], "value", available)


class WorkerPool(Ring):
    """DisruptorWorkerPool: each event goes to the worker that claims it first."""

    def __init__(self, machine: Machine, capacity: int, consumers: int, lock_spins: int) -> None:
        super().__init__(machine, capacity, consumers, lock_spins)
        self.claims = Line("claims", None, value=-1)

    @property
    def gating(self) -> list[Line]:
        return [*self.done, self.claims]

    def consume(self, thread: Thread, number: int, handle: Handle) -> Steps:
        available = -1
        while True:
            while True:
                last = yield read(self.claims, "value")
                yield write(self.done[number], "value", last)
                if (yield swap(self.claims, "value", last, last + 1)) == last:
                    break
            event = last + 1
            if available < event:
                available = yield from self.wait_for(self.cursor, event)
            yield compute(self.machine.java)
            yield from self.handle_entry(number, event, handle)


QUEUE = "ARRAY_BLOCKING_QUEUE"
MECHANISMS: dict[str, type[Queue] | type[Striped] | type[WorkerPool]] = {
    QUEUE: Queue,
    "DISRUPTOR_WORKER_POOL": WorkerPool,
    "DISRUPTOR_STRIPED": Striped,
}
SEQUENTIAL = "SEQUENTIAL"
