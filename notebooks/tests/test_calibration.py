"""Calibration of the verdicts on simulated runs with a known truth.

Seeds are fixed; `python -m tests.calibration` prints the longer table.
"""

import pytest

from handoff.claims.verdicts import CONTRADICTED, REPRODUCED

from .calibration import (
    AS_SHIPPED,
    FORKS,
    MANY_CORES,
    NOISES,
    PROMISED,
    RARE,
    SPREADS,
    TWO_CORES,
    World,
    common,
    coverage,
    power,
    wrongly,
)
from .misses import CONFIDENCES, KINDS, count_misses

PROMISED_SHARE = 0.05
LEAST_COVERAGE = 0.93 - 3 * (0.05 * 0.95 / 2000) ** 0.5
"""Less three standard errors of 5 % with 2,000 repeats."""

VERDICTS = [REPRODUCED, CONTRADICTED]
UNEVEN = {
    **{name: (noise, 0.05, 7) for name, noise in RARE.items()},
    **{name: (noise, 1.0, 5) for name, noise in AS_SHIPPED.items()},
}
"""Noise, spread and forks: rare slow forks, and forks as in the shipped run."""

TABLES = {
    **{name: (World(noise, SPREADS[1], FORKS[0]), TWO_CORES) for name, noise in NOISES.items()},
    **{f"sessions differ: {name}": (world, TWO_CORES) for name, world in PROMISED.items()},
    "as scaling": (World(*UNEVEN["as scaling"]), TWO_CORES),
    "eleven consumers": (World(NOISES["skewed"], SPREADS[1], FORKS[0]), MANY_CORES),
}
"""Worlds and machines; deep tests have more."""


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("table", TABLES)
def test_a_table_rarely_has_a_wrong_verdict(verdict, table):
    assert wrongly(verdict, 60, *TABLES[table]) <= PROMISED_SHARE


@pytest.mark.parametrize("noise", UNEVEN)
def test_intervals_of_uneven_forks_contain_the_truth(noise):
    assert coverage(2000, *UNEVEN[noise]) >= 0.93


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("noise", NOISES)
def test_intervals_contain_the_truth(noise, spread):
    assert coverage(2000, NOISES[noise], spread, FORKS[0]) >= LEAST_COVERAGE


def test_forks_and_sessions_prove_a_ratio_of_125_but_not_105():
    world = World(NOISES["normal"], 0.05, 5)
    assert power(100, 1.25, world) > 0.9 and power(100, 1.05, world) < 0.3
    assert power(50, 1.25, World(NOISES["normal"], 0.10, 10, common(0.0), 3)) >= 0.8


@pytest.mark.parametrize(("sessions", "before", "after"), [(2, 0.2, 0.02), (3, 0.02, 0.01)])
def test_forks_of_two_kinds_are_in_the_interval_of_their_ratio(sessions, before, after):
    misses = count_misses(200, sessions, KINDS["one fork in two"])[CONFIDENCES[1]]
    assert misses.sessions >= before and misses.rule <= after


def test_where_no_forks_are_of_two_kinds_the_sessions_interval_stays():
    for sessions in (2, 3):
        for misses in count_misses(100, sessions, None).values():
            assert misses.sessions - 0.01 <= misses.rule <= misses.sessions <= PROMISED_SHARE
