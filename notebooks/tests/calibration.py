"""Simulated forks with a known truth: how often the engine is wrong, and what it can prove.

`python -m tests.calibration` prints it.
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
    # One fork in five is of the slow kind, as blocking queues' are.
    "bimodal": lambda random, forks, _: (
        ((random.random(forks) < 0.2) - 0.2) / 0.4 * 0.95 + random.normal(0, 0.31, forks)
    ),
}
"""Logarithms with mean 0 and standard deviation 1; the last argument: whether events are handed
over.
"""


def make_rare(share: float, size: float) -> Noise:
    """A slow kind of fork, rare and only where events are handed over; the baseline is steady."""
    return lambda random, forks, handed: (
        ((random.random(forks) < share) - share) * size * handed + random.normal(0, 0.4, forks)
    )


RARE = {
    "rare slow, 10 % at +0.5": make_rare(0.10, 10.0),
    "rare slow, 15 % at +0.45": make_rare(0.15, 9.0),
    "rare slow, 7 % at +0.6": make_rare(0.07, 12.0),
}
"""In units of a spread of 5 %."""

SHIPPED = ("scaling", "executors", "ring", "actors")
"""Studies of the shipped run, as noise."""


@cache
def residuals(study: str, sequential: bool) -> np.ndarray:
    """What the shipped run's forks of a study are off their points' means by, in logarithms, where
    threads have cores of their own; enlarged by what a mean of so few forks takes away.
    """
    forks = compute_fork_means(load_table(read_run(find_run_folder("reference")), study))
    parts = []
    for (_, mechanism), own in forks[~forks["oversubscribed"]].groupby(["point", "mechanism"]):
        if len(own) >= 5 and (mechanism == "SEQUENTIAL") == sequential:
            logs = np.log(own["ns_per_event"])
            parts.append((logs - logs.mean()) * (len(own) / (len(own) - 1)) ** 0.5)
    return np.concatenate(parts)


def make_shipped(study: str) -> Noise:
    """Forks that vary as the shipped ones of a study do: of hand-overs, beside the paper's
    sequential ones. Take it with a spread of 1.
    """
    return lambda random, forks, handed: random.choice(
        residuals(study, False) if handed else residuals("scaling", True), forks
    )


AS_SHIPPED = {f"as {study}": make_shipped(study) for study in SHIPPED}

SPREADS, FORKS, LOADS = (0.05, 0.15), (5, 10, 20), (1, 15, 300)
MECHANISMS = ("SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED")
TWO_CORES, MANY_CORES = Machine(2, 1), Machine(12, 1)

CPU_SHARE = 0.3
"""The spread of CPU usage over that of time, as in the shipped runs."""

Truth = Callable[[bool, int, str], float]
"""(is the queue, sorts, quantity) to the true value; sequential and Disruptor are alike."""


def nothing_true(queue: bool, sorts: int, quantity: str) -> float:
    """On the edge of what the claims say, so that none is true and it is easiest to be fooled; but
    P2, which shares points with P1.
    """
    if quantity == "time":
        return 1.25 if queue and sorts == 300 else 1.0
    return 0.99 if queue and sorts == 300 else 0.9


def nothing_false(queue: bool, sorts: int, quantity: str) -> float:
    """On the edge of the contrary: all times alike, the Disruptor busy."""
    return 1.0 if quantity == "time" else 0.9 if queue and sorts == 1 else 0.96


def name_point(mechanism: str, sorts: int, consumers: int) -> str:
    return f"{mechanism} {sorts} {0 if mechanism == 'SEQUENTIAL' else consumers}"


class Simulated:
    """What `judge` reads of a run, made up: as many consumers fit as there are cores beyond one."""

    rows, bindings, defaults, fewest = None, {}, {}, 5

    def __init__(self, draw: Callable[[bool], np.ndarray], truth: Truth, cores: int) -> None:
        self.draw, self.truth, self.cores = draw, truth, cores
        self.known: dict[tuple, np.ndarray] = {}
        self.variance: dict[tuple[str, str], float] = {}

    def cell(self, chosen: dict, quantity: str, shared: bool = False) -> Cell:
        consumers, sorts, mechanism = (
            chosen.get("consumers", 1),
            chosen.get("sorts"),
            chosen["mechanism"],
        )
        if sorts not in LOADS or "nodes" in chosen:
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
"""(random, mechanism, sorts) to what one session adds to the logarithm of a point's time; called
once a point and session."""


def steady(random: np.random.Generator, mechanism: str, sorts: int) -> float:
    return 0.0


def make_uneven(size: float) -> Hours:
    """Every point has good and bad hours of its own."""
    return lambda random, mechanism, sorts: random.normal(0, size)


def make_uneven_queue(size: float) -> Hours:
    """Only the blocking queue's points have."""
    return lambda random, mechanism, sorts: (
        random.normal(0, size) if mechanism == "ARRAY_BLOCKING_QUEUE" else 0.0
    )


