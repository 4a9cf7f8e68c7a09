"""Three consumers wired as in the Disruptor's own throughput tests, each of which handles every
event: in a row, side by side, and two side by side before a third.
"""

from __future__ import annotations

from typing import Any

from handoff.model.engine import Thread
from handoff.model.lines import Line
from handoff.model.machine import Machine
from handoff.model.mechanisms import Handle, Queue, Ring, Steps
from handoff.model.operations import compute, read, write

Wiring = tuple[tuple[int, ...], ...]
"""Of each consumer the numbers of those that it follows; none: it follows the producer."""

WIRINGS: dict[str, Wiring] = {
    "PIPELINE": ((), (0,), (1,)),
    "MULTICAST": ((), (), ()),
    "DIAMOND": ((), (), (0, 1)),
}


class WiredRing(Ring):
    """One ring for all; the producer waits for those whom nobody follows."""

    def __init__(self, machine: Machine, capacity: int, wiring: Wiring) -> None:
        super().__init__(machine, capacity, len(wiring), 0)
        self.wiring = wiring
        results: dict[str, Any] = {name_result(number): None for number in range(len(wiring))}
        self.entries = [Line(f"entry {i}", None, content=None, **results) for i in range(capacity)]

    @property
    def gating(self) -> list[Line]:
        followed = {number for those in self.wiring for number in those}
        return [line for number, line in enumerate(self.done) if number not in followed]

    def consume(self, thread: Thread, number: int, handle: Handle) -> Steps:
        """The last consumer's events are those that count; the others write into the entry."""
        ahead = [self.done[other] for other in self.wiring[number]] or [self.cursor]
        event = 0
        while True:
            available = yield from self.wait_for(ahead[0], event)
            for line in ahead[1:]:
                available = min(available, (yield from self.wait_for(line, event)))
            while event <= available:
                yield compute(self.machine.java)
                yield from self.read_results(number, event)
                last = number == self.consumers - 1
                yield from self.handle_entry(number, event, handle if last else self.pass_on)
                event += 1
            yield write(self.done[number], "value", available)

    def read_results(self, number: int, event: int) -> Steps:
        """What those that it follows made of the event; RuntimeError where one has not yet."""
        for other in self.wiring[number]:
            found = yield read(self.entries[event % self.capacity], name_result(other))
            if found != event:
                raise RuntimeError(
                    f"consumer {number + 1} came to event {event} before consumer {other + 1}"
                )

    def pass_on(self, number: int, event: int) -> Steps:
        """Its result, where another follows it."""
        if any(number in those for those in self.wiring):
            yield write(self.entries[event % self.capacity], name_result(number), event)


def name_result(number: int) -> str:
    return f"result {number}"


class WiredQueues:
    """A queue from each thread to each that follows it."""

    def __init__(
        self, machine: Machine, capacity: int, wiring: Wiring, lock_spins: int = 0
    ) -> None:
        self.machine, self.wiring = machine, wiring
        self.first = {
            number: Queue(machine, capacity, 1, lock_spins)
            for number, those in enumerate(wiring)
            if not those
        }
        self.between = {
            (other, number): Queue(machine, capacity, 1, lock_spins)
            for number, those in enumerate(wiring)
            for other in those
        }

    def produce(self, thread: Thread, events: int) -> Steps:
        for event in range(events):
            for queue in self.first.values():
                yield from self.put(queue, thread, event)

    def put(self, queue: Queue, thread: Thread, event: int) -> Steps:
        yield compute(self.machine.produce)
        yield from queue.put(thread, Line(f"event {event}", thread.core, content=event))

    def consume(self, thread: Thread, number: int, handle: Handle) -> Steps:
        """RuntimeError where those that it follows hand it different events."""
        ahead = [self.between[other, number] for other in self.wiring[number]] or [
            self.first[number]
        ]
        behind = [queue for (other, _), queue in self.between.items() if other == number]
        while True:
            events = []
            for queue in ahead:
                line = yield from queue.take(thread)
                events.append((yield read(line, "content")))
            if len(set(events)) > 1:
                raise RuntimeError(f"consumer {number + 1} was handed the events {events} together")
            for queue in behind:
                yield from self.put(queue, thread, events[0])
            if number == len(self.wiring) - 1:
                yield from handle(number, events[0])
