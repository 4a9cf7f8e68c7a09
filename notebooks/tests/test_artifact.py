"""The shares of a run's time, and the picture of its verdicts."""

import pandas as pd
import pytest

from handoff.claims import figure
from handoff.draw.marks import format_ns
from handoff.report import overview


def test_the_time_of_a_repeated_fork_is_in_the_whole():
    fork = {"point": "p", "fork": 0, "warmup": False, "warmup_ns": None, "wall_ns": 1e9}
    shots = pd.DataFrame([fork | {"again": again, "seconds": 2.0} for again in (0, 1)])
    assert overview.divide_time(shots).tolist() == [50.0, 0.0, 50.0]


def test_a_claim_is_quoted_once_and_on_at_most_three_lines():
    long = "With one sort an event, the blocking queue takes longer than one thread alone " * 3
    table = pd.DataFrame(
        {"claim": ["P1", "P1", "P2"], "says": [long, long, "Short"], "unit": ["", "", "ns"]}
    )
    first, second, third = figure.list_labels(table)
    assert first.startswith("P1  With one sort") and first.count("\n") == 2 and first.endswith("…")
    assert max(map(len, first.split("\n"))) <= figure.LABEL_CHARACTERS
    assert (second, third) == ("", "P2  Short\n[ns]")


@pytest.mark.parametrize(
    ("ns", "text"),
    [(200, "200 ns"), (50_000, "50 µs"), (5e6, "5 ms"), (2e9, "2 s"), (0.5, "0.5 ns")],
)
def test_times_are_formatted_in_a_readable_unit(ns, text):
    assert format_ns(ns) == text
