"""Programs simpler than a hand-over: a line passed back and forth, and a shared counter."""

from collections.abc import Callable

from handoff.model.engine import Engine
from handoff.model.lines import Line
from handoff.model.lock import Lock, make_lock
from handoff.model.machine import PS, Machine
from handoff.model.operations import fence, read, swap, write
from handoff.model.thread import Steps, Thread

ROUNDS = 400


def measure_hop(machine: Machine, one: int, other: int) -> float:
    """Return half the round trip, in ns, of a number that two cores pass back and forth.

    Each retries compare and set until its turn, as in the benchmark behind the matrix of hops.
    """
    engine = Engine(machine, 1)
    line = Line("number", None, value=0)
    ends: list[int] = []

    def play(odd: int) -> Steps:
        for turn in range(odd, 2 * ROUNDS, 2):
            while (yield swap(line, "value", turn, turn + 1)) != turn:
                pass
            ends.append(engine.now)

    engine.add(Thread("one", one), play(0))
    engine.add(Thread("other", other), play(1))
    engine.run(lambda: len(ends) == 2 * ROUNDS)
    return (ends[-1] - ends[ROUNDS]) / (ROUNDS - 1) / PS


def count_plainly(line: Line, lock: Lock, thread: Thread) -> Steps:
    value = yield read(line, "value")
    yield write(line, "value", value + 1)
    yield fence()


def count_atomically(line: Line, lock: Lock, thread: Thread) -> Steps:
    value = yield read(line, "value")
    while (yield swap(line, "value", value, value + 1)) != value:
        value = yield read(line, "value")


def count_locked(line: Line, lock: Lock, thread: Thread) -> Steps:
    yield from lock.acquire(thread)
    value = yield read(line, "value")
    yield write(line, "value", value + 1)
    yield from lock.release()


Way = Callable[[Line, Lock, Thread], Steps]
WAYS: dict[str, Way] = {"VOLATILE": count_plainly, "CAS": count_atomically, "LOCK": count_locked}


def measure_counter(machine: Machine, way: str, threads: int) -> float:
    """Return ns per increment of one counter that neighbouring cores share.

    Raise RuntimeError if increments are lost, unless the counter is one that loses them.
    """
    engine = Engine(machine, 1)
    line, lock = Line("counter", None, value=0), make_lock(machine)
    done = [0]
    starts: list[int] = []

    def play(thread: Thread) -> Steps:
        for _ in range(ROUNDS):
            yield from WAYS[way](line, lock, thread)
            done[0] += 1
            if done[0] == ROUNDS // 4:
                starts.append(engine.now)

    for number in range(threads):
        thread = Thread(f"thread {number}", number)
        engine.add(thread, play(thread))
    engine.run(lambda: done[0] == threads * ROUNDS)
    if way != "VOLATILE" and line.values["value"] != done[0]:
        raise RuntimeError(f"{done[0] - line.values['value']} increments were lost")
    return (engine.now - starts[0]) / (done[0] - ROUNDS // 4) / PS
