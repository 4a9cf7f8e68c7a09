"""This machine as the model knows it, from what a run measured: its hops, and what hand-overs are
made of. What no run measures is taken from the paper's machine's file.
"""

from dataclasses import replace

import pandas as pd

from handoff.analysis.forks import compute_fork_means
from handoff.errors import BadInput
from handoff.model.machine import PS, Machine, load_machine
from handoff.model.mechanisms import SEQUENTIAL
from handoff.modelled.predictions import PAPER
from handoff.run.store import Run
from handoff.tables import tidy

ADVICE = "./run_all.sh gate measures what is compared."


def read_hops(run: Run) -> pd.Series:
    """A line's ways between this machine's CPUs in ns, of all the session. BadInput where the run
    measured none.
    """
    if "hops" not in {point.study for point in run.points}:
        raise BadInput(f"{run.folder.name} measured no hops. {ADVICE}")
    return tidy.load_table(run, "matrices")["value"]


def build_machine(run: Run, hop_ns: float) -> Machine:
    """Two cores and what lies between them."""
    table = tidy.load_table(run, "hops")
    primitives = table[table["mechanism"] == "PRIMITIVES"]
    if primitives.empty:
        raise BadInput(f"{run.folder.name} measured no PRIMITIVES. {ADVICE}")
    own = compute_fork_means(primitives).median(numeric_only=True)
    known = load_machine(PAPER)
    read = known.hit / PS
    # Who wakes goes on as soon as the other is on its way: half of a round trip is the way.
    switch = own["park_unpark_ns"] / 2
    work = measure_work(run)
    measured = {
        "fence": max(0.0, own["volatile_store_ns"] - read),
        "atomic": max(0.0, own["cas_ns"] - read),
        "yields": own["yield_ns"],
        "unpark": own["unpark_ns"],
        "switch": switch,
        "switch_cpu": switch / 2,
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
    """Making an event, filling its array and sorting it once, in ns: the first was timed by itself,
    the others follow from what one thread alone takes for all three.
    """
    forks = load_scaling(run)
    produce = float(forks["ns_per_event_created"].median())
    alone = forks[forks["mechanism"] == SEQUENTIAL].groupby("sorts")["ns_per_event"].mean()
    few, many = alone.index.min(), alone.index.max()
    if len(alone) < 2:
        raise BadInput(f"{run.folder.name} has one thread alone at fewer than two loads. {ADVICE}")
    sort = (alone[many] - alone[few]) / (many - few)
    return {
        "sort": sort,
        "produce": produce,
        "fill": max(0.0, alone[few] - few * sort - produce),
    }


def load_scaling(run: Run) -> pd.DataFrame:
    """Forks of one thread alone and of one consumer. BadInput where the run has none at all."""
    if "scaling" not in {point.study for point in run.points}:
        raise BadInput(f"{run.folder.name} measured nothing of scaling. {ADVICE}")
    forks = compute_fork_means(tidy.load_table(run, "scaling"))
    return forks[(forks["consumers"] <= 1) | (forks["mechanism"] == SEQUENTIAL)]
