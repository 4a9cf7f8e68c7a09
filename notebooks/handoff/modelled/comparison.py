"""The model beside what was published, all of it, misses included: `python -m
handoff.modelled.comparison`. Which rows were seen before the model was frozen is said.
"""

from collections.abc import Iterator
from functools import cache, partial
from typing import NamedTuple

import pandas as pd

from handoff.model.machine import Machine, load_machine
from handoff.model.mechanisms import QUEUE
from handoff.model.primitives import measure_counter
from handoff.model.simulation import Point, simulate
from handoff.model.wirings import WIRINGS
from handoff.modelled.predictions import MODEL, PAPER
from handoff.paths import PUBLISHED, display_path

TABLE = MODEL / "comparison.csv"
FIRST_TABLE = MODEL / "comparison-first-freeze.csv"
"""What the model said when it was first frozen, in commit efb5acc. Faults that a review found were
mended since: its producer did the consumers' work, and it counted to the very last event.
"""

BUILT_FROM = "built from it"
FITTED = "one constant fitted to its series"
SEEN = "seen before"
PREDICTED = "constants committed before it was compared"
NOT_MODELLED = "not modelled"
KEYS = ["source", "what", "threads"]


class Row(NamedTuple):
    """One published number beside the model's, which is NaN where it has none. `status`: how
    independent it is. `apart_ns`: the same with each thread's neighbour behind another cache, where
    the source does not tell where its threads were and the machine has several.
    """

    source: str
    what: str
    threads: int
    published_ns: float
    model_ns: float
    status: str
    apart_ns: float = float("nan")

    @property
    def factor(self) -> float:
        return self.model_ns / self.published_ns


def leave_out(source: str, what: str, threads: int, published_ns: float) -> Row:
    """A published number that the model has no answer to: none is passed over in silence."""
    return Row(source, what, threads, published_ns, float("nan"), NOT_MODELLED)


def compare_counters(machine: Machine) -> Iterator[Row]:
    """The Disruptor paper's table 1: 500 million increments, Westmere EP at 2.4 GHz."""
    table = pd.read_csv(PUBLISHED / "counters.csv")
    for row in table[table["mechanism"] != "PLAIN"].itertuples():
        built = row.threads == 1 and row.mechanism != "LOCK"
        yield Row(
            "Disruptor paper, table 1 (Westmere EP)",
            f"counter, {row.mechanism}",
            row.threads,
            row.ms * 1e6 / 500e6,
            measure_counter(machine, row.mechanism, row.threads),
            BUILT_FROM if built else SEEN,
        )


OLD, EPYC = ("Core i7-860", "Core i7-2720QM"), "epyc9374f"
THREADS = {"UNICAST": 2, "PIPELINE": 4, "SEQUENCER": 4, "MULTICAST": 4, "DIAMOND": 4}
EVENT_NS = 2
"""Their events are a number: nothing is filled or sorted, and making one costs about this."""
APART = (0, 4, 1, 5)
"""Places on the EPYC of which no two neighbours share a cache."""


def compare_topologies(machine: Machine) -> Iterator[Row]:
    """The Disruptor's own throughput tests. The hops of the old machines are not known: the model
    takes a socket of the X5650. It has one producer, so no sequencer.
    """
    on_old, on_epyc = (
        cache(partial(simulate_topology, each)) for each in (lighten(machine), load_machine(EPYC))
    )
    for row in pd.read_csv(PUBLISHED / "topologies.csv").itertuples():
        source = f"Disruptor's results ({row.machine})"
        what, published = f"{row.topology.lower()}, {row.mechanism}", 1e9 / row.ops_per_s
        threads, queue = THREADS[row.topology], row.mechanism == QUEUE
        if row.topology == "SEQUENCER":
            yield leave_out(source, what, threads, published)
        elif row.machine in OLD:
            found = on_old(row.topology, queue)
            yield Row(source, what, threads, published, found, SEEN)
        else:
            found, apart = (on_epyc(row.topology, queue, places) for places in (None, APART))
            yield Row(source, what, threads, published, found, PREDICTED, apart)


def lighten(machine: Machine) -> Machine:
    """The same with events that are numbers."""
    return machine.set_ns("produce", EVENT_NS).set_ns("fill", 0).set_ns("sort", 0)


def simulate_topology(
    machine: Machine, topology: str, queue: bool, places: tuple[int, ...] | None = None
) -> float:
    """Nanoseconds an event. Every release of the Disruptor is the same to the model."""
    wiring = topology if topology in WIRINGS else ""
    mechanism = QUEUE if queue else "DISRUPTOR_STRIPED"
    consumers = THREADS[topology] - 1
    return simulate(machine, Point(mechanism, consumers, 1, places=places, wiring=wiring)).ns


TASK_NS, SUBMIT_NS, TASKS = 950, 20, 1e6
"""A task's work is set so that one worker of disruptor2 is right; all its other rows follow."""

EXECUTORS = {
    "disruptor": ("DISRUPTOR_WORKER_POOL", 16384),
    "disruptor2": ("DISRUPTOR_STRIPED", 16384),
    "custom_ABQ1000": ("ARRAY_BLOCKING_QUEUE", 1000),
}
MOST_WORKERS = 6
"""With the producer and the thread that adds up, seven workers are more than the eight cores."""


def compare_executors(machine: Machine) -> Iterator[Row]:
    """The executors post: a million tasks of 100 terms of pi, 2 x E5410. Its hops are not known,
    and its results' way back is not modelled; `disruptor` waits with a lock there, not here.
    """
    work = machine.set_ns("produce", SUBMIT_NS).set_ns("fill", 0).set_ns("sort", TASK_NS)
    for row in pd.read_csv(PUBLISHED / "executors_pi.csv").itertuples():
        source, what = "executors post (2 x E5410)", f"pi, {row.published}"
        published = row.ms * 1e6 / TASKS
        if row.published not in EXECUTORS or row.threads > MOST_WORKERS:
            yield leave_out(source, what, row.threads, published)
            continue
        mechanism, capacity = EXECUTORS[row.published]
        found = simulate(work, Point(mechanism, row.threads, 1, capacity))
        status = SEEN
        if row.published == "disruptor2":
            status = BUILT_FROM if row.threads == 1 else FITTED
        yield Row(source, what, row.threads, published, found.ns, status)


def compare_latency() -> Iterator[Row]:
    """The Disruptor paper's table of latencies: not modelled."""
    for row in pd.read_csv(PUBLISHED / "latency_pipeline.csv").itertuples():
        what = f"{row.statistic.replace('_', ' ')}, {row.mechanism}"
        yield leave_out(f"Disruptor paper, latencies ({row.machine})", what, 4, row.ns)


def compare_all() -> pd.DataFrame:
    """One row a published number; takes a minute. `first_factor`: of the model as first frozen."""
    machine = load_machine(PAPER)
    rows = [
        *compare_counters(machine),
        *compare_topologies(machine),
        *compare_executors(machine),
        *compare_latency(),
    ]
    found = pd.DataFrame([{**row._asdict(), "factor": row.factor} for row in rows]).round(3)
    first = pd.read_csv(FIRST_TABLE)[[*KEYS, "factor"]]
    return found.merge(first.rename(columns={"factor": "first_factor"}), "left", on=KEYS)


def load_comparison() -> pd.DataFrame:
    return pd.read_csv(TABLE)


if __name__ == "__main__":
    compare_all().to_csv(TABLE, index=False)
    print("Wrote", display_path(TABLE))
