"""Is the model near enough where one can measure? Queue and Disruptor with one consumer, measured,
and the same by the model of this machine: `python -m handoff.modelled.gate RUN...`.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import pandas as pd

from handoff.errors import BadInput, HandoffError
from handoff.model.machine import Machine
from handoff.model.mechanisms import MECHANISMS
from handoff.model.simulation import Point, simulate
from handoff.modelled.here import ADVICE, build_machine, load_scaling, read_hops
from handoff.modelled.pool import compute_all
from handoff.modelled.predictions import LOADS, MODEL, read_table
from handoff.modelled.world import CPU, TIME
from handoff.paths import find_run_folder
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy

GATES = {"ARRAY_BLOCKING_QUEUE": 2.0, "DISRUPTOR_WORKER_POOL": 1.3, "DISRUPTOR_STRIPED": 1.3}
"""How far off times may be with one consumer, either way, for a curve of them to be drawn."""

CPU_GATE = 0.15
"""How far off cores kept busy may be, either way: a factor would pass whatever keeps both busy."""

BESIDE, RANGE = "beside its shots", "whole session"
"""Which hops decide: those timed beside the very shots, their median and quartiles. Those of the
whole session are reported.
"""
DECISIVE = (0.25, 0.5, 0.75)
REPORTED = (0.1, 0.9)
SEEDS = (1, 2, 3)
TABLE = MODEL / "gate.csv"
"""What was found in three sessions on one machine."""
MATCHED_SORTS = (4, 56, 1120)
"""Sorts that cost today, by our estimate, about what 1, 15 and 300 did on the paper's machine."""
MATCHED_TABLE = MODEL / "gate-matched.csv"
"""What was found at these in the shipped run, sessions pooled: reported, and deciding nothing."""

Passing = dict[tuple[str, int], float]
"""Curves that may be drawn, by mechanism and load: the worst factor that they were off by."""


class Case(NamedTuple):
    """One simulation beside the mean of a point's forks: nanoseconds an event, cores."""

    machine: Machine
    point: Point
    ns: float
    cores: float
    which: str
    quantile: float
    hop_ns: float
    seed: int


def list_cases(run: Run, loads: Sequence[int] = LOADS) -> Iterator[Case]:
    """By mechanism, load in sorts, hop and seed, of what the run measured with one consumer.
    BadInput where that is nothing.
    """
    hops, forks, shots = read_hops(run), load_scaling(run), tidy.load_table(run, "scaling")
    if not set(forks["mechanism"]) & set(MECHANISMS):
        raise BadInput(f"{run.folder.name} has nothing with one consumer. {ADVICE}")
    for mechanism, sorts in product(MECHANISMS, loads):
        own = forks[(forks["mechanism"] == mechanism) & (forks["sorts"] == sorts)]
        if own.empty:
            continue
        ns, cores = (float(own[name].mean()) for name in ("ns_per_event", "cpu_workers"))
        beside = shots[shots["point"].isin(own["point"]) & ~shots["warmup"]]["hop_near_ns"]
        chosen = [
            *((BESIDE, share, beside, seed) for share, seed in product(DECISIVE, SEEDS)),
            *((RANGE, share, hops, SEEDS[0]) for share in REPORTED),
        ]
        for which, share, ways, seed in chosen:
            hop, point = float(ways.quantile(share)), Point(mechanism, 1, sorts)
            yield Case(build_machine(run, hop), point, ns, cores, which, share, hop, seed)


def compare_case(case: Case) -> dict[str, object]:
    """One row of the gate's table."""
    found = simulate(case.machine, case.point, case.seed)
    return {
        "mechanism": case.point.mechanism,
        "sorts": case.point.sorts,
        "hop": case.which,
        "quantile": case.quantile,
        "hop_ns": round(case.hop_ns, 1),
        "seed": case.seed,
        "measured_ns": round(case.ns, 1),
        "model_ns": round(found.ns, 1),
        "factor": round(found.ns / case.ns, 3),
        "measured_cores": round(case.cores, 2),
        "model_cores": round(found.cores, 2),
        "cores_off": round(found.cores - case.cores, 2),
    }


