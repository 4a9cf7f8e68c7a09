"""This machine as the model knows it, from what a run measured: its hops, and what hand-overs are
made of. What no run measures is taken from the paper's machine's file.
"""

from dataclasses import replace

import pandas as pd

from handoff.analysis.forks import compute_fork_means
from handoff.errors import BadInput
from handoff.model.machine import PS, Constant, Machine, load_machine, load_machine_file
from handoff.model.mechanisms import SEQUENTIAL
from handoff.modelled.predictions import PAPER
from handoff.run.store.run import Run
from handoff.tables import tidy

ADVICE = "./run_all.sh gate measures what is compared."


def read_hops(run: Run) -> pd.Series:
    """A line's ways between this machine's CPUs in ns, of all the session. BadInput where the run
    measured none.
    """
    require_hops(run)
    return tidy.load_table(run, "matrices")["value"]


def require_hops(run: Run) -> None:
    if "hops" not in {point.study for point in run.points}:
        raise BadInput(f"{run.folder.name} measured no hops. {ADVICE}")


def build_machine(run: Run, hop_ns: float) -> Machine:
    """Two cores and what lies between them."""
    hop = round(hop_ns * PS)
    return replace(
        load_machine(PAPER),
        name="here",
        times={name: round(each.ns * PS) for name, each in list_constants(run).items()},
        hops={(0, 1): hop, (1, 0): hop},
        socket=(0, 0),
        # What waking costs here was measured with idle cores' exits in it.
        idle_states=(),
    )


def list_constants(run: Run) -> dict[str, Constant]:
    """All of the model's: measured, derived from what was measured, or as of the paper's machine.
    BadInput where the run did not measure what they come from.
    """
    table = tidy.load_table(run, "hops")
    primitives = table[table["mechanism"] == "PRIMITIVES"]
    if primitives.empty:
        raise BadInput(f"{run.folder.name} measured no PRIMITIVES. {ADVICE}")
    own = compute_fork_means(primitives).median(numeric_only=True)
    known = load_machine_file(PAPER).constants
    read = known["hit"].ns
    # Who wakes goes on as soon as the other is on its way: half of a round trip is the way.
    switch = own["park_unpark_ns"] / 2
    told = f"run {run.folder.name}"
    found = {
        "fence": (max(0.0, own["volatile_store_ns"] - read), "a volatile store, less a read"),
        "atomic": (max(0.0, own["cas_ns"] - read), "compare and set, less a read"),
        "yields": (own["yield_ns"], "a yield"),
        "unpark": (own["unpark_ns"], "unpark, for its caller"),
        "switch": (switch, "half of a round trip of park and unpark"),
        "switch_cpu": (switch / 2, "half of the switch"),
        "nap": (own["park_1ns_ns"], "parking for 1 ns"),
        "nap_cpu": (own["park_1ns_cpu_ns"], "CPU time of parking for 1 ns"),
        **{name: (ns, WORK[name]) for name, ns in measure_work(run).items()},
    }
    measured = {
        name: Constant(
            ns=round(float(ns), 3),
            certainty="measured" if name in MEASURED else "derived",
            source=f"{told}: {words}",
        )
        for name, (ns, words) in found.items()
    }
    others = {
        name: each.model_copy(update={"source": f"as of {PAPER}: {each.source}"})
        for name, each in known.items()
    }
    return others | measured


WORK = {
    "produce": "making an event, timed by itself",
    "fill": "one thread alone, less the sorts and the making",
    "sort": "one thread alone at two loads",
}
MEASURED = ("yields", "unpark", "nap", "nap_cpu", "produce")
"""Of the constants that a run tells, those that were timed as they are."""


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
