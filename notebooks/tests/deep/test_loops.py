"""The harness costs no more than it says, measured next to loops written by hand."""

import os

import pytest

from handoff.report.harness import BY_HAND, HARNESS, LIMIT, compare_loops
from tests.deep import loops


@pytest.fixture(scope="module")
def times(java):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two CPUs")
    return loops.measure_loops(java, loops.FORKS)


@pytest.mark.parametrize("mechanism", loops.MECHANISMS)
def test_an_event_costs_at_most_what_the_harness_may_add(times, mechanism):
    """A ratio, and no time, is asserted: its whole interval must lie beyond to fail."""
    by_way = times[mechanism]
    made = compare_loops(by_way[HARNESS], by_way[BY_HAND])
    low, high = made.interval()
    print(f"{mechanism}: {by_way}: {made.ratio:.3f} [{low:.3f} to {high:.3f}]")
    assert low <= LIMIT
