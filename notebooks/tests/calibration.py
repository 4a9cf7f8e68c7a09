"""Simulated runs with a known truth: the error rates of the verdicts, and what they can prove.

`python -m tests.calibration [REPEATS]` prints the tables of docs/concepts.md.
"""

import argparse
import itertools
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.forks import compute_floor, compute_fork_means
from handoff.analysis.intervals import Term, estimate
from handoff.analysis.sessions import SessionMeans
from handoff.claims.case import Machine
from handoff.claims.files import load_claim_files
from handoff.claims.judging import judge_claims
from handoff.claims.model import ClaimFile
from handoff.claims.observations import ABSENT, OVERSUBSCRIBED, Cell
from handoff.claims.verdicts import CONTRADICTED, DIRECTIONS, REPRODUCED
from handoff.paths import find_run_folder
from handoff.run.store.run import read_run
from handoff.tables.tidy import load_table

from .misses import BIMODAL, Noise, make_bimodal, print_table

NOISES: dict[str, Noise] = {
    "normal": lambda random, forks, _: random.normal(0, 1, forks),
    "skewed": lambda random, forks, _: random.exponential(1, forks) - 1,
    # One fork in five is slow, as with blocking queues.
    "bimodal": make_bimodal(0.2),
}
"""Noise in logarithms, mean 0 and standard deviation 1; last argument: is it a hand-over?"""


def make_rare(share: float, size: float) -> Noise:
    """Return noise with rare slow forks, only where events are handed over."""
    return lambda random, forks, handed: (
        ((random.random(forks) < share) - share) * size * handed + random.normal(0, 0.4, forks)
    )


RARE = {
    "rare slow, 10 % at +0.5": make_rare(0.10, 10.0),
    "rare slow, 15 % at +0.45": make_rare(0.15, 9.0),
    "rare slow, 7 % at +0.6": make_rare(0.07, 12.0),
}
"""Noises with rare slow forks, in units of a spread of 5 %."""

SHIPPED = ("scaling", "executors", "ring", "actors")
"""Studies of the shipped run whose forks serve as noise."""


@cache
def residuals(study: str, sequential: bool) -> np.ndarray:
    """Return the deviations of the shipped run's forks from their points' means, in logarithms.

    Only points with one core per thread; corrected for the small number of forks per mean.
    """
    forks = compute_fork_means(load_table(read_run(find_run_folder("reference")), study))
    parts = []
    for (_, mechanism), rows in forks[~forks["oversubscribed"]].groupby(["point", "mechanism"]):
        if len(rows) >= 5 and (mechanism == ALONE) == sequential:
            logs = np.log(rows["ns_per_event"])
            parts.append((logs - logs.mean()) * (len(rows) / (len(rows) - 1)) ** 0.5)
    return np.concatenate(parts)


def make_shipped(study: str) -> Noise:
    """Return noise drawn from a study's shipped forks; use it with a spread of 1."""
    return lambda random, forks, handed: random.choice(
        residuals(study, False) if handed else residuals("scaling", True), forks
    )


AS_SHIPPED = {f"as {study}": make_shipped(study) for study in SHIPPED}

SPREADS, FORKS, LOADS = (0.05, 0.15), (5, 10, 20), (1, 15, 300)
ALONE, QUEUE = "SEQUENTIAL", "ARRAY_BLOCKING_QUEUE"
MECHANISMS = (ALONE, QUEUE, "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED")
TWO_CORES, MANY_CORES = Machine(2, 0), Machine(12, 1)

CPU = ("cpu_per_thread", "cpu_consumer", "cpu_producer", "cpu_usage")
SPREAD_SHARE = {"time": 1.0, **dict.fromkeys(CPU, 0.3)}
"""Spread of each quantity divided by the spread of time, as in the shipped runs."""

Truth = Callable[[bool, int, str], float]
"""Maps (is the queue, sorts, quantity) to the true value; sequential and Disruptor are equal."""


def nothing_true(queue: bool, sorts: int, quantity: str) -> float:
    """Return values at the edge of the claims: none holds, and errors are most likely."""
    if queue and sorts == 300:
        return 1.25 if quantity == "time" else 1.1
    return 1.0


def nothing_false(queue: bool, sorts: int, quantity: str) -> float:
    """Return values at the edge of the opposite: all mechanisms are equal."""
    return 1.0


Shift = Callable[[str, int], float]
"""Maps (mechanism, sorts) to the shift of the logarithm of a time in one session."""

Hours = Callable[[np.random.Generator], Shift]
"""Draws one session."""


