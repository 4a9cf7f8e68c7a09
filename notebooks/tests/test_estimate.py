"""Estimate from hops: its two terms, and where it is drawn; its accuracy is not tested."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from handoff.studies.scaling import paper
from handoff.studies.scaling.estimate import CALL_NS, POOL, STRIPED, estimate_ns, tabulate_estimates
from handoff.studies.scaling.paper_figures import ESTIMATE, draw_ratios


@pytest.mark.parametrize(
    ("mechanism", "n", "work", "ns"),
    [
        (POOL, 1, 996, 1000),
        (POOL, 2, 896, 500),
        (POOL, 10, 896, 100),
        (POOL, 11, 96, 100),
        (STRIPED, 1, 996, 1000),
        (STRIPED, 10, 960, 100),
        (STRIPED, 10, 60, 10),
        (STRIPED, 10, 30, 70),
    ],
)
def test_work_is_shared_until_the_floor(mechanism, n, work, ns):
    """Check with hops of 50 ns, 70 for the farthest, and 5 ns to make an event."""
    assert estimate_ns(mechanism, n, work, making=5, hop=50, far=70) == ns


def make_forks(hop):
    """Return forks of one thread alone, of a pool of one, and of a pool of two on shared cores."""
    columns = ["mechanism", "consumers", "oversubscribed", "ns_per_event", "hop_near_ns"]
    rows = [
        ("SEQUENTIAL", 1, False, 105.0, None),
        (POOL, 1, False, 110.0, hop),
        (POOL, 2, True, 300.0, None),
    ]
    fixed = {"sorts": 1, "ns_per_event_created": 5.0, "sockets": 1, "kinds": 1, "caches": 1}
    forks = pd.DataFrame(rows, columns=columns).assign(cpu_process=1.5, **fixed)
    return forks.assign(hop_near_ns=forks["hop_near_ns"].astype(float)).assign(
        hop_far_ns=lambda table: table["hop_near_ns"]
    )


def test_hops_of_the_largest_point_with_a_core_per_thread_serve_for_larger_ones():
    table = tabulate_estimates(make_forks(30.0)).set_index("consumers")
    assert list(table.index) == list(range(1, 12)) and table.loc[1, "measured"] == 110
    assert table.loc[1, "estimate"] == 100 + CALL_NS and table.loc[2, "estimate"] == 82
    assert table.loc[11, "estimate"] == 60 and table["measured"].count() == 1


def test_a_point_without_one_of_its_hops_has_no_estimate():
    assert tabulate_estimates(make_forks(30.0).assign(hop_far_ns=float("nan"))).empty


@pytest.mark.parametrize(("hop", "lines"), [(30.0, 1), (None, 0)])
def test_the_estimate_is_drawn_only_where_hops_were_timed(hop, lines):
    figure = draw_ratios(make_forks(hop))
    estimates = [line for line in figure.axes[0].lines if line.get_label() == ESTIMATE]
    plt.close(figure)
    assert len(estimates) == lines


def test_the_paper_has_no_estimate_without_forks():
    assert paper.summarize_estimates(pd.DataFrame()) is None
