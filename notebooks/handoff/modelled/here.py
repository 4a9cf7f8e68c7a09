"""This machine as the model knows it, from what a run measured: its hops, and what hand-overs are
made of. What no run measures is taken from the paper's machine's file.
"""

import sys
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import pandas as pd

from handoff.analysis.forks import compute_fork_means
from handoff.errors import BadInput
from handoff.model.machine import PS, Machine, load_machine
from handoff.model.mechanisms import MECHANISMS
from handoff.model.simulation import Point, simulate
from handoff.modelled.predictions import LOADS, MODEL, PAPER, read_table
from handoff.paths import find_run_folder
from handoff.run.store import Run, read_run
from handoff.tables import tidy

GATES = {"ARRAY_BLOCKING_QUEUE": 2.0, "DISRUPTOR_WORKER_POOL": 1.3, "DISRUPTOR_STRIPED": 1.3}
"""How far off the model may be with one consumer, either way, for its curve to be drawn."""


OWN = "own"
TABLE = MODEL / "gate.csv"
"""What was found on one machine in three sessions."""


class Hops(NamedTuple):
    """A line's way between two of this machine's CPUs in ns: where it has several costs, the least
    and the greatest that lasted.
    """

    low: float
    middle: float
    high: float


def read_hops(run: Run) -> Hops:
    """Over forks and shots; a tenth and nine tenths. BadInput where the run measured none."""
    if "hops" not in {point.study for point in run.points}:
        raise BadInput(f"{run.folder.name} measured no hops: ./run_all.sh hops does.")
    low, middle, high = tidy.load_table(run, "matrices")["value"].quantile([0.1, 0.5, 0.9])
    return Hops(low, middle, high)


def build_machine(run: Run, hop_ns: float) -> Machine:
    """Two cores and what lies between them."""
    table = tidy.load_table(run, "hops")
    own = compute_fork_means(table[table["mechanism"] == "PRIMITIVES"]).median(numeric_only=True)
    known = load_machine(PAPER)
    work = measure_work(run)
    measured = {
        "fence": own["volatile_store_ns"],
        "atomic": own["cas_ns"],
        "yields": own["yield_ns"],
        "unpark": own["unpark_ns"],
        "switch": max(0.0, own["park_unpark_ns"] / 2 - own["unpark_ns"]),
        "switch_cpu": max(0.0, own["park_unpark_ns"] / 2 - own["unpark_ns"]) / 2,
        "nap": own["park_1ns_ns"],
        "nap_cpu": own["park_1ns_cpu_ns"],
        **work,
    }
    times = {**known.times, **{name: round(ns * PS) for name, ns in measured.items()}}
    hop = round(hop_ns * PS)
    return replace(
        known,
        name="here",
        times=times,
        hops={(0, 1): hop, (1, 0): hop},
        socket=(0, 0),
        # What waking costs here was measured with idle cores' exits in it.
        idle_states=(),
    )


def measure_work(run: Run) -> dict[str, float]:
    """Making an event and sorting it once, in ns, from what one thread alone takes for it."""
    alone = load_scaling(run)
    alone = alone[alone["mechanism"] == "SEQUENTIAL"].groupby("sorts")["ns_per_event"].mean()
    few, many = alone.index.min(), alone.index.max()
    sort = (alone[many] - alone[few]) / (many - few)
    return {"sort": sort, "produce": max(0.0, alone[few] - few * sort)}


def load_scaling(run: Run) -> pd.DataFrame:
    forks = compute_fork_means(tidy.load_table(run, "scaling"))
    return forks[(forks["consumers"] <= 1) | (forks["mechanism"] == "SEQUENTIAL")]


def compare_run(run: Run) -> pd.DataFrame:
    """With one consumer: one row a mechanism, load and hop. `OWN` is the hop that was timed beside
    the very shots; the others are what the machine has at other times.
    """
    hops, forks, rows = read_hops(run), load_scaling(run), []
    for mechanism, sorts in product(MECHANISMS, LOADS):
        own = forks[(forks["mechanism"] == mechanism) & (forks["sorts"] == sorts)]
        if own.empty:
            continue
        measured = float(own["ns_per_event"].mean())
        for mode, hop in (*hops._asdict().items(), (OWN, float(own["hop_near_ns"].median()))):
            found = simulate(build_machine(run, hop), Point(mechanism, 1, sorts))
            rows.append(
                {
                    "session": run.folder.name,
                    "mechanism": mechanism,
                    "sorts": sorts,
                    "hop": mode,
                    "hop_ns": round(hop, 1),
                    "measured_ns": round(measured, 1),
                    "model_ns": round(found.ns, 1),
                    "factor": round(found.ns / measured, 3),
                }
            )
    return pd.DataFrame(rows)


def list_passing(table: pd.DataFrame) -> dict[tuple[str, int], bool]:
    """By mechanism and load whether the model is near enough in all sessions, with the hop that was
    timed beside the shots.
    """
    passing = {}
    for (mechanism, sorts), own in table[table["hop"] == OWN].groupby(["mechanism", "sorts"]):
        off = own["factor"].where(own["factor"] > 1, 1 / own["factor"])
        passing[str(mechanism), int(str(sorts))] = bool((off <= GATES[str(mechanism)]).all())
    return passing


def load_gate() -> pd.DataFrame:
    """BadInput where it is not there."""
    return read_table(TABLE)


def write_gate(runs: list[Run]) -> pd.DataFrame:
    """The gate of these sessions, kept."""
    tables = [compare_run(run).assign(session=i) for i, run in enumerate(runs, start=1)]
    found = pd.concat(tables)
    found.to_csv(TABLE, index=False)
    return found


if __name__ == "__main__":
    print(write_gate([read_run(find_run_folder(word)) for word in sys.argv[1:]]).to_string())