def make_uneven_one(size: float) -> Hours:
    """Only one point has, which two claims hang on."""
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
    """The same forks in sessions, each of which adds something to a point's logarithms."""

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
        known = name_point(mechanism, sorts, consumers), quantity
        if known not in self.known:
            share = 1.0 if quantity == "time" else CPU_SHARE
            own = super().forks(mechanism, sorts, quantity, consumers)
            added = np.array([share * self.add(mechanism, sorts) for _ in range(self.number)])
            self.known[known] = own * np.exp(np.repeat(added, len(own) // self.number))
        return self.known[known]

    def cell(self, chosen: dict, quantity: str, shared: bool = False) -> Cell:
        found = super().cell(chosen, quantity, shared)
        if found.unfit:
            return found
        return found._replace(sessions=self.label(found.values), between=self.between(quantity))

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
    """Claim and reading to verdict, of each simulated run: the whole table as it is printed."""
    file, random = load_claim_files()["scaling"], np.random.default_rng(2015)
    for _ in range(repeats):
        made = Simulated(lambda handed: spread * noise(random, forks, handed), truth, machine.cores)
        judged = decide_together(evaluate_claims(file, Bench(made, machine)))
        yield {f"{v.identity} {v.reading}".strip(): v.verdict for v in judged}


def judge_over_sessions(
    repeats: int, noise: Noise, spread: float, forks: int, truth: Truth, hours: Hours
) -> Iterator[dict[str, str]]:
    """As `families`, of runs of three sessions with so many forks a point each, judged at the
    second of two looks.
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
    """As `wrongly`."""
    truth = nothing_true if verdict == REPRODUCED else nothing_false
    found = judge_over_sessions(repeats, noise, spread, forks, truth, hours)
    return float(np.mean([verdict in verdicts.values() for verdicts in found]))


def power_over_sessions(
    repeats: int, spread: float, forks: int, ratio: float, hours: Hours
) -> float:
    """As `power`."""
    truth = make_slower_queue(ratio)
    found = judge_over_sessions(repeats, NOISES["normal"], spread, forks, truth, hours)
    return float(np.mean([verdicts["P1"] == REPRODUCED for verdicts in found]))


class InLooks(Simulated):
    """The same with `most` forks a point, of which a first look sees `fitting`; `granted` are the
    points of which all are seen.
    """

    def __init__(
        self, draw: Callable[[bool], np.ndarray], truth: Truth, cores: int, fitting: int
    ) -> None:
        super().__init__(draw, truth, cores)
        self.fitting, self.granted = fitting, set[str]()

    def forks(self, mechanism: str, sorts: int, quantity: str, consumers: int) -> np.ndarray:
        own = super().forks(mechanism, sorts, quantity, consumers)
        point = name_point(mechanism, sorts, consumers)
        return own if point in self.granted else own[: self.fitting]

    def look_again(self, judged: list[Verdict], most: int) -> None:
        """As `verdict_table.plan_second_look` does."""
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
    """Share of simulated runs of two looks, of so many forks a point, in which any claim comes out
    as `verdict` where none should, on two cores.
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
    """Share of simulated runs in which any claim comes out as `verdict`, reproduced or
    contradicted, where none should.
    """
    truth = nothing_true if verdict == REPRODUCED else nothing_false
    return float(
        np.mean(
            [
                verdict in found.values()
                for found in families(repeats, noise, spread, forks, truth, machine)
            ]
        )
    )


def coverage(repeats: int, noise: Noise, spread: float, forks: int) -> float:
    """Share of 95 % intervals of a ratio that hold the truth, 1.3."""
    random, held = np.random.default_rng(7), 0
    for _ in range(repeats):
        logs = [spread * noise(random, forks, True) + mean for mean in (np.log(1.3), 0.0)]
        # Either is the only point of its setting: what other points would tell is left out.
        top, bottom = (
            Term(sign, own, compute_least_variance("time", [own]))
            for sign, own in zip((1.0, -1.0), logs, strict=True)
        )
        low, high = estimate_contrast([top, bottom]).interval(0.95)
        held += low <= 1.3 <= high
    return held / repeats


def make_slower_queue(ratio: float) -> Truth:
    """Only P1 is true: with one sort the queue takes `ratio` times the sequential time."""
    return lambda queue, sorts, quantity: (
        ratio
        if queue and sorts == 1 and quantity == "time"
        else nothing_true(queue, sorts, quantity)
    )


def power(repeats: int, spread: float, forks: int, ratio: float) -> float:
    """Share of simulated runs in which P1 is reproduced when the queue takes `ratio` times the
    sequential time, among nine claims.
    """

    return float(
        np.mean(
            [
                v["P1"] == REPRODUCED
                for v in families(
                    repeats, NOISES["normal"], spread, forks, make_slower_queue(ratio)
                )
            ]
        )
    )


def provable(spread: float, forks: int) -> float:
    """The smallest ratio, in steps of 0.01, that is proven in four of five runs."""
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
