"""Statistics on forks, checked against values computed by hand or by another formula."""

import numpy as np
import pandas as pd
import pytest

from handoff.analysis.forks import compute_fork_means, compute_interval, compute_ratio
from handoff.studies.scaling.numbers import tabulate_threads


def make_forks(values) -> pd.DataFrame:
    """Return forks with these nanoseconds per event."""
    return pd.DataFrame({"ns_per_event": np.asarray(values, float)})


def test_the_interval_is_the_t_interval_of_fork_values():
    # Mean 3, SD 1.5811, t(0.975, 4) = 2.7764: half width 1.9632.
    low, high = compute_interval(np.array([1, 2, 3, 4, 5]))
    assert (low, high) == pytest.approx((1.0368, 4.9632), abs=1e-4)


def test_fewer_than_three_forks_give_no_interval():
    assert compute_interval(np.array([1.0, 2.0])) is None
    assert compute_ratio(make_forks([1, 2]), make_forks([1, 2, 3]))[1] is None


def test_the_ratio_is_symmetric_and_uses_geometric_means():
    top, bottom = make_forks([2, 8, 4]), make_forks([1, 2, 4])
    middle, (low, high) = compute_ratio(top, bottom)
    assert middle == pytest.approx(2)
    back, (back_low, back_high) = compute_ratio(bottom, top)
    assert (back, back_low, back_high) == pytest.approx((1 / middle, 1 / high, 1 / low))


def test_the_interval_of_a_ratio_has_its_nominal_coverage():
    generator = np.random.default_rng(1)
    hits = 0
    for _ in range(1000):
        top, bottom = generator.normal(np.log(1.3), 0.05, 5), generator.normal(0, 0.05, 5)
        low, high = compute_ratio(make_forks(np.exp(top)), make_forks(np.exp(bottom)))[1]
        hits += low <= 1.3 <= high
    assert 0.93 <= hits / 1000 <= 0.98


def shots(**columns) -> pd.DataFrame:
    """Return three shots of one fork; the first is a warm-up."""
    zero = dict.fromkeys(
        ["user_ns", "sys_ns", "workers_ns", "gc_ns", "voluntary", "involuntary"], 0
    )
    base = {
        "study": "scaling",
        "point": "p",
        "fork": 0,
        "shot": [0, 1, 2],
        "warmup": [True, False, False],
        "events": 10,
        "too_short": False,
        "counted": True,
        "compiler_ns": 0,
        "cpu_producer": 0.0,
    }
    return pd.DataFrame(base | zero | columns)


def test_warm_up_shots_are_excluded_from_means():
    (fork,) = compute_fork_means(
        shots(ns_per_event=[900.0, 10.0, 20.0], wall_ns=[9000, 100, 200])
    ).itertuples()
    assert fork.ns_per_event == 15


def test_cpu_usage_is_summed_cpu_time_over_summed_wall_time():
    columns = {
        "ns_per_event": 1.0,
        "wall_ns": [1, 100, 300],
        "user_ns": [1, 100, 100],
        "sys_ns": [0, 0, 200],
        "workers_ns": [0, 80, 200],
    }
    (fork,) = compute_fork_means(shots(**columns)).itertuples()
    # 400 of 400; the mean of the shots' ratios would be 1 only by chance. Workers: 280 of 400.
    assert (fork.cpu_process, fork.cpu_workers, fork.cpu_rest) == pytest.approx((1, 0.7, 0.3))


def test_the_usage_of_threads_is_weighted_by_wall_time():
    # 1.0 core for 100 ns and 0.2 for 300: (100 + 60) / 400.
    columns = {
        "sorts": 1,
        "mechanism": "SEQUENTIAL",
        "consumers": 1,
        "cpu_rest": 0.0,
        "cpu_process": [9, 1.0, 0.2],
    }
    table = tabulate_threads(
        shots(ns_per_event=1.0, wall_ns=[1, 100, 300], **columns).assign(
            cpu_producer=[9, 1.0, 0.2], cpu_workers=[9, 1.0, 0.2], path_threads=1
        ),
        shots(),
    )
    assert table["producer"].tolist() == [0.4] and table["consumer"].isna().all()


def test_one_shot_below_the_limit_marks_the_fork():
    (fork,) = compute_fork_means(
        shots(ns_per_event=1.0, wall_ns=1, too_short=[False, False, True])
    ).itertuples()
    assert fork.too_short
