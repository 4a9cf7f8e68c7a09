"""The engine: hops cost what the matrix says, and threads use CPU time while they are awake."""

from dataclasses import replace

import pytest

from handoff.model.engine import Engine
from handoff.model.lines import Line
from handoff.model.machine import PS
from handoff.model.operations import nap, park, spin, unpark
from handoff.model.thread import Thread

from .machines import JDK17, X5650, change
from .primitives import measure_counter, measure_hop


@pytest.mark.parametrize(("one", "other"), [(0, 1), (2, 5), (0, 6), (3, 11), (7, 10)])
def test_a_line_passed_back_and_forth_takes_what_the_matrix_says(one, other):
    assert measure_hop(X5650, one, other) * PS == pytest.approx(X5650.hops[one, other], rel=0.01)


@pytest.mark.parametrize(("way", "ns"), [("VOLATILE", 9.4), ("CAS", 11.4), ("LOCK", 20)])
def test_one_thread_counts_as_fast_as_the_published_table(way, ns):
    """Disruptor paper, table 1; two constants are derived from its first two rows."""
    assert measure_counter(X5650, way, 1) == pytest.approx(ns, rel=0.3)


@pytest.mark.parametrize("machine", [X5650, JDK17], ids=["JDK 8", "JDK 17"])
@pytest.mark.parametrize("way", ["CAS", "LOCK"])
@pytest.mark.parametrize("threads", [2, 3, 6])
def test_no_increment_is_lost(machine, way, threads):
    assert measure_counter(machine, way, threads) > measure_counter(machine, way, 1)


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


def test_a_core_is_busy_only_while_its_thread_is_awake():
    """A nap of 58 us, 3 of them CPU time, is counted at its middle, its end and later."""
    engine = Engine(X5650, 1)
    thread = Thread("sleeper", 0)

    def program():
        yield nap()

    engine.add(thread, program())
    engine.run(lambda: thread.sleeps == 1)
    start = engine.now
    engine.clock.after(X5650.nap // 2, lambda: None)
    engine.run(lambda: engine.now >= start + X5650.nap // 2)
    assert thread.count_cpu(engine.now) == start
    engine.run(lambda: thread.ended is not None)
    assert thread.count_cpu(engine.now) == start + X5650.nap_cpu
    engine.clock.after(10**9, lambda: None)
    engine.run(lambda: engine.now > thread.ended)
    assert thread.count_cpu(engine.now) == start + X5650.nap_cpu


def test_a_simulation_in_which_all_threads_wait_ends_with_a_message():
    engine = Engine(X5650, 1)
    line = Line("word", None, value=0)

    def program():
        yield spin(line, "value", lambda value: value > 0)

    engine.add(Thread("spinner", 0), program())
    with pytest.raises(RuntimeError, match="no thread can continue: spinner"):
        engine.run(lambda: False)