def common(size: float) -> Hours:
    def draw(random: np.random.Generator) -> Shift:
        shift = random.normal(0, size)
        return lambda mechanism, sorts: shift

    return draw


def per_mechanism(size: float) -> Hours:
    def draw(random: np.random.Generator) -> Shift:
        shifts = dict(zip(MECHANISMS, random.normal(0, size, len(MECHANISMS)), strict=True))
        return lambda mechanism, sorts: shifts[mechanism]

    return draw


def per_point(size: float) -> Hours:
    return lambda random: lambda mechanism, sorts: random.normal(0, size)


def per_point_with_tails(size: float) -> Hours:
    return lambda random: lambda mechanism, sorts: size * random.standard_t(3) / 3**0.5


def one_point(size: float) -> Hours:
    return lambda random: (
        lambda mechanism, sorts: random.normal(0, size) if (mechanism, sorts) == (QUEUE, 1) else 0.0
    )


class World(NamedTuple):
    """How forks vary, and how sessions differ.

    With `bimodal`, the spread of the queue's forks at one sort, these are of two kinds.
    """

    noise: Noise
    spread: float
    forks: int
    hours: Hours = common(0.0)
    sessions: int = 1
    bimodal: float = 0.0


def make_sessions(hours: Hours, sessions: int = 3, bimodal: float = 0.0) -> World:
    """Return a world of so many sessions that differ so."""
    return World(NOISES["normal"], 0.10, 5, hours, sessions, bimodal)


PROMISED = {
    "none": make_sessions(common(0.0)),
    "common, 6 %": make_sessions(common(0.06)),
    "per mechanism, 3 %": make_sessions(per_mechanism(0.03)),
    "each point, 3 %": make_sessions(per_point(0.03)),
    "each point, 10 %": make_sessions(per_point(0.10)),
}
"""Ways in which sessions differ for which at most 5 % of tables may be wrong."""
REPORTED = {
    "per mechanism, 6 %": make_sessions(per_mechanism(0.06)),
    "one point, 5 %": make_sessions(one_point(0.05)),
    "one point, 10 %": make_sessions(one_point(0.10)),
    "one point, 20 %": make_sessions(one_point(0.20)),
    "heavy tails, 5 %": make_sessions(per_point_with_tails(0.05)),
    "each point, 3 %, and one bimodal": make_sessions(per_point(0.03), 3, BIMODAL),
    "each point, 3 %, and one bimodal, two sessions": make_sessions(per_point(0.03), 2, BIMODAL),
}
"""Ways that are reported, not promised."""


class Simulated:
    """The part of a run that judging reads, with simulated forks; the producer has a core."""

    bindings, defaults, fewest = {}, {"wait": "YIELDING"}, 5
    # Not empty: judging looks only at that.
    rows = pd.DataFrame({"fork": [0]})

    def __init__(self, world: World, truth: Truth, cores: int, random: np.random.Generator) -> None:
        self.world, self.truth, self.cores, self.random = world, truth, cores, random
        self.shifts = [world.hours(random) for _ in range(world.sessions)]
        self.cells: dict[tuple, Cell] = {}
        labels = np.repeat(np.arange(world.sessions), world.forks)
        for quantity in SPREAD_SHARE:
            drawn = {mechanism: self.draw(quantity, mechanism) for mechanism in MECHANISMS}
            means = SessionMeans((m, v, labels) for m in drawn for v in drawn[m].values())
            for mechanism, points in drawn.items():
                parts = [part for v in points.values() for part in np.split(v, world.sessions)]
                floor = compute_floor(quantity, parts)
                for point, logs in points.items():
                    term = Term(1.0, logs, floor, labels, mechanism, means)
                    self.cells[quantity, mechanism, *point] = Cell(mechanism + str(point), "", term)

    def draw(self, quantity: str, mechanism: str) -> dict[tuple[int, int], np.ndarray]:
        """Return the logarithms of a mechanism's forks, by sorts and consumers."""
        consumers = range(1, 2 if mechanism == ALONE else self.cores)
        return {
            (sorts, n): np.log(self.truth(mechanism == QUEUE, sorts, quantity))
            + SPREAD_SHARE[quantity] * self.draw_session_forks(mechanism, sorts)
            for sorts, n in itertools.product(LOADS, consumers)
        }

    def draw_session_forks(self, mechanism: str, sorts: int) -> np.ndarray:
        noise, spread, forks, *_ = self.world
        if self.world.bimodal and (mechanism, sorts) == (QUEUE, 1):
            noise, spread = NOISES["bimodal"], self.world.bimodal
        return np.concatenate(
            [
                spread * noise(self.random, forks, mechanism != ALONE) + shift(mechanism, sorts)
                for shift in self.shifts
            ]
        )

    def assume(self, values: dict) -> "Simulated":
        """Return the same forks: no parameter has another value."""
        return self

    def has(self, quantity: str) -> bool:
        """Return False: nothing but time and CPU usage is simulated."""
        return False

    def cell(self, chosen: dict, quantity: str, shared: bool = False) -> Cell:
        consumers, sorts = chosen.get("consumers", 1), chosen.get("sorts")
        unknown = chosen["mechanism"] not in MECHANISMS
        if unknown or sorts not in LOADS or "sockets" in chosen:
            return Cell("", ABSENT)
        if consumers >= self.cores:
            return Cell("", OVERSUBSCRIBED)
        mechanism = chosen["mechanism"]
        return self.cells[quantity, mechanism, sorts, 1 if mechanism == ALONE else consumers]


