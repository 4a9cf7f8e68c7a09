"""The least that the model must get right: one line to and fro, and counters that threads share."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from handoff.model.engine import Engine, Thread
from handoff.model.lines import Line
from handoff.model.lock import Lock
from handoff.model.machine import PS, Machine
from handoff.model.operations import Operation, fence, read, swap, write

Steps = Generator[Operation, Any, Any]
ROUNDS = 400


def measure_hop(machine: Machine, one: int, other: int) -> float:
    """Half of a round trip in ns: a number that two cores hand to and fro, each trying compare and
    set until it is its turn, as in the benchmark that the matrix is from.
    """
    engine = Engine(machine, 1)
    line = Line("number", None, value=0)
    ended: list[int] = []

    def play(odd: int) -> Steps:
        for turn in range(odd, 2 * ROUNDS, 2):
            while (yield swap(line, "value", turn, turn + 1)) != turn:
                pass
            ended.append(engine.now)

    engine.add(Thread("one", one), play(0))
    engine.add(Thread("other", other), play(1))
    engine.run(lambda: len(ended) == 2 * ROUNDS)
    return (ended[-1] - ended[ROUNDS]) / (ROUNDS - 1) / PS


def count_plainly(line: Line, lock: Lock, thread: Thread) -> Steps:
    value = yield read(line, "value")
    yield write(line, "value", value + 1)
    yield fence()


def count_at_once(line: Line, lock: Lock, thread: Thread) -> Steps:
    value = yield read(line, "value")
    while (yield swap(line, "value", value, value + 1)) != value:
        value = yield read(line, "value")


def count_locked(line: Line, lock: Lock, thread: Thread) -> Steps:
    yield from lock.acquire(thread)
    value = yield read(line, "value")
    yield write(line, "value", value + 1)
    yield from lock.release()


Way = Callable[[Line, Lock, Thread], Steps]
WAYS: dict[str, Way] = {"VOLATILE": count_plainly, "CAS": count_at_once, "LOCK": count_locked}


def measure_counter(machine: Machine, mechanism: str, threads: int, spins: int = 0) -> float:
    """Nanoseconds an increment, of `threads` neighbours that share one counter.

    RuntimeError where increments are lost, unless the counter is one that loses them.
    """
    engine = Engine(machine, 1)
    line, lock = Line("counter", None, value=0), Lock(spins)
    done = [0]
    began: list[int] = []

    def play(thread: Thread) -> Steps:
        for _ in range(ROUNDS):
            yield from WAYS[mechanism](line, lock, thread)
            done[0] += 1
            if done[0] == ROUNDS // 4:
                began.append(engine.now)

    for number in range(threads):
        thread = Thread(f"thread {number}", number)
        engine.add(thread, play(thread))
    engine.run(lambda: done[0] == threads * ROUNDS)
    if mechanism != "VOLATILE" and line.values["value"] != done[0]:
        raise RuntimeError(f"{done[0] - line.values['value']} increments were lost")
    return (engine.now - began[0]) / (done[0] - ROUNDS // 4) / PS
