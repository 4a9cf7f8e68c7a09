"""Statistics on forks, checked against values computed by hand or by another formula."""

import pandas as pd
import pytest

from handoff.analysis.forks import compute_fork_means
from handoff.report import overview


def shots(**columns) -> pd.DataFrame:
    """Return three shots of one fork; the first is a warm-up."""
    zero = "fork user_ns sys_ns workers_ns gc_ns voluntary involuntary compiler_ns cpu_producer"
    base = {
        "study": "scaling",
        "point": "p",
        "shot": [0, 1, 2],
        "warmup": [True, False, False],
        "counted": [False, True, True],
        "events": 10,
        "too_short": False,
        "wall_ns": 1,
        "ns_per_event": 1.0,
    }
    return pd.DataFrame(base | dict.fromkeys(zero.split(), 0) | columns)


def test_warm_up_shots_are_excluded_and_one_shot_below_the_limit_marks_the_fork():
    rows = shots(ns_per_event=[900.0, 10.0, 20.0], too_short=[False, False, True])
    (fork,) = compute_fork_means(rows).itertuples()
    assert fork.ns_per_event == 15 and fork.too_short


def test_cpu_usage_is_summed_cpu_time_over_summed_wall_time():
    rows = shots(
        wall_ns=[1, 100, 300],
        user_ns=[1, 100, 100],
        sys_ns=[0, 0, 200],
        workers_ns=[0, 80, 200],
        cpu_producer=[9.0, 1.0, 0.2],
    )
    (fork,) = compute_fork_means(rows).itertuples()
    # 400 of 400; the mean of the shots' ratios would be 1 only by chance. Workers: 280 of 400.
    assert (fork.cpu_process, fork.cpu_workers, fork.cpu_rest) == pytest.approx((1, 0.7, 0.3))
    # 1.0 core for 100 ns and 0.2 for 300.
    assert fork.cpu_producer == pytest.approx(160 / 400)


def test_a_fork_has_the_greatest_latency_of_its_shots_and_else_their_median():
    hops = {f"hop_{name}": [5.0, 9.0, 4.0] for name in ("max", "min", "mean")}
    rows = shots(study="latency", warmup=False, counted=True, **hops)
    (fork,) = compute_fork_means(rows).itertuples()
    assert (fork.hop_max, fork.hop_min, fork.hop_mean) == (9, 4, 5)


def test_the_time_of_a_repeated_fork_is_in_the_whole():
    fork = {"point": "p", "fork": 0, "warmup": False, "warmup_ns": None, "wall_ns": 1e9}
    rows = pd.DataFrame([fork | {"again": again, "seconds": 2.0} for again in (0, 1)])
    assert overview.divide_time(rows).tolist() == [50.0, 0.0, 50.0]
