"""The model beside what was published, all of it, misses included: `python -m
handoff.modelled.comparison`. Which rows were seen before the model was frozen is said.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from handoff.model.machine import Machine, load_machine
from handoff.model.primitives import measure_counter
from handoff.model.simulation import Point, simulate
from handoff.modelled.predictions import MODEL, PAPER
from handoff.paths import PUBLISHED, display_path

TABLE = MODEL / "comparison.csv"
FROZEN = "efb5acc"
"""The commit that the model was frozen in; only names of lines have changed since."""

BUILT_FROM = "built from it"
SEEN = "seen before"
PARTLY = "read after the freeze"


class Row(NamedTuple):
    """One published number beside the model's. `status`: how independent it is."""

    source: str
    what: str
    threads: int
    published_ns: float
    model_ns: float
    status: str

    @property
    def factor(self) -> float:
        return self.model_ns / self.published_ns


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


UNICAST = {"ARRAY_BLOCKING_QUEUE": "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_1": "DISRUPTOR_STRIPED"}
OLD = ("Core i7-860", "Core i7-2720QM")
NO_WORK, LITTLE = 0.0, 2 / 71
"""Their events are a number: nothing is sorted, and making one costs about 2 ns."""


def compare_unicast(machine: Machine) -> Iterator[Row]:
    """The Disruptor's own throughput tests, one producer and one consumer, on machines whose hops
    are not known: the model takes a socket of the X5650.
    """
    light = machine.scale("produce", LITTLE).scale("sort", NO_WORK)
    table = pd.read_csv(PUBLISHED / "topologies.csv")
    own = table[(table["topology"] == "UNICAST") & table["machine"].isin(OLD)]
    for row in own[own["mechanism"].isin(list(UNICAST))].itertuples():
        found = simulate(light, Point(UNICAST[row.mechanism], 1, 1, 8192))
        yield Row(
            f"Disruptor's results ({row.machine})",
            f"unicast, {row.mechanism}",
            2,
            1e9 / row.ops_per_s,
            found.ns,
            SEEN,
        )


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
    work = machine.scale("produce", SUBMIT_NS / 71).scale("sort", TASK_NS / 180)
    table = pd.read_csv(PUBLISHED / "executors_pi.csv")
    for row in table[table["published"].isin(list(EXECUTORS))].itertuples():
        if row.threads > MOST_WORKERS:
            continue
        mechanism, capacity = EXECUTORS[row.published]
        built = row.published == "disruptor2" and row.threads == 1
        yield Row(
            "executors post (2 x E5410)",
            f"pi, {row.published}",
            row.threads,
            row.ms * 1e6 / TASKS,
            simulate(work, Point(mechanism, row.threads, 1, capacity)).ns,
            BUILT_FROM if built else PARTLY,
        )


def compare_all() -> pd.DataFrame:
    """One row a published number; takes a minute."""
    machine = load_machine(PAPER)
    rows = [*compare_counters(machine), *compare_unicast(machine), *compare_executors(machine)]
    return pd.DataFrame([{**row._asdict(), "factor": row.factor} for row in rows]).round(3)


def load_comparison() -> pd.DataFrame:
    return pd.read_csv(TABLE)


if __name__ == "__main__":
    compare_all().to_csv(TABLE, index=False)
    print("Wrote", display_path(TABLE))
