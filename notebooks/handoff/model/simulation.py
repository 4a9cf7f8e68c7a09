"""Simulation of one point: time, CPU, transfers of lines, and sleeps, per event."""

from collections import Counter
from typing import Any, NamedTuple

from handoff.model.engine import Engine
from handoff.model.lines import Move
from handoff.model.machine import PS, Machine
from handoff.model.mechanisms import MECHANISMS, SEQUENTIAL
from handoff.model.thread import Steps, Thread, work

EVENTS = 4000
SETTLING = 4
"""A quarter of the events is not counted, nor is any event of the ring's first lap."""

CAPACITY = 1024
"""Small enough to be full soon; the paper's is unknown."""

SPARE_LAPS = 2
"""The producer still has this many laps to go when the last event that counts is handled."""


class Point(NamedTuple):
    """A point to simulate.

    `places`: the producer's core and the consumers'; by default the machine's first ones.
    """

    mechanism: str
    consumers: int = 1
    sorts: int = 1
    capacity: int = CAPACITY
    events: int = EVENTS
    places: tuple[int, ...] | None = None


class Outcome(NamedTuple):
    """Means per event: time, transfers of lines, and sleeps; `cores` is the number kept busy.

    Transfers are counted within a socket (`near`), between two (`far`), and by kind of line.
    `moves` has each of them, and `handled_ps` the instant at which each event was handled.
    """

    ns: float
    cores: float
    near: float
    far: float
    sleeps: float
    by_kind: dict[str, float]
    moves: tuple[Move, ...] = ()
    handled_ps: tuple[int, ...] = ()


class Use(NamedTuple):
    """Sums since the start: ps of time and of CPU, and numbers of sleeps and transfers."""

    ps: int
    cpu: int
    sleeps: int
    moves: int


class Meter:
    """Counts handled events, and what everything has taken since the count started."""

    def __init__(self, engine: Engine, point: Point) -> None:
        self.engine, self.point = engine, point
        self.handled = [-1] * count_produced(point)
        self.number = 0
        self.settled = max(point.events // SETTLING, point.capacity)
        self.start = self.take()

    def note(self, event: Any) -> None:
        """Count an event. Raise RuntimeError if it was handled before or never made."""
        if not isinstance(event, int) or self.handled[event] >= 0:
            raise RuntimeError(f"event {event} was handled twice, or never made")
        self.handled[event] = self.engine.now
        self.number += 1
        if self.number == self.settled:
            self.start = self.take()

    def take(self) -> Use:
        now, threads = self.engine.now, self.engine.threads
        cpu = sum(thread.count_cpu(now) for thread in threads)
        sleeps = sum(thread.sleeps for thread in threads)
        return Use(now, cpu, sleeps, len(self.engine.lines.moves))

    def require_all(self) -> None:
        """Raise RuntimeError if an event is missing that no consumer can still be handling.

        Each consumer may have one event under way, and a striped one may be a ring behind.
        """
        first = next((i for i, when in enumerate(self.handled) if when < 0), len(self.handled))
        last = max(i for i, when in enumerate(self.handled) if when >= 0)
        if last - first > self.point.capacity + self.point.consumers:
            raise RuntimeError(f"event {first} was lost")

    def conclude(self) -> Outcome:
        self.require_all()
        end, events = self.take(), self.number - self.settled
        wall = end.ps - self.start.ps
        moves = tuple(self.engine.lines.moves)
        counted = moves[self.start.moves :]
        far = sum(self.engine.machine.is_far(move.source, move.core) for move in counted)
        kinds = Counter(move.line.split()[0] for move in counted)
        return Outcome(
            ns=wall / events / PS,
            cores=(end.cpu - self.start.cpu) / wall,
            near=(len(counted) - far) / events,
            far=far / events,
            sleeps=(end.sleeps - self.start.sleeps) / events,
            by_kind={kind: number / events for kind, number in sorted(kinds.items())},
            moves=moves,
            handled_ps=tuple(self.handled),
        )


def simulate(machine: Machine, point: Point, seed: int = 1) -> Outcome:
    """Simulate a point; the same seed gives the same bits.

    At least two laps of events are handled, so that the ring can fill up. Raise RuntimeError if an
    event is lost or handled twice.
    """
    if point.mechanism == SEQUENTIAL:
        ps = machine.produce + machine.fill + point.sorts * machine.sort
        return Outcome(ps / PS, 1.0, 0.0, 0.0, 0.0, {})
    point = point._replace(events=max(point.events, 2 * point.capacity + 2 * SETTLING))
    engine = Engine(machine, seed)
    meter = Meter(engine, point)
    start_threads(engine, meter, point)
    engine.run(lambda: meter.number == point.events)
    return meter.conclude()


def start_threads(engine: Engine, meter: Meter, point: Point) -> None:
    machine = engine.machine
    mechanism = MECHANISMS[point.mechanism](machine, point.capacity, point.consumers)
    places = point.places or tuple(range(point.consumers + 1))

    def handle(event: Any) -> Steps:
        yield work(machine.fill + point.sorts * machine.sort)
        meter.note(event)

    producer = Thread("producer", places[0])
    engine.add(producer, mechanism.produce(producer, count_produced(point)))
    for number in range(point.consumers):
        thread = Thread(f"consumer {number + 1}", places[number + 1])
        engine.add(thread, mechanism.consume(thread, number, handle))


def count_produced(point: Point) -> int:
    return point.events + SPARE_LAPS * point.capacity
