"""The shares of a run's time, and times in words."""

import pandas as pd
import pytest

from handoff.draw.marks import format_ns
from handoff.report import overview


def test_the_time_of_a_repeated_fork_is_in_the_whole():
    fork = {"point": "p", "fork": 0, "warmup": False, "warmup_ns": None, "wall_ns": 1e9}
    shots = pd.DataFrame([fork | {"again": again, "seconds": 2.0} for again in (0, 1)])
    assert overview.divide_time(shots).tolist() == [50.0, 0.0, 50.0]


@pytest.mark.parametrize(
    ("ns", "text"),
    [(200, "200 ns"), (50_000, "50 µs"), (5e6, "5 ms"), (2e9, "2 s"), (0.5, "0.5 ns")],
)
def test_times_are_formatted_in_a_readable_unit(ns, text):
    assert format_ns(ns) == text
