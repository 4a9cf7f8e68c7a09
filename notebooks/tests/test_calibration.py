"""The engine on simulated forks with a known truth.

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
"""What so few repeats may be off by."""


EFFECTS = [(REPRODUCED, 0.05), (REPRODUCED, 0.15), (CONTRADICTED, 0.05)]
"""What a claim would be, and the spread of forks; with more forks: the deep tests."""


@pytest.mark.parametrize(("verdict", "spread"), EFFECTS)
@pytest.mark.parametrize("noise", NOISES)
def test_a_table_rarely_has_a_wrong_verdict(verdict, noise, spread):
    require_calibrated(verdict, noise, spread, FORKS[0])


UNEVEN = {
    **{name: (noise, 0.05, 7) for name, noise in RARE.items()},
    **{name: (noise, 1.0, 5) for name, noise in AS_SHIPPED.items()},
}
"""Noise, spread and forks: slow forks that are rare beside a steady baseline, and forks that vary
as those of the shipped runs do.
"""


@pytest.mark.parametrize("verdict", [REPRODUCED, CONTRADICTED])
@pytest.mark.parametrize("hours", ["each point 3 %", "the queue's points 15 %", "one point 10 %"])
def test_nor_where_points_have_good_and_bad_hours(verdict, hours):
    wrong = wrongly_over_sessions(verdict, REPEATS // 2, NOISES["normal"], 0.10, 5, HOURS[hours])
    assert wrong <= 0.05 + CHANCE * 2**0.5


def test_three_steady_sessions_prove_an_effect():
    # Each comparison alone, with two degrees of freedom, proves it in none.
    assert power_over_sessions(50, 0.10, 10, 1.25, HOURS["steady"]) >= 0.8


@pytest.mark.parametrize("noise", UNEVEN)
def test_intervals_of_uneven_forks_hold_the_truth(noise):
    assert coverage(2000, *UNEVEN[noise]) >= 0.93


@pytest.mark.parametrize("verdict", [REPRODUCED, CONTRADICTED])
@pytest.mark.parametrize("noise", UNEVEN)
def test_nor_where_forks_vary_unevenly_and_undecided_claims_get_more_of_them(verdict, noise):
    own, spread, _ = UNEVEN[noise]
    assert wrongly_in_looks(verdict, REPEATS // 2, own, spread, (5, 10)) <= 0.05


def require_calibrated(verdict, noise, spread, forks):
    assert wrongly(verdict, REPEATS, NOISES[noise], spread, forks) <= 0.05 + CHANCE


@pytest.mark.parametrize("verdict", [REPRODUCED, CONTRADICTED])
def test_nor_where_each_claim_must_hold_with_up_to_eleven_consumers(verdict):
    assert (
        wrongly(verdict, 60, NOISES["skewed"], 0.15, 5, MANY_CORES)
        <= 0.05 + 3 * (0.05 * 0.95 / 60) ** 0.5
    )


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("noise", NOISES)
def test_intervals_hold_the_truth(noise, spread):
    require_coverage(noise, spread, FORKS[0])


def require_coverage(noise, spread, forks):
    assert coverage(2000, NOISES[noise], spread, forks) >= 0.93 - 3 * (0.05 * 0.95 / 2000) ** 0.5


def test_five_forks_with_a_spread_of_five_percent_prove_a_ratio_of_about_120_and_no_less():
    assert power(200, 0.05, 5, 1.25) > 0.9
    assert power(200, 0.05, 5, 1.05) < 0.3


def test_a_contrast_of_two_cells_is_welchs_t_interval():
    random = np.random.default_rng(1)
    a, b = np.exp(random.normal(0.3, 0.1, 7)), np.exp(random.normal(0, 0.02, 5))
    middle, bounds = compute_ratio(*(pd.DataFrame({"ns_per_event": own}) for own in (a, b)))
    found = estimate_contrast([Term(1.0, np.log(a)), Term(-1.0, np.log(b))])
    assert found.ratio == pytest.approx(middle) and found.interval(0.95) == pytest.approx(bounds)


def test_p_values_agree_with_the_interval():
    found = Estimate(0.1, 0.02, 8.0, 5)
    low, high = found.interval(0.90)
    assert found.p_above(low) == pytest.approx(0.05) and found.p_below(high) == pytest.approx(0.05)
    assert found.p_above(0) == 0.0


def test_forks_without_any_spread_are_certain():
    found = estimate_contrast([Term(1.0, np.log([2.0] * 5)), Term(-1.0, np.log([1.0] * 5))])
    assert (
        found.interval() == (2.0, 2.0) and found.p_above(1.5) == 0.0 and found.p_above(2.5) == 1.0
    )


def test_holm_is_that_of_its_definition():
    assert adjust_holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert adjust_holm([]) == []


def test_at_least_so_many_cases():
    assert combine_p_values([0.01, 0.2, 0.03], 3) == 0.2
    assert combine_p_values([0.01, 0.2, 0.03], 1) == pytest.approx(0.03)
    assert combine_p_values([0.01, 0.2, 0.03], 2) == pytest.approx(0.06)


def test_the_forks_that_would_decide_do_decide():
    found = Estimate(0.03, 0.02, 8.0, 5)
    forks = find_forks_to_decide(found, 1.0, 0.05)
    assert 5 < forks < 100
    # The same spread with so many forks: tile keeps it but for the degrees of freedom.
    for more, decided in ((forks, True), (forks // 2, False)):
        error, freedom = found.error * (5 / more) ** 0.5, found.freedom * more / 5
        assert (Estimate(found.log, error, freedom, more).p_above(1.0) <= 0.05) is decided
    assert find_forks_to_decide(Estimate(1e-6, 0.1, 8.0, 5), 1.0, 0.05) is None
