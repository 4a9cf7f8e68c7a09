"""Lab 8: when do more threads help? Break-even, the serial share, and other reasons."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from handoff.draw.steps import Row, Steps
from handoff.labs.forks import compare, compare_groups, list_groups
from handoff.labs.lab import Function, Known, Lab, Values, ask
from handoff.run.store.run import Run

WORKS = (0, 10, 100, 1100)
POOL = {"mechanism": "SHARED_POOL"}
Point = Sequence[Any]
"""Work, fork means of one thread and fork means of two, in ns per event."""


def break_even(points: Sequence[Point]) -> list[float | None]:
    """Return the most work at which two threads are shown to be slower, and the least faster."""
    ratios = [(float(work), compare_groups(two, one)) for work, one, two in points]
    slower = [work for work, ratio in ratios if ratio.low > 1]
    faster = [work for work, ratio in ratios if ratio.high < 1]
    return [max(slower, default=None), min(faster, default=None)]


def serial_share(one: float, two: float) -> float:
    """Return Amdahl's serial share of the work from the times of one and two threads.

    It exceeds 1 where sharing costs more than it saves.
    """
    return 2 * two / one - 1


def draw_points(random: np.random.Generator) -> tuple[list[list[Any]]]:
    """Draw points whose ratio falls with the work; it may or may not cross 1."""
    works = sorted({0, *random.integers(1, 200, 5).tolist()})
    steps = np.linspace(random.uniform(0.05, 1.2), random.uniform(-0.5, 0.1), len(works))
    points = []
    for work, step in zip(works, steps, strict=True):
        one, two = (100 * np.exp(log + random.normal(0, 0.06, 5)) for log in (0, step))
        points.append([work, one, two])
    return (points,)


def draw_times(random: np.random.Generator) -> tuple[float, float]:
    one = random.uniform(10, 1000)
    return one, one * random.uniform(0.5, 4)


def list_points(run: Run) -> list[Point]:
    return [[work, *list_groups(run, "threads", 1, 2, **POOL, work=work)] for work in WORKS]


def compute_ratios(run: Run) -> dict[str, float]:
    """Return the time of two threads over one by amount of work, and for both generators."""
    cases: dict[str, dict[str, Any]] = {f"work_{work}": POOL | {"work": work} for work in WORKS}
    for name, generator in {"shared": "SHARED", "own": "PER_THREAD"}.items():
        cases[name] = {"mechanism": "PI_TASKS", "generator": generator}
    return {name: compare(run, "threads", 2, 1, **case).ratio for name, case in cases.items()}


def expect_verdict(known: Known) -> dict[str, Any]:
    bounds = known.functions["break_even"](list_points(known.measured))
    low, high = ("none" if bound is None else bound for bound in bounds)
    share = known.functions["serial_share"](1, compute_ratios(known.measured)["work_100"])
    return {"slower_up_to": low, "faster_from": high, "serial_share_100": share}


def list_outcomes(run: Run) -> dict[str, Any]:
    known = [bound for bound in break_even(list_points(run)) if bound is not None]
    return compute_ratios(run) | ({"break_even": float(np.mean(known))} if known else {})


def show_token(nodes: int = 4) -> Steps:
    """Step through two workers that share one token."""
    steps = Steps("A token and two workers")
    steps.add("One token, two workers. The next node of the ring belongs to either in turn.")
    for hop in range(nodes):
        worker = hop % 2
        steps.add(
            f"Worker {'AB'[worker]} takes the token at node {hop}, works, and hands it on; the"
            " other has nothing to do but to wait for it. With one token there is nothing to do at"
            " once: two workers only add the hand-over.",
            Row("ring", ["token" if i == hop else "-" for i in range(nodes)], [hop]),
            Row("worker", ["A", "B"], [worker]),
        )
    return steps


RATIOS = {
    **{
        f"work_{work}": f"time of two threads divided by that of one, at {work} units of work"
        for work in WORKS
    },
    "shared": "the same with one random generator for both",
    "own": "the same with a generator each",
}

BREAK_EVEN = {"break_even": "the work from which two threads win"}

LAB = Lab(
    number=8,
    predictions=ask(RATIOS, "times", 0.01, 100) | ask(BREAK_EVEN, "units", 0, 10_000),
    parts=(
        Function("break_even", {"break_even": 3}, break_even, draw_points, cases=60),
        Function("serial_share", {"serial_share": 1}, serial_share, draw_times),
        Values("numbers", dict.fromkeys(RATIOS, 0.5)),
        Values(
            "verdict", {"slower_up_to": 1, "faster_from": 1, "serial_share_100": 1}, expect_verdict
        ),
    ),
    forks_borrowed=5,
    stand_ins=(({}, {"placement": "UNPINNED"}),),
    borrowed_note="Their threads were free to move between the two CPUs.",
    outcomes=list_outcomes,
)
