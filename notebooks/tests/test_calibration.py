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
    World,
    coverage,
    power,
    wrongly,
)

REPEATS = 100
PROMISED_SHARE = 0.05
LEAST_COVERAGE = 0.93 - 3 * (0.05 * 0.95 / 2000) ** 0.5
"""Less three standard errors of 5 % with 2,000 repeats."""

VERDICTS = [REPRODUCED, CONTRADICTED]


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("noise", NOISES)
def test_a_table_rarely_has_a_wrong_verdict(verdict, noise):
    for spread in SPREADS:
        assert wrongly(verdict, REPEATS, World(NOISES[noise], spread, FORKS[0])) <= PROMISED_SHARE


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("hours", PROMISED)
def test_wrong_verdicts_stay_rare_when_sessions_differ(verdict, hours):
    world = World(NOISES["normal"], 0.10, 5, PROMISED[hours], 3)
    assert wrongly(verdict, REPEATS, world) <= PROMISED_SHARE


UNEVEN = {
    **{name: (noise, 0.05, 7) for name, noise in RARE.items()},
    **{name: (noise, 1.0, 5) for name, noise in AS_SHIPPED.items()},
}
"""Noise, spread and forks: rare slow forks, and forks as in the shipped run."""


@pytest.mark.parametrize("noise", UNEVEN)
def test_intervals_of_uneven_forks_contain_the_truth(noise):
    assert coverage(2000, *UNEVEN[noise]) >= 0.93


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("noise", UNEVEN)
def test_wrong_verdicts_stay_rare_with_uneven_forks(verdict, noise):
    assert wrongly(verdict, REPEATS, World(*UNEVEN[noise])) <= PROMISED_SHARE


@pytest.mark.parametrize("verdict", VERDICTS)
def test_wrong_verdicts_stay_rare_with_up_to_eleven_consumers(verdict):
    wrong = wrongly(verdict, 60, World(NOISES["skewed"], 0.15, 5), MANY_CORES)
    assert wrong <= PROMISED_SHARE


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("noise", NOISES)
def test_intervals_contain_the_truth(noise, spread):
    assert coverage(2000, NOISES[noise], spread, FORKS[0]) >= LEAST_COVERAGE


def test_forks_and_sessions_prove_a_ratio_of_125_but_not_105():
    world = World(NOISES["normal"], 0.05, 5)
    assert power(100, 1.25, world) > 0.9 and power(100, 1.05, world) < 0.3
    assert power(50, 1.25, World(NOISES["normal"], 0.10, 10, PROMISED["none"], 3)) >= 0.8
