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


LONG = "With one sort an event, the blocking queue takes longer than one thread alone " * 3
ROW = {
    "claim": "P1",
    "reading": "",
    "says": LONG,
    "unit": "",
    "compared": "time, blocking queue ÷ disruptor (pool) release 3.4.4",
    "at": "1 consumer",
    "verdict": "reproduced",
    "words": "reproduced at 1 of 11 points",
    "ours": 2.0,
    "low": 1.5,
    "high": 2.5,
    "claimed_low": 1.0,
    "claimed_high": float("inf"),
    "theirs_numbers": {},
    "readings": [{}],
}


@pytest.fixture
def verdicts() -> pd.DataFrame:
    """Return verdicts on three claims: two readings, one that cannot be judged, a level."""
    other = {"reading": "another", "verdict": "contradicted", "ours": 0.5, "low": 0.4, "high": 0.6}
    both = {"readings": [{}, other]}
    missing = {"claim": "P2", "verdict": "not testable here", "ours": None, "low": None}
    level = {"claim": "P3", "says": "Short.", "unit": "cores", "compared": "CPU", "at": ""}
    return pd.DataFrame([ROW | both, ROW | missing, ROW | level])


def test_the_picture_of_claims_counts_each_once_and_names_the_others_in_a_line(verdicts):
    words = figure.write_words("scaling", verdicts, "note")
    counts = "3 claims: 2 reproduced, 1 not testable here"
    assert words.title == f"Scaling, {counts}"
    assert words.caption.endswith("Not testable here: P2.")
    assert "P1: 2.00 [1.50 to 2.50], reproduced at 1 of 11 points" in words.alt


@pytest.mark.parametrize(
    ("ns", "text"),
    [(200, "200 ns"), (50_000, "50 µs"), (5e6, "5 ms"), (2e9, "2 s"), (0.5, "0.5 ns")],
)
def test_times_are_formatted_in_a_readable_unit(ns, text):
    assert format_ns(ns) == text
