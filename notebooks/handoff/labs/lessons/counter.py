"""Lab 4: why is a shared counter slow? Cache lines, the cost of sharing, and a null result."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import stats

from handoff.draw.steps import Row, Steps
from handoff.labs.forks import LEVEL, Contrast, compare, list_fork_means
from handoff.labs.lab import Function, Known, Lab, Values, ask
from handoff.run.store.run import Run

READ, WRITE = "read", "write"
Access = Sequence[Any]
"""A core's number, and 'read' or 'write'."""

WAYS: dict[str, dict[str, Any]] = {
    "plain": {"mechanism": "PLAIN"},
    "volatile": {"mechanism": "VOLATILE"},
    "cas_1": {"mechanism": "CAS", "threads": 1},
    "lock_1": {"mechanism": "LOCK", "threads": 1},
    "cas_2": {"mechanism": "CAS", "threads": 2},
    "lock_2": {"mechanism": "LOCK", "threads": 2},
}
PAIRS = (("plain", "volatile"), ("volatile", "lock_1"), ("cas_1", "cas_2"), ("lock_1", "lock_2"))


def follow_line(trace: Sequence[Access]) -> Iterator[tuple[bool, set[int]]]:
    """Yield whether each access moves the line from another core, and the cores that then hold it.

    A read leaves the other copies; a write removes them; the first access finds the line in memory.
    """
    holders: set[int] = set()
    for core, kind in trace:
        moves = bool(holders) and core not in holders
        holders = {core} if kind == WRITE else {*holders, core}
        yield moves, holders


def transfers(trace: Sequence[Access]) -> int:
    """Count how often a line moves from one core's cache to another's."""
    return sum(moves for moves, _ in follow_line(trace))


def draw_trace(random: np.random.Generator) -> tuple[list[list[Any]]]:
    cores, number = random.integers(2, 5), random.integers(5, 40)
    kinds = random.choice([READ, WRITE], number, p=[0.6, 0.4])
    return ([[random.integers(cores), str(kind)] for kind in kinds],)


Pair = tuple[Sequence[float], Sequence[float]]
"""The fork means of two ways."""


def which_hold(pairs: Sequence[Pair]) -> list[bool]:
    """Test for each pair of groups whether the second is shown to take longer.

    Welch's one-sided test on logarithms of fork means, at 5 % for all pairs together, by Holm.
    """
    p = [
        stats.ttest_ind(np.log(b), np.log(a), equal_var=False, alternative="greater").pvalue
        for a, b in pairs
    ]
    shown = [False] * len(p)
    for rank, i in enumerate(np.argsort(p)):
        if p[i] >= LEVEL / (len(p) - rank):
            break
        shown[i] = True
    return shown


def draw_pairs(random: np.random.Generator) -> tuple[list[Pair]]:
    """Draw pairs of five forks whose means rise so little that the choice of test matters."""
    rises = np.cumsum(random.uniform(-0.01, 0.09, random.integers(3, 6)))
    groups = [(100 * np.exp(rise + random.normal(0, 0.04, 5))).tolist() for rise in rises]
    return (list(pairwise(groups)),)


def compare_padding(run: Run) -> Contrast:
    """Compare a ring without padding with one with it."""
    return compare(run, "separation", "NONE", "PADDED", mechanism="RING_BUFFER")


def expect_verdict(known: Known) -> dict[str, Any]:
    forks = {way: list_fork_means(known.measured, **params) for way, params in WAYS.items()}
    shown = known.functions["which_hold"]([(forks[a], forks[b]) for a, b in PAIRS])
    words = {
        f"{a}_below_{b}": "shown" if holds else "not shown"
        for (a, b), holds in zip(PAIRS, shown, strict=True)
    }
    return words | {"padding": compare_padding(known.measured).word}


def list_outcomes(run: Run) -> dict[str, Any]:
    means = {way: np.mean(list_fork_means(run, **params)) for way, params in WAYS.items()}
    return means | {"padding": compare_padding(run).ratio}


def show_line(trace: Sequence[Access]) -> Steps:
    """Step through the moves of a cache line between cores, by the rule of `transfers`."""
    cores = sorted({core for core, _ in trace})
    steps, moved = Steps("A line that cores take from each other (model)"), 0
    steps.add("MODEL. No core holds the line yet.")
    for (core, kind), (moves, holders) in zip(trace, follow_line(trace), strict=True):
        moved += moves
        near = "it has the line already" if len(steps.states) > 1 else "the line comes from memory"
        what = "the line comes from another core" if moves else near
        lost = "; other copies, if any, become invalid" if kind == WRITE else ""
        steps.add(
            f"Core {core}: {kind}; {what}{lost}.",
            Row("core", [str(number) for number in cores], [cores.index(core)]),
            Row("has a copy", ["yes" if number in holders else "-" for number in cores]),
            Row("transfers so far", [str(moved)]),
        )
    return steps


INCREMENT = "an increment of a counter,"
QUESTIONS = {
    "plain": f"{INCREMENT} one thread, plain",
    "volatile": f"{INCREMENT} one thread, volatile",
    "cas_1": f"{INCREMENT} one thread, compare-and-set",
    "lock_1": f"{INCREMENT} one thread, a lock",
    "cas_2": f"{INCREMENT} two threads, compare-and-set",
    "lock_2": f"{INCREMENT} two threads, a lock",
}
PADDING = {"padding": "a ring's time per task without padding divided by that with it"}

LAB = Lab(
    number=4,
    predictions=ask(QUESTIONS, "ns", 0.01, 10_000) | ask(PADDING, "times", 0.01, 100),
    parts=(
        Function("transfers", {"transfers": 2}, transfers, draw_trace),
        Function("which_hold", {"which_hold": 3}, which_hold, draw_pairs, cases=60),
        Values("numbers", dict.fromkeys(WAYS, 0.5)),
        Values(
            "verdict",
            {f"{first}_below_{second}": 0.25 for first, second in PAIRS} | {"padding": 1},
            expect_verdict,
        ),
    ),
    forks_borrowed=5,
    outcomes=list_outcomes,
)
