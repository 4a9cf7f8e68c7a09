"""Measuring disturbed forks again does not move a point's mean, under the real counting rule."""

from types import SimpleNamespace

import numpy as np
import pytest

from handoff.run.plan.settings import Quiet
from handoff.run.store.disturbance import Assessment, Measurement

FORKS, SPREAD = 4000, 0.15


def make_fork(number: int, again: int, stolen: float) -> SimpleNamespace:
    """Return what the assessment reads of a fork file."""
    snapshots = [
        SimpleNamespace(cpu_s={"steal": steal}, pressure_s=None, throttled={})
        for steal in (0.0, stolen)
    ]
    return SimpleNamespace(
        fork=number,
        again=again,
        seconds=1.0,
        used_s=0.0,
        before=snapshots[0],
        after=snapshots[1],
        evidence=SimpleNamespace(nsPerSort=None),
    )


def measure(flagged) -> float:
    """Return the mean logarithm of the counted measurements.

    Every flagged fork is measured again, at most once. `flagged` gets a generator and a fork's
    logarithm.
    """
    random, assessment = np.random.default_rng(7), Assessment(Quiet())
    logs: dict[Measurement, float] = {}
    for number in range(FORKS):
        for again in (0, 1):
            log = random.normal(0, SPREAD)
            is_flagged = flagged(random, log)
            logs[Measurement("p", number, again)] = log
            assessment.add(make_fork(number, again, 0.3 * is_flagged), "p", False)
            if not is_flagged:
                break
    counted = [log for measurement, log in logs.items() if assessment.counts(measurement)]
    assert len(counted) == FORKS
    return float(np.mean(counted))


def by_chance(random, log):
    """Flag as many forks as load, steal or pressure do in the shipped runs (6 to 20 %)."""
    return random.random() < 0.2


def by_exposure(random, log):
    """Flag forks in proportion to their length, since longer ones meet more disturbance."""
    return random.random() < 0.2 * np.exp(log)


ERROR = 4 * SPREAD / FORKS**0.5
"""Four standard errors of a mean."""


@pytest.mark.parametrize("flagged", [by_chance, by_exposure])
def test_repeating_flagged_forks_does_not_move_a_points_mean(flagged):
    # By exposure, slow forks are repeated a bit more often: 0.2 x SPREAD squared, half a percent.
    assert abs(measure(flagged)) < ERROR + 0.2 * SPREAD**2


def test_of_several_undisturbed_measurements_the_first_counts():
    assessment = Assessment(Quiet())
    for again, stolen in enumerate((0.3, 0.0, 0.0)):
        assessment.add(make_fork(0, again, stolen), "p", False)
    counted = [again for again in range(3) if assessment.counts(Measurement("p", 0, again))]
    assert counted == [1]
