"""Warm-up: change points on series whose truth is known, and 'too few shots to tell' elsewhere."""

import numpy as np
import pandas as pd
import pytest

from handoff.analysis import change_points
from handoff.studies.scaling import steadiness


def series(*levels, noise=0.01, seed=1):
    """Shots at these (length, level)s, with lognormal noise."""
    random = np.random.default_rng(seed)
    flat = np.concatenate([np.full(length, float(level)) for length, level in levels])
    return flat * np.exp(random.normal(0, noise, len(flat)))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("levels", "first"),
    [
        (((30, 10),), 0),
        (((4, 30), (26, 10)), 4),
        (((2, 80), (3, 20), (25, 10)), 5),
        (((8, 10), (10, 10.3), (12, 10)), 0),
    ],
)
def test_the_first_steady_shot_is_found_also_off_multiples_of_five(levels, first, seed):
    assert change_points.find_steady_start(series(*levels, seed=seed)) == first


def test_a_fork_that_changes_late_is_not_steady():
    assert change_points.find_steady_start(series((24, 10), (6, 14))) is None


def shots(count):
    rows = pd.DataFrame({"shot": range(count), "ns_per_event": series((4, 30), (count - 4, 10))})
    return rows.assign(
        mechanism="SEQUENTIAL", sorts=1, consumers=1, point="p", fork=0, counted=True, warmup=False
    )


def test_with_few_shots_nothing_is_claimed():
    found = steadiness.tabulate_forks(shots(8))
    assert (
        steadiness.describe_steadiness(found)
        == "Steadiness: too few shots to tell (a fork has 8; 30 are needed)."
        and steadiness.tabulate_steadiness(found, {}).empty
    )


def test_with_thirty_it_is_said_and_held_against_the_sweeps_count():
    found = steadiness.tabulate_forks(shots(30))
    assert (
        steadiness.describe_steadiness(found)
        == "Steadiness: 1 of 1 forks reach a level that lasts, the latest after 4 shots."
    )
    (row,) = steadiness.tabulate_steadiness(found, {1: (2, 8)}).to_dict("records")
    # Two of the six shots that such a sweep measures are still at three times the level.
    assert (row["steady"], row["settled after"], row["warm-up"]) == (1, 4, 2) and row[
        "bias"
    ] == pytest.approx(2 / 3, abs=0.02)


def test_what_forks_have_in_common_is_warm_up_and_what_each_has_alone_is_not():
    slow_spells = [series((4, 30), (4 + i, 10), (3, 15), (19 - i, 10), seed=i) for i in range(5)]
    assert change_points.count_unsettled(slow_spells) == 4


def test_the_shipped_sweeps_counts_are_read_from_quick():
    published = {1: (4, 8), 15: (3, 6), 300: (2, 4)}
    assert steadiness.load_quick_counts() == published | {4: (4, 8), 56: (3, 6), 1120: (2, 4)}
