"""Is the model near enough where one can measure? Queue and Disruptor with one consumer, measured,
and the same by the model of this machine: `python -m handoff.modelled.gate RUN... [--keep]`.
"""

import sys
from itertools import product

import pandas as pd
from rich.progress import track

from handoff.model.mechanisms import MECHANISMS
from handoff.model.simulation import Point, simulate
from handoff.modelled.here import build_machine, load_scaling, read_hops
from handoff.modelled.predictions import LOADS, MODEL, read_table
from handoff.paths import find_run_folder
from handoff.run.store import Run, read_run
from handoff.tables import tidy

GATES = {"ARRAY_BLOCKING_QUEUE": 2.0, "DISRUPTOR_WORKER_POOL": 1.3, "DISRUPTOR_STRIPED": 1.3}
"""How far off times may be with one consumer, either way, for a curve of them to be drawn."""

CPU_GATE = 1.3
"""The same for cores kept busy."""

BESIDE, RANGE = "beside its shots", "whole session"
"""Which hops decide: those timed beside the very shots, their median and quartiles. Those of the
whole session are reported.
"""
DECISIVE = (0.25, 0.5, 0.75)
REPORTED = (0.1, 0.9)
SEEDS = (1, 2, 3)
TABLE = MODEL / "gate.csv"
"""What was found in three sessions on one machine."""

Passing = dict[tuple[str, int], bool]


def compare_run(run: Run) -> pd.DataFrame:
    """With one consumer: one row a mechanism, load, hop and seed, beside the mean of the forks."""
    hops, forks, shots = read_hops(run), load_scaling(run), tidy.load_table(run, "scaling")
    rows = []
    for mechanism, sorts in product(MECHANISMS, LOADS):
        own = forks[(forks["mechanism"] == mechanism) & (forks["sorts"] == sorts)]
        if own.empty:
            continue
        beside = shots[shots["point"].isin(own["point"]) & ~shots["warmup"]]["hop_near_ns"]
        cases = [
            *((BESIDE, share, beside, seed) for share, seed in product(DECISIVE, SEEDS)),
            *((RANGE, share, hops, SEEDS[0]) for share in REPORTED),
        ]
        for which, share, ways, seed in cases:
            hop = float(ways.quantile(share))
            found = simulate(build_machine(run, hop), Point(mechanism, 1, sorts), seed)
            rows.append(
                {
                    "mechanism": mechanism,
                    "sorts": sorts,
                    "hop": which,
                    "quantile": share,
                    "hop_ns": round(hop, 1),
                    "seed": seed,
                    "measured_ns": round(float(own["ns_per_event"].mean()), 1),
                    "model_ns": round(found.ns, 1),
                    "factor": round(found.ns / float(own["ns_per_event"].mean()), 3),
                    "measured_cores": round(float(own["cpu_workers"].mean()), 2),
                    "model_cores": round(found.cores, 2),
                    "cores_factor": round(found.cores / float(own["cpu_workers"].mean()), 3),
                }
            )
    return pd.DataFrame(rows)


def is_near(factors: pd.Series, limit: float) -> bool:
    """Whether none is further off than the limit, either way."""
    return bool(factors.between(1 / limit, limit).all())


def list_passing(table: pd.DataFrame, quantity: str = "factor") -> Passing:
    """By mechanism and load whether the model is near enough in all sessions, with all seeds and
    all hops that decide.
    """
    own = table[table["hop"] == BESIDE]
    return {
        (str(mechanism), int(str(sorts))): is_near(
            found[quantity], GATES[str(mechanism)] if quantity == "factor" else CPU_GATE
        )
        for (mechanism, sorts), found in own.groupby(["mechanism", "sorts"], sort=False)
    }


def summarize(table: pd.DataFrame) -> pd.DataFrame:
    """One row a mechanism and load: the least and greatest of model over measured, and whether its
    curves may be drawn; with hops of the whole session, too.
    """
    times, cores = list_passing(table), list_passing(table, "cores_factor")
    beside, all_session = (table[table["hop"] == which] for which in (BESIDE, RANGE))
    rows = {}
    for (mechanism, sorts), near in times.items():
        own, wide = (
            part[(part["mechanism"] == mechanism) & (part["sorts"] == sorts)]
            for part in (beside, all_session)
        )
        rows[mechanism, sorts] = {
            "sessions": own["session"].nunique(),
            "time, model/measured": tell_range(own["factor"]),
            "time near enough": near,
            "cores, model/measured": tell_range(own["cores_factor"]),
            "cores near enough": cores[mechanism, sorts],
            "time, hops of the whole session": tell_range(wide["factor"]),
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def tell_range(factors: pd.Series) -> str:
    return f"{factors.min():.2f} to {factors.max():.2f}"


def load_gate() -> pd.DataFrame:
    """BadInput where it is not there."""
    return read_table(TABLE)


def compare_runs(runs: list[Run]) -> pd.DataFrame:
    """One session a run."""
    tables = [compare_run(run) for run in track(runs, "model")]
    return pd.concat([table.assign(session=i) for i, table in enumerate(tables, start=1)])


if __name__ == "__main__":
    keep = "--keep" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--keep"]
    gate = compare_runs([read_run(find_run_folder(word)) for word in words])
    print(summarize(gate).to_string())
    if keep:
        gate.to_csv(TABLE, index=False)
