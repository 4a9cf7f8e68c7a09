"""Calibration of the verdicts in every world for which at most 5 % of tables may be wrong."""

import pytest

from tests import test_calibration
from tests.calibration import NOISES, PROMISED
from tests.test_calibration import UNEVEN, VERDICTS


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("noise", NOISES)
def test_a_table_rarely_has_a_wrong_verdict(verdict, noise):
    test_calibration.test_a_table_rarely_has_a_wrong_verdict(verdict, noise)


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("hours", PROMISED)
def test_wrong_verdicts_stay_rare_when_sessions_differ(verdict, hours):
    test_calibration.test_wrong_verdicts_stay_rare_when_sessions_differ(verdict, hours)


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("noise", UNEVEN)
def test_wrong_verdicts_stay_rare_with_uneven_forks_and_a_second_look(verdict, noise):
    test_calibration.test_wrong_verdicts_stay_rare_with_uneven_forks_and_a_second_look(
        verdict, noise
    )
