"""Simulated forks with a known truth: the engine's error rates and what it can prove.

`python -m tests.calibration` prints the table.
"""

import itertools
from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np

from handoff.analysis.contrast import Term, estimate_contrast
from handoff.analysis.forks import compute_fork_means
from handoff.analysis.session_variance import SessionVariance, estimate_session_variance
from handoff.claims.files import load_claim_files
from handoff.claims.judging import Bench, Machine, decide_together, evaluate_claims
from handoff.claims.observations import (
    ABSENT,
    OVERSUBSCRIBED,
    Cell,
    compute_least_variance,
)
from handoff.claims.verdict_table import is_hopeful
from handoff.claims.verdicts import CONTRADICTED, INCONCLUSIVE, REPRODUCED, Verdict
from handoff.paths import find_run_folder
from handoff.run.store.run import read_run
from handoff.tables.tidy import load_table

Noise = Callable[[np.random.Generator, int, bool], np.ndarray]
NOISES: dict[str, Noise] = {
    "normal": lambda random, forks, _: random.normal(0, 1, forks),
    "skewed": lambda random, forks, _: random.exponential(1, forks) - 1,
    # One fork in five is slow, as with blocking queues.
    "bimodal": lambda random, forks, _: (
        ((random.random(forks) < 0.2) - 0.2) / 0.4 * 0.95 + random.normal(0, 0.31, forks)
    ),
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
        if len(rows) >= 5 and (mechanism == "SEQUENTIAL") == sequential:
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
MECHANISMS = ("SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED")
TWO_CORES, MANY_CORES = Machine(2, 0), Machine(12, 1)

CPU_SHARE = 0.3
"""Spread of CPU usage divided by the spread of time, as in the shipped runs."""

Truth = Callable[[bool, int, str], float]
"""Maps (is the queue, sorts, quantity) to the true value; sequential and Disruptor are equal."""


def nothing_true(queue: bool, sorts: int, quantity: str) -> float:
    """Return values at the edge of the claims: none holds, and errors are most likely.

    P2 is an exception, because it shares points with P1.
    """
    if quantity == "time":
        return 1.25 if queue and sorts == 300 else 1.0
    return 0.99 if queue and sorts == 300 else 0.9


def nothing_false(queue: bool, sorts: int, quantity: str) -> float:
    """Return values at the edge of the opposite: equal times and a busy Disruptor."""
    return 1.0 if quantity == "time" else 0.9 if queue and sorts == 1 else 0.96


def name_point(mechanism: str, sorts: int, consumers: int) -> str:
    return f"{mechanism} {sorts} {0 if mechanism == 'SEQUENTIAL' else consumers}"


class Simulated:
    """Simulated part of a run that judging reads; one core is left for the producer."""

    rows, bindings, defaults, fewest = None, {}, {}, 5

    def __init__(self, draw: Callable[[bool], np.ndarray], truth: Truth, cores: int) -> None:
        self.draw, self.truth, self.cores = draw, truth, cores
        self.known: dict[tuple, np.ndarray] = {}
        self.variance: dict[tuple[str, str], float] = {}

    def has(self, quantity: str) -> bool:
        """Return False: nothing but time and CPU usage is simulated."""
        return False

    def cell(self, chosen: dict, quantity: str, shared: bool = False) -> Cell:
        consumers, sorts, mechanism = (
            chosen.get("consumers", 1),
            chosen.get("sorts"),
            chosen["mechanism"],
        )
        if sorts not in LOADS or "sockets" in chosen:
            return Cell("", np.array([]), ABSENT)
        if consumers >= self.cores:
            return Cell("", np.array([]), OVERSUBSCRIBED)
        values = self.forks(mechanism, sorts, quantity, consumers)
        point = name_point(mechanism, sorts, consumers)
        return Cell(point, values, "", self.least(mechanism, quantity))

    def forks(self, mechanism: str, sorts: int, quantity: str, consumers: int) -> np.ndarray:
        key = (mechanism, sorts, quantity, 0 if mechanism == "SEQUENTIAL" else consumers)
        if key not in self.known:
            self.known[key] = self.truth(
                mechanism == "ARRAY_BLOCKING_QUEUE", sorts, quantity
            ) * np.exp(
                self.draw(mechanism != "SEQUENTIAL") * (1.0 if quantity == "time" else CPU_SHARE)
            )
        return self.known[key]

    def least(self, mechanism: str, quantity: str) -> float:
        if (mechanism, quantity) not in self.variance:
            most = 1 if mechanism == "SEQUENTIAL" else self.cores - 1
            self.variance[mechanism, quantity] = compute_least_variance(
                quantity,
                [
                    np.log(self.forks(mechanism, sorts, quantity, n))
                    for sorts in LOADS
                    for n in range(1, most + 1)
                ],
            )
        return self.variance[mechanism, quantity]


Hours = Callable[[np.random.Generator, str, int], float]
"""Maps (random, mechanism, sorts) to one session's shift of the logarithm of a point's time."""


def steady(random: np.random.Generator, mechanism: str, sorts: int) -> float:
    return 0.0


def make_uneven(size: float) -> Hours:
    """Return shifts that are drawn independently for each point."""
    return lambda random, mechanism, sorts: random.normal(0, size)


def make_uneven_queue(size: float) -> Hours:
    """Return shifts of the blocking queue's points only."""
    return lambda random, mechanism, sorts: (
        random.normal(0, size) if mechanism == "ARRAY_BLOCKING_QUEUE" else 0.0
    )


def make_uneven_one(size: float) -> Hours:
    """Return shifts of one point only, on which two claims depend."""
    return lambda random, mechanism, sorts: (
        random.normal(0, size) if (mechanism, sorts) == ("ARRAY_BLOCKING_QUEUE", 1) else 0.0
    )


HOURS = {
    "steady": steady,
    "each point 3 %": make_uneven(0.03),
    "each point 10 %": make_uneven(0.10),
    "the queue's points 5 %": make_uneven_queue(0.05),
    "the queue's points 15 %": make_uneven_queue(0.15),
    "one point 10 %": make_uneven_one(0.10),
}


class InSessions(Simulated):
    """Simulated forks in sessions, each of which shifts a point's logarithms."""

    def __init__(
        self,
        draw: Callable[[bool], np.ndarray],
        truth: Truth,
        cores: int,
        add: Callable[[str, int], float],
        number: int = 3,
    ) -> None:
        super().__init__(draw, truth, cores)
        self.add, self.number = add, number
        self.all_between: dict[str, SessionVariance | None] = {}

    def forks(self, mechanism: str, sorts: int, quantity: str, consumers: int) -> np.ndarray:
        key = name_point(mechanism, sorts, consumers), quantity
        if key not in self.known:
            share = 1.0 if quantity == "time" else CPU_SHARE
            values = super().forks(mechanism, sorts, quantity, consumers)
            added = np.array([share * self.add(mechanism, sorts) for _ in range(self.number)])
            self.known[key] = values * np.exp(np.repeat(added, len(values) // self.number))
        return self.known[key]

    def cell(self, chosen: dict, quantity: str, shared: bool = False) -> Cell:
        cell = super().cell(chosen, quantity, shared)
        if cell.unfit:
            return cell
        return cell._replace(sessions=self.label(cell.values), between=self.between(quantity))

    def label(self, values: np.ndarray) -> np.ndarray:
        return np.repeat(np.arange(self.number), len(values) // self.number)

    def between(self, quantity: str) -> SessionVariance | None:
        if quantity not in self.all_between:
            points = [
                self.forks(mechanism, sorts, quantity, n)
                for mechanism in MECHANISMS
                for sorts in LOADS
                for n in range(1, 2 if mechanism == "SEQUENTIAL" else self.cores)
            ]
            self.all_between[quantity] = estimate_session_variance(
                (np.log(forks), self.label(forks)) for forks in points
            )
        return self.all_between[quantity]


def families(
    repeats: int,
    noise: Noise,
    spread: float,
    forks: int,
    truth: Truth,
    machine: Machine = TWO_CORES,
) -> Iterator[dict[str, str]]:
    """Yield each simulated run's verdicts by claim and reading."""
    file, random = load_claim_files()["scaling"], np.random.default_rng(2015)
    for _ in range(repeats):
        made = Simulated(lambda handed: spread * noise(random, forks, handed), truth, machine.cores)
        judged = decide_together(evaluate_claims(file, Bench(made, machine)))
        yield {f"{v.identity} {v.reading}".strip(): v.verdict for v in judged}


def judge_over_sessions(
    repeats: int, noise: Noise, spread: float, forks: int, truth: Truth, hours: Hours
) -> Iterator[dict[str, str]]:
    """Yield the verdicts of runs of three sessions, judged at the second of two looks.

    `forks` is the number per point and session.
    """
    file, random = load_claim_files()["scaling"], np.random.default_rng(2015)
    for _ in range(repeats):
        made = InSessions(
            lambda handed: spread * noise(random, 3 * forks, handed),
            truth,
            TWO_CORES.cores,
            partial(hours, random),
        )
        judged = decide_together(evaluate_claims(file, Bench(made, TWO_CORES)), 2)
        yield {f"{v.identity} {v.reading}".strip(): v.verdict for v in judged}


def wrongly_over_sessions(
    verdict: str, repeats: int, noise: Noise, spread: float, forks: int, hours: Hours
) -> float:
    """Return the result of `wrongly` with runs of three sessions."""
    truth = nothing_true if verdict == REPRODUCED else nothing_false
    runs = judge_over_sessions(repeats, noise, spread, forks, truth, hours)
    return float(np.mean([verdict in verdicts.values() for verdicts in runs]))


def power_over_sessions(
    repeats: int, spread: float, forks: int, ratio: float, hours: Hours
) -> float:
    """Return the result of `power` with runs of three sessions."""
    truth = make_slower_queue(ratio)
    runs = judge_over_sessions(repeats, NOISES["normal"], spread, forks, truth, hours)
    return float(np.mean([verdicts["P1"] == REPRODUCED for verdicts in runs]))


class InLooks(Simulated):
    """Simulated points with many forks: `fitting` of them are seen, all of `granted` points."""

    def __init__(
        self, draw: Callable[[bool], np.ndarray], truth: Truth, cores: int, fitting: int
    ) -> None:
        super().__init__(draw, truth, cores)
        self.fitting, self.granted = fitting, set[str]()

    def forks(self, mechanism: str, sorts: int, quantity: str, consumers: int) -> np.ndarray:
        values = super().forks(mechanism, sorts, quantity, consumers)
        point = name_point(mechanism, sorts, consumers)
        return values if point in self.granted else values[: self.fitting]

    def look_again(self, judged: list[Verdict], most: int) -> None:
        """Grant all forks to the points that `verdict_table.plan_second_look` would choose."""
        self.granted = {
            point
            for verdict in judged
            if verdict.verdict == INCONCLUSIVE and is_hopeful(verdict, most)
            for evaluation in verdict.evaluations
            for comparison in evaluation.comparisons
            for point in comparison.points
        }
        self.variance.clear()


def wrongly_in_looks(
    verdict: str, repeats: int, noise: Noise, spread: float, looks: tuple[int, int]
) -> float:
    """Return the share of runs of two looks in which a claim wrongly gets the verdict.

    `looks` are the forks per point; the machine has two cores.
    """
    file, random = load_claim_files()["scaling"], np.random.default_rng(2015)
    truth = nothing_true if verdict == REPRODUCED else nothing_false
    fitting, most = looks
    wrong = 0
    for _ in range(repeats):
        made = InLooks(lambda handed: spread * noise(random, most, handed), truth, 2, fitting)
        judged = decide_together(evaluate_claims(file, Bench(made, TWO_CORES)), len(looks))
        made.look_again(judged, most)
        if made.granted:
            judged = decide_together(evaluate_claims(file, Bench(made, TWO_CORES)), len(looks))
        wrong += any(v.verdict == verdict for v in judged)
    return wrong / repeats


def wrongly(
    verdict: str,
    repeats: int,
    noise: Noise,
    spread: float,
    forks: int,
    machine: Machine = TWO_CORES,
) -> float:
    """Return the share of simulated runs in which a claim wrongly gets the verdict."""
    truth = nothing_true if verdict == REPRODUCED else nothing_false
    return float(
        np.mean(
            [
                verdict in verdicts.values()
                for verdicts in families(repeats, noise, spread, forks, truth, machine)
            ]
        )
    )


def coverage(repeats: int, noise: Noise, spread: float, forks: int) -> float:
    """Return the share of 95 % intervals of a ratio that contain the truth, 1.3."""
    random, held = np.random.default_rng(7), 0
    for _ in range(repeats):
        logs = [spread * noise(random, forks, True) + mean for mean in (np.log(1.3), 0.0)]
        # Each is the only point of its setting, so that other points add nothing.
        top, bottom = (
            Term(sign, values, compute_least_variance("time", [values]))
            for sign, values in zip((1.0, -1.0), logs, strict=True)
        )
        low, high = estimate_contrast([top, bottom]).interval(0.95)
        held += low <= 1.3 <= high
    return held / repeats


def make_slower_queue(ratio: float) -> Truth:
    """Return a truth in which only P1 holds: with one sort, queue ÷ sequential is `ratio`."""
    return lambda queue, sorts, quantity: (
        ratio
        if queue and sorts == 1 and quantity == "time"
        else nothing_true(queue, sorts, quantity)
    )


def power(repeats: int, spread: float, forks: int, ratio: float) -> float:
    """Return the share of runs that reproduce P1, among nine claims, at this ratio."""
    return float(
        np.mean(
            [
                verdicts["P1"] == REPRODUCED
                for verdicts in families(
                    repeats, NOISES["normal"], spread, forks, make_slower_queue(ratio)
                )
            ]
        )
    )


def provable(spread: float, forks: int) -> float:
    """Return the smallest ratio, in steps of 0.01, that is proven in four of five runs."""
    for step in itertools.count(1):
        ratio = 1 + step / 100
        if power(200, spread, forks, ratio) >= 0.8:
            return ratio
    raise AssertionError


def main() -> None:
    head = f"{'noise':24} spread forks  wrongly reproduced  wrongly contradicted"
    print(f"{head}  coverage of 95 %")
    cases = [
        *itertools.product(NOISES.items(), SPREADS, FORKS),
        *itertools.product(RARE.items(), SPREADS[:1], FORKS),
        *itertools.product(AS_SHIPPED.items(), (1.0,), FORKS),
    ]
    for (name, noise), spread, forks in cases:
        wrong = [
            wrongly(verdict, 1000, noise, spread, forks) for verdict in (REPRODUCED, CONTRADICTED)
        ]
        print(
            f"{name:24} {spread:5.0%} {forks:6}  {wrong[0]:18.1%}  {wrong[1]:20.1%} "
            f" {coverage(4000, noise, spread, forks):16.1%}"
        )
    print("three sessions, spread 10 %: wrongly reproduced, wrongly contradicted")
    for (name, noise), (hour, hours), forks in itertools.product(
        NOISES.items(), HOURS.items(), (5, 10)
    ):
        wrong = [
            wrongly_over_sessions(verdict, 1000, noise, 0.10, forks, hours)
            for verdict in (REPRODUCED, CONTRADICTED)
        ]
        print(f"{name:10} {hour:24} {forks:3} {wrong[0]:8.1%} {wrong[1]:8.1%}", flush=True)
    print("smallest ratio proven in four of five runs, among nine claims (normal noise):")
    for spread, forks in itertools.product(SPREADS, (5, 7, 10, 20)):
        print(f"spread {spread:.0%}, {forks} forks: {provable(spread, forks):.2f}")


if __name__ == "__main__":
    main()
