"""One point in the model: what its events take, in time, CPU, lines that moved, and sleeps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from handoff.model.engine import Engine, Thread
from handoff.model.lines import Move
from handoff.model.machine import PS, Machine
from handoff.model.mechanisms import (
    MECHANISMS,
    QUEUE,
    SEQUENTIAL,
    Queue,
    Steps,
    Striped,
    WorkerPool,
)
from handoff.model.operations import compute
from handoff.model.wirings import WIRINGS, WiredQueues, WiredRing

EVENTS = 4000
SETTLING = 4
"""A quarter of the events is not counted, and no lap of the ring is that is the first."""

CAPACITY = 8192
SPARE_LAPS = 2
"""The producer is not at its end when the last event that counts is handled."""


class Point(NamedTuple):
    """What is simulated. `places`: cores of the machine that are used, in this order; None: its
    own order, node by node. `wiring`: of `WIRINGS`, three consumers that handle each event, by
    the queue or the ring; '' for one stage that shares the events.
    """

    mechanism: str
    consumers: int = 1
    sorts: int = 1
    capacity: int = CAPACITY
    events: int = EVENTS
    places: tuple[int, ...] | None = None
    wiring: str = ""


@dataclass(frozen=True)
class Outcome:
    """`log`: each transfer, and `handled_ps`: when each event was handled, where asked for. Of an
    event: `ns`, lines moved within a socket and between two, sleeps, and moves by line;
    `cores` that were busy on average.
    """

    ns: float
    cores: float
    near: float
    far: float
    sleeps: float
    by_line: dict[str, float]
    log: tuple[Move, ...] = ()
    handled_ps: tuple[int, ...] = ()


class Meter:
    """What has been handled, and what everything had taken when the count began."""

    def __init__(self, engine: Engine, point: Point) -> None:
        self.engine, self.point = engine, point
        self.handled = [-1] * count_produced(point)
        self.number, self.highest = 0, -1
        self.begin: Outcome | None = None
        self.began = 0

    @property
    def settled(self) -> int:
        return max(self.point.events // SETTLING, self.point.capacity)

    def note(self, event: Any) -> None:
        """RuntimeError where an event comes twice, or something that is none."""
        if not isinstance(event, int) or self.handled[event] >= 0:
            raise RuntimeError(f"event {event} was handled twice, or never made")
        self.highest = max(self.highest, event)
        self.handled[event] = self.engine.now
        self.number += 1
        if self.number == self.settled:
            self.begin, self.began = self.take(), self.engine.now

    def take(self) -> Outcome:
        """All so far, of all events."""
        engine = self.engine
        cpu = sum(engine.cpu(thread) for thread in engine.threads)
        sleeps = sum(thread.sleeps for thread in engine.threads)
        lines = engine.lines
        return Outcome(engine.now, cpu, lines.near, lines.far, sleeps, dict(lines.by_line))

    def require_all(self) -> None:
        """RuntimeError where an event lacks that no consumer can still be at: each has one, and of
        striped ones the slowest may be a ring behind.
        """
        first = next((i for i, when in enumerate(self.handled) if when < 0), len(self.handled))
        if self.highest - first > self.point.capacity + self.point.consumers:
            raise RuntimeError(f"event {first} was lost")

    def conclude(self) -> Outcome:
        assert self.begin is not None
        self.require_all()
        before, after = self.begin, self.take()
        events = self.number - self.settled
        wall = after.ns - before.ns
        return Outcome(
            wall / events / PS,
            (after.cores - before.cores) / wall,
            (after.near - before.near) / events,
            (after.far - before.far) / events,
            (after.sleeps - before.sleeps) / events,
            {
                name: (count - before.by_line.get(name, 0)) / events
                for name, count in sorted(after.by_line.items())
            },
        )


def simulate(
    machine: Machine, point: Point, seed: int = 1, lock_spins: int = 0, log: bool = False
) -> Outcome:
    """The same seed gives the same bits. RuntimeError where an event is lost or comes twice."""
    if point.mechanism == SEQUENTIAL:
        ps = machine.produce + machine.fill + point.sorts * machine.sort
        return Outcome(ps / PS, 1.0, 0.0, 0.0, 0.0, {})
    point = fill_ring(point)
    if point.wiring:
        point = point._replace(consumers=len(WIRINGS[point.wiring]))
    engine = Engine(machine, seed)
    meter = Meter(engine, point)
    made = build_mechanism(machine, point, lock_spins)
    places = point.places or tuple(range(point.consumers + 1))

    def handle(number: int, event: Any) -> Steps:
        yield compute(machine.fill + point.sorts * machine.sort)
        meter.note(event)

    producer = Thread("producer", places[0])
    engine.add(producer, made.produce(producer, count_produced(point)))
    for number in range(point.consumers):
        thread = Thread(f"consumer {number + 1}", places[number + 1])
        engine.add(thread, made.consume(thread, number, handle))
    if log:
        engine.lines.log = []
    engine.run(lambda: meter.number == point.events)
    found = meter.conclude()
    if engine.lines.log is None:
        return found
    return replace(found, log=tuple(engine.lines.log), handled_ps=tuple(meter.handled))


def build_mechanism(
    machine: Machine, point: Point, lock_spins: int
) -> Queue | Striped | WorkerPool | WiredQueues | WiredRing:
    if not point.wiring:
        kind = MECHANISMS[point.mechanism]
        return kind(machine, point.capacity, point.consumers, lock_spins)
    wiring = WIRINGS[point.wiring]
    if point.mechanism == QUEUE:
        return WiredQueues(machine, point.capacity, wiring, lock_spins)
    return WiredRing(machine, point.capacity, wiring)


def fill_ring(point: Point) -> Point:
    """With at least twice as many events as there is room, or the full ring would never be seen."""
    return point._replace(events=max(point.events, 2 * point.capacity + 2 * SETTLING))


def count_produced(point: Point) -> int:
    return point.events + SPARE_LAPS * point.capacity
