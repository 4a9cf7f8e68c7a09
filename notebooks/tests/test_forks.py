"""Statistics on forks, checked against values computed by hand or by another formula."""

import pandas as pd
import pytest

from handoff.analysis.forks import compute_fork_means
from handoff.catalog import load_catalog
from handoff.report import overview


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
        "counted": [False, True, True],
        "compiler_ns": 0,
        "cpu_producer": 0.0,
    }
    return pd.DataFrame(base | zero | columns)


def test_warm_up_shots_are_excluded_and_one_shot_below_the_limit_marks_the_fork():
    (fork,) = compute_fork_means(
        shots(ns_per_event=[900.0, 10.0, 20.0], wall_ns=[9000, 100, 200])
    ).itertuples()
    assert fork.ns_per_event == 15
    (fork,) = compute_fork_means(
        shots(ns_per_event=1.0, wall_ns=1, too_short=[False, False, True])
    ).itertuples()
    assert fork.too_short


def test_cpu_usage_is_summed_cpu_time_over_summed_wall_time():
    columns = {
        "ns_per_event": 1.0,
        "wall_ns": [1, 100, 300],
        "user_ns": [1, 100, 100],
        "sys_ns": [0, 0, 200],
        "workers_ns": [0, 80, 200],
        "cpu_producer": [9.0, 1.0, 0.2],
    }
    (fork,) = compute_fork_means(shots(**columns)).itertuples()
    # 400 of 400; the mean of the shots' ratios would be 1 only by chance. Workers: 280 of 400.
    assert (fork.cpu_process, fork.cpu_workers, fork.cpu_rest) == pytest.approx((1, 0.7, 0.3))
    # 1.0 core for 100 ns and 0.2 for 300.
    assert fork.cpu_producer == pytest.approx(160 / 400)


def test_a_fork_has_the_greatest_latency_of_its_shots_and_else_their_median():
    hops = {f"hop_{name}": [5.0, 9.0, 4.0] for name in ("max", "min", "mean")}
    rows = shots(study="latency", warmup=False, counted=True, ns_per_event=1.0, wall_ns=1, **hops)
    (fork,) = compute_fork_means(rows).itertuples()
    assert (fork.hop_max, fork.hop_min, fork.hop_mean) == (9, 4, 5)
    assert "hop_max" in load_catalog()["latency"].measures


def test_the_time_of_a_repeated_fork_is_in_the_whole():
    fork = {"point": "p", "fork": 0, "warmup": False, "warmup_ns": None, "wall_ns": 1e9}
    rows = pd.DataFrame([fork | {"again": again, "seconds": 2.0} for again in (0, 1)])
    assert overview.divide_time(rows).tolist() == [50.0, 0.0, 50.0]
