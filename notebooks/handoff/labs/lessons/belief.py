"""Lab 2: which numbers may I believe? Warm-up, forks as units, intervals, and a test."""

import itertools
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from scipy import stats

from handoff.labs.forks import (
    LEVEL,
    compare_groups,
    list_fork_means,
    list_times,
    load_all,
    load_forks,
)
from handoff.labs.lab import Function, Known, Lab, Values, ask
from handoff.paths import find_run_folder
from handoff.run.store.run import Run, read_run

SHIPPED_RUN = "reference-warmup"
FIRST_STEADY = 10
"""First shot, of thirty in each fork of that run, that counts."""

FEWEST = 3
GROUP = 5
SLACK = 0.04
"""Share of cases in which another test may differ from Welch's, as one without logarithms does."""

Fork = Sequence[float]
"""Nanoseconds per event of each shot."""


def interval(forks: Sequence[Fork], warmup: int, level: float) -> list[float] | None:
    """Return the t interval of the mean of fork means; None below three forks."""
    means = [np.mean(fork[warmup:]) for fork in forks]
    if len(means) < FEWEST:
        return None
    ends = stats.t.interval(level, len(means) - 1, np.mean(means), stats.sem(means))
    return [float(end) for end in ends]


def differ(a: Sequence[Fork], b: Sequence[Fork], warmup: int) -> bool:
    """Test whether two programs differ: Welch's test on logarithms of fork means, at 5 %."""
    one, other = ([float(np.mean(fork[warmup:])) for fork in forks] for forks in (a, b))
    return compare_groups(one, other).p < LEVEL


def draw_forks(random: np.random.Generator, middle: float, number: int, warmup: int) -> list[Fork]:
    """Draw forks that vary by 4 %, with shots that vary by 2 % after a slow warm-up."""
    means = middle * np.exp(random.normal(0, 0.04, number))
    shots = means[:, None] * np.exp(random.normal(0, 0.02, (number, warmup + 6)))
    shots[:, :warmup] *= 1.7
    return shots.tolist()


def draw_interval(random: np.random.Generator) -> tuple:
    warmup, number = int(random.integers(1, 4)), int(random.choice([2, 3, 4, 5, 7]))
    level = random.choice([0.90, 0.95, 0.99])
    return draw_forks(random, random.uniform(50, 500), number, warmup), warmup, level


def draw_pair(random: np.random.Generator) -> tuple:
    """Draw two groups of five forks, half the time of one program, else of one 9 % slower."""
    warmup, middle = int(random.integers(1, 4)), random.uniform(50, 500)
    slower = middle * (1.09 if random.random() < 0.5 else 1.0)
    return *(draw_forks(random, mean, GROUP, warmup) for mean in (middle, slower)), warmup


def split_groups(run: Run) -> dict[str, list[Fork]]:
    """Return groups X, Y and Z of five forks without warm-up: two of one program, one of another.

    When the run was started decides which two.
    """
    random = np.random.default_rng(list(str(run.identity.get("started")).encode()))
    alike, other = (
        [list_times(fork)[warmup:] for fork, warmup in load_forks(run, sorts=sorts)]
        for sorts in (15, 18)
    )
    order = random.permutation(len(alike))
    first, second = order[:GROUP], order[GROUP : 2 * GROUP]
    groups = [[alike[i] for i in first], [alike[i] for i in second], other[:GROUP]]
    return {name: groups[i] for name, i in zip("XYZ", random.permutation(3), strict=True)}


def expect_verdict(known: Known) -> dict[str, Any]:
    words = {True: "different", False: "not shown to differ"}
    groups = split_groups(known.measured)
    return {
        (a + b).lower(): words[bool(known.functions["differ"](groups[a], groups[b], 0))]
        for a, b in ("XY", "XZ", "YZ")
    }


@cache
def list_splits() -> list[tuple[list[Fork], list[Fork]]]:
    """List every split of five forks of one shipped point, so one program, into two and three."""
    points: dict[str, list[Fork]] = {}
    for point, fork in load_all(read_run(find_run_folder(SHIPPED_RUN))):
        points.setdefault(point.key, []).append(list_times(fork)[FIRST_STEADY:])
    return [
        ([five[i] for i in chosen], [fork for i, fork in enumerate(five) if i not in chosen])
        for five in points.values()
        for chosen in itertools.combinations(range(GROUP), 2)
    ]


def pool(forks: Sequence[Fork]) -> list[Fork]:
    """Make a fork of each shot, which is the mistake that the lab is about."""
    return [[shot] for fork in forks for shot in fork]


@cache
def count_splits(function: Callable[..., Any] = differ) -> dict[str, int]:
    """Count the splits that are called different, with shots pooled and fork by fork."""
    return {
        "pooled_different": sum(bool(function(pool(a), pool(b), 0)) for a, b in list_splits()),
        "forks_different": sum(bool(function(a, b, 0)) for a, b in list_splits()),
    }


def list_outcomes(run: Run) -> dict[str, Any]:
    means = list_fork_means(run, sorts=15)
    return {**count_splits(), "spread": max(means) / min(means)}


SPLITS = {
    "pooled_different": "how many of 120 splits of one program's forks a test calls different if it"
    " treats every shot as an observation",
    "forks_different": "how many of them it calls different by the fork means",
}

SPREAD = {"spread": "time of the slowest of ten equal JVMs divided by the fastest's"}

LAB = Lab(
    number=2,
    predictions=ask(SPLITS, "splits", 0, 120, int) | ask(SPREAD, "times", 1, 10),
    parts=(
        Function("interval", {"interval": 3}, interval, draw_interval),
        Function("differ", {"differ": 3}, differ, draw_pair, cases=400, slack=SLACK),
        Values(
            "splits",
            dict.fromkeys(SPLITS, 0.5),
            lambda known: count_splits(known.functions["differ"]),
        ),
        Values("verdict", {"xy": 1, "xz": 1, "yz": 1}, expect_verdict),
    ),
    forks_borrowed=10,
    borrowed_note="They are of two ways to use the Disruptor, both with 15 sorts.",
    stand_ins=(
        ({"sorts": "15"}, {"mechanism": "DISRUPTOR_STRIPED", "placement": "PAPER"}),
        (
            {"sorts": "18"},
            {"mechanism": "DISRUPTOR_WORKER_POOL", "sorts": "15", "placement": "PAPER"},
        ),
    ),
    outcomes=list_outcomes,
)