@cache
def load_claims() -> ClaimFile:
    """Return the claims of the paper without the choices that it leaves open."""
    file = load_claim_files()["scaling"]
    judged = file.judge_by().options
    return file.model_copy(update={"choices": [judged], "unstated": []})


def simulate(
    repeats: int, world: World, truth: Truth, machine: Machine = TWO_CORES
) -> Iterator[dict[str, str]]:
    """Yield each simulated run's verdicts by claim."""
    random = np.random.default_rng(2015)
    for _ in range(repeats):
        made = Simulated(world, truth, machine.cores, random)
        yield {v.identity: v.verdict for v in judge_claims(load_claims(), made, machine)}


def wrongly(verdict: str, repeats: int, world: World, machine: Machine = TWO_CORES) -> float:
    """Return the share of runs in which a table wrongly has the verdict.

    A wrong direction is wrongly reproduced.
    """
    truth = nothing_true if verdict == REPRODUCED else nothing_false
    wrong = {verdict, *(DIRECTIONS if verdict == REPRODUCED else ())}
    runs = simulate(repeats, world, truth, machine)
    return float(np.mean([not wrong.isdisjoint(run.values()) for run in runs]))


def coverage(repeats: int, noise: Noise, spread: float, forks: int) -> float:
    """Return the share of 95 % intervals of a ratio that contain the truth, 1.3."""
    random, held = np.random.default_rng(7), 0
    for _ in range(repeats):
        top, bottom = (spread * noise(random, forks, True) + mean for mean in (np.log(1.3), 0.0))
        # Each is the only point of its setting, so that other points add nothing.
        sides = [(1.0, top), (-1.0, bottom)]
        terms = [Term(sign, logs, compute_floor("time", [logs])) for sign, logs in sides]
        low, high = estimate(terms).interval()
        held += low <= 1.3 <= high
    return held / repeats


def power(repeats: int, ratio: float, world: World) -> float:
    """Return the share of runs that reproduce P3, among all testable claims.

    In truth only P1 and P3 hold: with one sort, queue ÷ Disruptor is `ratio`.
    """

    def truth(queue: bool, sorts: int, quantity: str) -> float:
        slower = queue and sorts == 1 and quantity == "time"
        return ratio if slower else nothing_true(queue, sorts, quantity)

    return float(np.mean([run["P3"] == REPRODUCED for run in simulate(repeats, world, truth)]))


HEAD = """
| {} | forks | sessions | wrongly reproduced | wrongly contradicted |
|---|---|---|---|---|"""
TABLES = {
    "how forks vary": {
        **{
            f"{name}, standard deviation {spread:.0%}": World(noise, spread, 5)
            for (name, noise), spread in itertools.product(NOISES.items(), SPREADS)
        },
        **{name: World(noise, 0.05, 7) for name, noise in RARE.items()},
        **{f"{name} of the shipped run": World(noise, 1, 5) for name, noise in AS_SHIPPED.items()},
    },
    "how sessions differ": PROMISED,
    "how sessions differ, not promised": REPORTED,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.calibration", description=__doc__)
    parser.add_argument("repeats", nargs="?", type=int, default=400, help="runs (default 400)")
    repeats = parser.parse_args().repeats
    for head, worlds in TABLES.items():
        print(HEAD.format(head))
        for name, world in worlds.items():
            rates = [wrongly(verdict, repeats, world) for verdict in (REPRODUCED, CONTRADICTED)]
            shown = " | ".join(f"{rate:.1%}" for rate in rates)
            print(f"| {name} | {world.forks} | {world.sessions} | {shown} |", flush=True)
    print_table(10 * repeats)


if __name__ == "__main__":
    main()
