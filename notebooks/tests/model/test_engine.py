"""The engine: hops cost what the matrix says, and threads use CPU time while they are awake."""

from dataclasses import replace

import pytest

from handoff.model.engine import Engine
from handoff.model.lines import Line
from handoff.model.lock import make_lock
from handoff.model.machine import PS
from handoff.model.thread import Thread, fence, nap, park, read, spin, swap, unpark, write

from .machines import JDK17, X5650, change

ROUNDS = 400


@pytest.mark.parametrize(("one", "other"), [(0, 1), (2, 5), (0, 6), (3, 11), (7, 10)])
def test_a_line_passed_back_and_forth_takes_what_the_matrix_says(one, other):
    """Each core retries compare and set until its turn, as in the benchmark behind the matrix."""
    engine = Engine(X5650, 1)
    line = Line("number", None, value=0)
    ends = []

    def play(odd):
        for turn in range(odd, 2 * ROUNDS, 2):
            while (yield swap(line, "value", turn, turn + 1)) != turn:
                pass
            ends.append(engine.now)

    engine.add(Thread("one", one), play(0))
    engine.add(Thread("other", other), play(1))
    engine.run(lambda: len(ends) == 2 * ROUNDS)
    hop = (ends[-1] - ends[ROUNDS]) / (ROUNDS - 1)
    assert hop == pytest.approx(X5650.hops[one, other], rel=0.01)


def count_plainly(line, lock, thread):
    value = yield read(line, "value")
    yield write(line, "value", value + 1)
    yield fence()


def count_atomically(line, lock, thread):
    value = yield read(line, "value")
    while (yield swap(line, "value", value, value + 1)) != value:
        value = yield read(line, "value")


def count_locked(line, lock, thread):
    yield from lock.acquire(thread)
    value = yield read(line, "value")
    yield write(line, "value", value + 1)
    yield from lock.release()


def measure_counter(machine, count, threads):
    """Return ns per increment of a counter that neighbouring cores share, and its last value."""
    engine = Engine(machine, 1)
    line, lock = Line("counter", None, value=0), make_lock(machine)
    ends = []

    def play(thread):
        for _ in range(ROUNDS):
            yield from count(line, lock, thread)
            ends.append(engine.now)

    for number in range(threads):
        thread = Thread(f"thread {number}", number)
        engine.add(thread, play(thread))
    engine.run(lambda: len(ends) == threads * ROUNDS)
    settled = ROUNDS // 4
    return (engine.now - ends[settled - 1]) / (len(ends) - settled) / PS, line.values["value"]


@pytest.mark.parametrize(
    ("count", "ns"), [(count_plainly, 9.4), (count_atomically, 11.4), (count_locked, 20)]
)
def test_one_thread_counts_as_fast_as_the_published_table(count, ns):
    """Disruptor paper, table 1; two constants are derived from its first two rows."""
    assert measure_counter(X5650, count, 1)[0] == pytest.approx(ns, rel=0.3)


@pytest.mark.parametrize("machine", [X5650, JDK17], ids=["JDK 8", "JDK 17"])
@pytest.mark.parametrize("count", [count_atomically, count_locked])
@pytest.mark.parametrize("threads", [2, 3, 6])
def test_no_increment_is_lost(machine, count, threads):
    ns, value = measure_counter(machine, count, threads)
    assert value == threads * ROUNDS
    assert ns > measure_counter(machine, count, 1)[0]


def test_two_threads_that_wake_each_other_take_the_constant_of_a_switch():
    """A round trip by park and unpark takes twice what it was halved from, to a tenth."""
    machine = replace(change(X5650, switch=20_000, unpark=6_000), idle_states=())
    engine = Engine(machine, 1)
    one, other = Thread("one", 0), Thread("other", 1)
    ends = []

    def play(partner, first):
        if not first:
            yield park()
        for _ in range(40):
            yield unpark(partner)
            yield park()
            ends.append(engine.now)

    engine.add(one, play(other, True))
    engine.add(other, play(one, False))
    engine.run(lambda: len(ends) >= 60)
    assert (ends[59] - ends[19]) / 40 / PS == pytest.approx(20_000, rel=0.1)


def play_once(operation):
    yield operation


def test_a_core_is_busy_only_while_its_thread_is_awake():
    """A nap of 58 us, 3 of them CPU time, is counted at its middle, its end and later."""
    engine = Engine(X5650, 1)
    thread = Thread("sleeper", 0)
    engine.add(thread, play_once(nap()))
    engine.run(lambda: thread.sleeps == 1)
    start = engine.now
    for after, awake in ((X5650.nap // 2, 0), (X5650.nap, X5650.nap_cpu), (10**9, X5650.nap_cpu)):
        until = start + after
        engine.after(until - engine.now, lambda: None)
        engine.run(lambda until=until: engine.now >= until)
        assert thread.count_cpu(engine.now) == start + awake
    assert thread.ended == start + X5650.nap


def test_a_simulation_in_which_all_threads_wait_ends_with_a_message():
    engine = Engine(X5650, 1)
    operation = spin(Line("word", None, value=0), "value", lambda value: value > 0)
    engine.add(Thread("spinner", 0), play_once(operation))
    with pytest.raises(RuntimeError, match="no thread can continue: spinner"):
        engine.run(lambda: False)
