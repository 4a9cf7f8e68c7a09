"""Warm-up: change points of series whose truth is known, and no statement on few shots."""

import numpy as np
import pandas as pd
import pytest

from handoff.analysis import warm_up
from handoff.studies.scaling import steadiness


def series(*levels, noise=0.01, seed=1):
    """Return shots at these pairs of length and level, with lognormal noise."""
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
        (((24, 10), (6, 14)), None),
    ],
)
def test_the_first_steady_shot_is_found_also_off_multiples_of_five(levels, first, seed):
    assert warm_up.find_steady_start(series(*levels, seed=seed)) == first


def shots(count):
    times = series((4, 30), (count - 4, 10))
    rows = pd.DataFrame({"shot": range(count), "ns_per_event": times, "wall_ns": times * 1e6})
    point = {"mechanism": "SEQUENTIAL", "sorts": 1, "consumers": 1, "point": "p"}
    return rows.assign(**point, fork=0, again=0, counted=True, warmup=False, compiler_ns=None)


def test_steadiness_is_reported_from_thirty_shots_on():
    forks = steadiness.tabulate_forks(shots(8))
    sentence = "Steadiness: too few shots to tell (a fork has 8; 30 are needed)."
    assert steadiness.describe_steadiness(forks) == sentence
    assert steadiness.tabulate_steadiness(forks).empty
    forks = steadiness.tabulate_forks(shots(30))
    sentence = "Steadiness: 1 of 1 forks reach a level that lasts, the latest after 4 shots."
    assert steadiness.describe_steadiness(forks) == sentence
    (row,) = steadiness.tabulate_steadiness(forks).to_dict("records")
    # The fifth shot is the first at the level; four more bring no gain.
    assert (row["steady"], row["settled after"], row["warm-up"]) == (1, 4, 9)
    assert row["bias"] == pytest.approx(0, abs=0.02)


def test_what_forks_have_in_common_is_warm_up_and_what_a_fork_has_alone_is_not():
    slow_spells = [series((4, 30), (4 + i, 10), (3, 15), (19 - i, 10), seed=i) for i in range(5)]
    assert warm_up.count_unsettled(slow_spells) == 4


def quiet(*millis):
    """Return shots of these milliseconds, with idle compilers."""
    return [ms * 1e6 for ms in millis], [0] * len(millis)


@pytest.mark.parametrize(
    ("shots", "ends"),
    [
        (quiet(90, 50, 40, 40, 40), None),
        (quiet(90, 50, 40, 41, 39, 40, 60, 10), 7),
        (quiet(100, 99, 98, 97, 96, 95, 94, 93), None),
        (quiet(40, 40, 40, 40), None),
        (quiet(40, 40, 40, 40, 40, 40), 5),
        (([40e6] * 6, [0, 0, 0, 0, 9e6, 0]), None),
        (([40e6] * 6, [0, 9e6, 0, 0, 0, 0]), 6),
        (([40e6] * 6, [None] * 6), 5),
    ],
)
def test_a_warm_up_ends_when_four_shots_bring_no_gain_and_compilers_are_idle(shots, ends):
    # WarmUpRuleTest has the same cases for the jar's rule.
    assert warm_up.count_warm_up(*shots) == ends


def test_settling_is_tabulated_per_study():
    shared = {"study": "ring", "point": "p", "counted": True, "warmup": False}
    columns = ["fork", "shot", "wall_ns", "settled", "warmup_shots", "warmup_ns"]
    shots = [
        (0, 0, 110.0, True, 5, 1e9),
        (0, 1, 100.0, True, 5, 1e9),
        (1, 0, 100.0, False, 9, 3e9),
        (1, 1, 100.0, False, 9, 3e9),
        (2, 0, 130.0, None, None, None),
        (2, 1, 100.0, None, None, None),
    ]
    rows = pd.DataFrame(shots, columns=columns).assign(**shared)
    (row,) = warm_up.tabulate_settling(rows).to_dict("records")
    counts = {"forks": 3, "warmed up": 2, "settled": 1, "shots": 7, "seconds": 2}
    assert row == {"study": "ring", **counts, "first / last": 1.1}
    assert warm_up.tabulate_settling(rows.head(0)).empty
