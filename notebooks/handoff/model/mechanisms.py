"""The paper's hand-overs, each a program of the producer and one of the consumers.

A class names the class of java-bench that it follows.
"""

from collections.abc import Callable
from typing import Any

from handoff.model.lines import LINE_BYTES, Line
from handoff.model.lock import Condition, make_lock
from handoff.model.machine import Machine
from handoff.model.thread import Steps, Thread, fence, nap, read, spin, swap, work, write

Handle = Callable[[Any], Steps]
"""A consumer's work on an event that it has read."""

SLOTS_PER_LINE = 16
"""References of four bytes."""

EVENT_BYTES, VALUE_OFFSET = 24, 16
"""An event's size, and the place of its number. Neighbours are contiguous, as read from addresses
in JDK 17, so a line holds the numbers of two or three events.
"""


def find_event_line(index: int) -> int:
    """Return the line with the number of an event that is the index-th of a contiguous array."""
    return (index * EVENT_BYTES + VALUE_OFFSET) // LINE_BYTES


class Queue:
    """ArrayBlockingQueueHandoff: one array, one lock for both ends, two conditions."""

    def __init__(self, machine: Machine, capacity: int, consumers: int) -> None:
        self.machine, self.capacity, self.consumers = machine, capacity, consumers
        self.lock = make_lock(machine)
        self.not_empty = Condition(self.lock, "condition not-empty")
        self.not_full = Condition(self.lock, "condition not-full")
        self.fields = Line("fields", None, put=0, take=0, count=0)
        self.slots = [Line(f"slots {line}") for line in range((capacity - 1) // SLOTS_PER_LINE + 1)]

    def produce(self, thread: Thread, events: int) -> Steps:
        for event in range(events):
            yield work(self.machine.produce)
            line = self.allocate(thread, event)
            yield write(line, event, event)
            yield from self.put(thread, (line, event))

    def allocate(self, thread: Thread, event: int) -> Line:
        """Return the line of a new event. The producer's core owns a line that no event is on."""
        number = find_event_line(event)
        if number != find_event_line(event - 1):
            self.newest = Line(f"events {number}", thread.core)
        return self.newest

    def put(self, thread: Thread, item: tuple[Line, int]) -> Steps:
        yield work(self.machine.java)
        yield from self.lock.acquire(thread)
        while (yield read(self.fields, "count")) == self.capacity:
            yield from self.not_full.wait(thread)
        index = yield read(self.fields, "put")
        yield write(self.slots[index // SLOTS_PER_LINE], index, item)
        yield write(self.fields, "put", (index + 1) % self.capacity)
        count = yield read(self.fields, "count")
        yield write(self.fields, "count", count + 1)
        yield from self.not_empty.signal()
        yield from self.lock.release()

    def consume(self, thread: Thread, number: int, handle: Handle) -> Steps:
        while True:
            line, field = yield from self.take(thread)
            yield from handle((yield read(line, field)))

    def take(self, thread: Thread) -> Steps:
        yield work(self.machine.java)
        yield from self.lock.acquire(thread)
        while (yield read(self.fields, "count")) == 0:
            yield from self.not_empty.wait(thread)
        index = yield read(self.fields, "take")
        line = self.slots[index // SLOTS_PER_LINE]
        item = yield read(line, index)
        yield write(line, index, None)
        yield write(self.fields, "take", (index + 1) % self.capacity)
        count = yield read(self.fields, "count")
        yield write(self.fields, "count", count - 1)
        yield from self.not_full.signal()
        yield from self.lock.release()
        return item


class Ring:
    """Base of both Disruptors: entries, producer, and the sequences that gate it."""

    def __init__(self, machine: Machine, capacity: int, consumers: int) -> None:
        self.machine, self.capacity, self.consumers = machine, capacity, consumers
        self.cursor = Line("cursor", None, value=-1)
        self.done = [Line(f"sequence {i + 1}", None, value=-1) for i in range(consumers)]
        self.gating = self.done
        self.entries = [Line(f"entries {i}") for i in range(find_event_line(capacity - 1) + 1)]
        for index in range(capacity):
            self.entries[find_event_line(index)].values[index] = None

    def find_entry(self, event: int) -> tuple[Line, int]:
        index = event % self.capacity
        return self.entries[find_event_line(index)], index

    def produce(self, thread: Thread, events: int) -> Steps:
        known = -1
        for event in range(events):
            wrap = event - self.capacity
            if wrap > known:
                # A volatile write of its own sequence precedes the look at the others'.
                yield fence()
                known = yield from self.find_slowest()
                while wrap > known:
                    yield nap()
                    known = yield from self.find_slowest()
            yield work(self.machine.java)
            yield write(*self.find_entry(event), event)
            yield work(self.machine.produce)
            yield write(self.cursor, "value", event)

    def find_slowest(self) -> Steps:
        values = []
        for line in self.gating:
            values.append((yield read(line, "value")))
        return min(values)

    def handle_entry(self, event: int, handle: Handle) -> Steps:
        """Read an event's entry and handle it. Raise RuntimeError if it holds another event."""
        content = yield read(*self.find_entry(event))
        if content != event:
            raise RuntimeError(f"expected event {event}, but read {content}")
        yield from handle(content)

    def wait_for(self, line: Line, event: int) -> Steps:
        """Wait, yielding, until a sequence reaches an event; return its value."""
        return (yield spin(line, "value", lambda value: value >= event, self.machine.yields))


class Striped(Ring):
    """DisruptorStriped: each consumer passes all events and handles its share."""

    def consume(self, thread: Thread, number: int, handle: Handle) -> Steps:
        event = 0
        while True:
            available = yield from self.wait_for(self.cursor, event)
            while event <= available:
                yield work(self.machine.java)
                if event % self.consumers == number:
                    yield from self.handle_entry(event, handle)
                event += 1
            yield write(self.done[number], "value", available)


class WorkerPool(Ring):
    """DisruptorWorkerPool: each event goes to the worker that claims it first."""

    def __init__(self, machine: Machine, capacity: int, consumers: int) -> None:
        super().__init__(machine, capacity, consumers)
        self.claims = Line("claims", None, value=-1)
        self.gating = [*self.done, self.claims]

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
            yield work(self.machine.java)
            yield from self.handle_entry(event, handle)


QUEUE = "ARRAY_BLOCKING_QUEUE"
SEQUENTIAL = "SEQUENTIAL"
MECHANISMS: dict[str, type[Queue] | type[Striped] | type[WorkerPool]] = {
    QUEUE: Queue,
    "DISRUPTOR_WORKER_POOL": WorkerPool,
    "DISRUPTOR_STRIPED": Striped,
}
