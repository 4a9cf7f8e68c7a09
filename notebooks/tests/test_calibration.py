"""Calibration of the engine on simulated forks with a known truth.

Seeds are fixed; `python -m tests.calibration` prints the longer table.
"""

import numpy as np
import pandas as pd
import pytest

from handoff.analysis.contrast import (
    Estimate,
    Term,
    adjust_holm,
    combine_p_values,
    estimate_contrast,
    find_forks_to_decide,
)
from handoff.analysis.forks import compute_ratio
from handoff.claims.verdicts import CONTRADICTED, REPRODUCED

from .calibration import (
    AS_SHIPPED,
    FORKS,
    HOURS,
    MANY_CORES,
    NOISES,
    RARE,
    SPREADS,
    coverage,
    power,
    power_over_sessions,
    wrongly,
    wrongly_in_looks,
    wrongly_over_sessions,
)

REPEATS = 200
CHANCE = 3 * (0.05 * 0.95 / REPEATS) ** 0.5
"""Three standard errors of a share of 5 % with these repeats."""


EFFECTS = [(REPRODUCED, 0.05), (REPRODUCED, 0.15), (CONTRADICTED, 0.05)]
"""Verdict and spread of forks; the deep tests use more forks."""


@pytest.mark.parametrize(("verdict", "spread"), EFFECTS)
@pytest.mark.parametrize("noise", NOISES)
def test_a_table_rarely_has_a_wrong_verdict(verdict, noise, spread):
    require_calibrated(verdict, noise, spread, FORKS[0])


UNEVEN = {
    **{name: (noise, 0.05, 7) for name, noise in RARE.items()},
    **{name: (noise, 1.0, 5) for name, noise in AS_SHIPPED.items()},
}
"""Noise, spread and forks: rare slow forks, and forks as in the shipped run."""


@pytest.mark.parametrize("verdict", [REPRODUCED, CONTRADICTED])
@pytest.mark.parametrize("hours", ["each point 3 %", "the queue's points 15 %", "one point 10 %"])
def test_wrong_verdicts_stay_rare_when_sessions_differ(verdict, hours):
    wrong = wrongly_over_sessions(verdict, REPEATS // 2, NOISES["normal"], 0.10, 5, HOURS[hours])
    assert wrong <= 0.05 + CHANCE * 2**0.5


def test_three_steady_sessions_prove_an_effect():
    # Alone, with two degrees of freedom, no comparison proves it in any run.
    assert power_over_sessions(50, 0.10, 10, 1.25, HOURS["steady"]) >= 0.8


@pytest.mark.parametrize("noise", UNEVEN)
def test_intervals_of_uneven_forks_contain_the_truth(noise):
    assert coverage(2000, *UNEVEN[noise]) >= 0.93


@pytest.mark.parametrize("verdict", [REPRODUCED, CONTRADICTED])
@pytest.mark.parametrize("noise", UNEVEN)
def test_wrong_verdicts_stay_rare_with_uneven_forks_and_a_second_look(verdict, noise):
    draw, spread, _ = UNEVEN[noise]
    assert wrongly_in_looks(verdict, REPEATS // 2, draw, spread, (5, 10)) <= 0.05


def require_calibrated(verdict, noise, spread, forks):
    assert wrongly(verdict, REPEATS, NOISES[noise], spread, forks) <= 0.05 + CHANCE


@pytest.mark.parametrize("verdict", [REPRODUCED, CONTRADICTED])
def test_wrong_verdicts_stay_rare_with_up_to_eleven_consumers(verdict):
    assert (
        wrongly(verdict, 60, NOISES["skewed"], 0.15, 5, MANY_CORES)
        <= 0.05 + 3 * (0.05 * 0.95 / 60) ** 0.5
    )


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("noise", NOISES)
def test_intervals_contain_the_truth(noise, spread):
    require_coverage(noise, spread, FORKS[0])


def require_coverage(noise, spread, forks):
    assert coverage(2000, NOISES[noise], spread, forks) >= 0.93 - 3 * (0.05 * 0.95 / 2000) ** 0.5


def test_five_forks_with_a_spread_of_five_percent_prove_a_ratio_of_125_but_not_105():
    assert power(200, 0.05, 5, 1.25) > 0.9
    assert power(200, 0.05, 5, 1.05) < 0.3


def test_a_contrast_of_two_cells_is_welchs_t_interval():
    random = np.random.default_rng(1)
    a, b = np.exp(random.normal(0.3, 0.1, 7)), np.exp(random.normal(0, 0.02, 5))
    middle, bounds = compute_ratio(*(pd.DataFrame({"ns_per_event": values}) for values in (a, b)))
    estimate = estimate_contrast([Term(1.0, np.log(a)), Term(-1.0, np.log(b))])
    assert estimate.ratio == pytest.approx(middle)
    assert estimate.interval(0.95) == pytest.approx(bounds)


def test_p_values_agree_with_the_interval():
    estimate = Estimate(0.1, 0.02, 8.0, 5)
    low, high = estimate.interval(0.90)
    assert estimate.p_above(low) == pytest.approx(0.05)
    assert estimate.p_below(high) == pytest.approx(0.05)
    assert estimate.p_above(0) == 0.0


def test_forks_without_spread_leave_no_uncertainty():
    estimate = estimate_contrast([Term(1.0, np.log([2.0] * 5)), Term(-1.0, np.log([1.0] * 5))])
    assert estimate.interval() == (2.0, 2.0)
    assert estimate.p_above(1.5) == 0.0 and estimate.p_above(2.5) == 1.0


def test_the_holm_adjustment_matches_its_definition():
    assert adjust_holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert adjust_holm([]) == []


def test_p_values_of_at_least_k_cases_are_combined():
    assert combine_p_values([0.01, 0.2, 0.03], 3) == 0.2
    assert combine_p_values([0.01, 0.2, 0.03], 1) == pytest.approx(0.03)
    assert combine_p_values([0.01, 0.2, 0.03], 2) == pytest.approx(0.06)


def test_the_estimated_number_of_forks_decides_and_half_of_it_does_not():
    estimate = Estimate(0.03, 0.02, 8.0, 5)
    forks = find_forks_to_decide(estimate, 1.0, 0.05)
    assert 5 < forks < 100
    # With the same spread, more forks change only the error and the degrees of freedom.
    for more, decided in ((forks, True), (forks // 2, False)):
        error, freedom = estimate.error * (5 / more) ** 0.5, estimate.freedom * more / 5
        assert (Estimate(estimate.log, error, freedom, more).p_above(1.0) <= 0.05) is decided
    assert find_forks_to_decide(Estimate(1e-6, 0.1, 8.0, 5), 1.0, 0.05) is None