def measure_worst(model: pd.Series, measured: pd.Series) -> float:
    """The greatest factor that any is off by, either way."""
    factors = model / measured
    return float(max(factors.max(), 1 / factors.min()))


def list_passing(table: pd.DataFrame, quantity: str) -> Passing:
    """Of times or of cores: what is near enough in all sessions, with all seeds and all hops that
    decide.
    """
    passing = {}
    own = table[table["hop"] == BESIDE]
    for (mechanism, sorts), found in own.groupby(["mechanism", "sorts"], sort=False):
        if quantity == TIME:
            worst = measure_worst(found["model_ns"], found["measured_ns"])
            near = worst <= GATES[str(mechanism)]
        else:
            worst = measure_worst(found["model_cores"], found["measured_cores"])
            near = bool((found["cores_off"].abs() <= CPU_GATE).all())
        if near:
            passing[str(mechanism), int(str(sorts))] = worst
    return passing


def load_near() -> dict[str, Passing]:
    """What passed of the kept table: of times, and of cores kept busy."""
    table = load_gate()
    return {quantity: list_passing(table, quantity) for quantity in (TIME, CPU)}


def summarize(table: pd.DataFrame) -> pd.DataFrame:
    """One row a mechanism and load: the least and greatest of model over measured, and whether its
    curves may be drawn; with hops of the whole session, too.
    """
    times, cores = (list_passing(table, quantity) for quantity in (TIME, CPU))
    rows = {}
    for (mechanism, sorts), found in table.groupby(["mechanism", "sorts"], sort=False):
        key = str(mechanism), int(str(sorts))
        own, wide = (found[found["hop"] == which] for which in (BESIDE, RANGE))
        rows[key] = {
            "sessions": own["session"].nunique(),
            "time, model/measured": tell_range(own["factor"]),
            "time near enough": key in times,
            "cores, model - measured": tell_range(own["cores_off"]),
            "cores near enough": key in cores,
            "time, hops of the whole session": tell_range(wide["factor"]),
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def tell_range(values: pd.Series) -> str:
    return f"{values.min():.2f} to {values.max():.2f}"


def load_gate() -> pd.DataFrame:
    """BadInput where it is not there."""
    return read_table(TABLE)


def compare_runs(runs: list[Run], loads: Sequence[int] = LOADS) -> pd.DataFrame:
    """One session a run; minutes, on all cores. BadInput for a run without what is compared."""
    sessions = enumerate(runs, start=1)
    due = [(number, case) for number, run in sessions for case in list_cases(run, loads)]
    rows = compute_all(compare_case, [case for _, case in due], "model")
    return pd.DataFrame(
        [row | {"session": number} for row, (number, _) in zip(rows, due, strict=True)]
    )


def main(arguments: list[str]) -> int:
    """Prints what was found; a bad ending is one sentence and its exit code."""
    parser = argparse.ArgumentParser(prog="python -m handoff.modelled.gate", description=__doc__)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a session each")
    parser.add_argument("--keep", action="store_true", help="decides from now on what is drawn")
    parser.add_argument(
        "--matched",
        action="store_true",
        help=f"at {', '.join(map(str, MATCHED_SORTS))} sorts, which decides nothing",
    )
    asked = parser.parse_args(arguments)
    try:
        table = compare_runs(
            [read_run(find_run_folder(name)) for name in asked.runs],
            MATCHED_SORTS if asked.matched else LOADS,
        )
    except HandoffError as error:
        print(error, file=sys.stderr)
        return error.code
    print(summarize(table).to_string())
    if asked.keep:
        table.to_csv(MATCHED_TABLE if asked.matched else TABLE, index=False)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
