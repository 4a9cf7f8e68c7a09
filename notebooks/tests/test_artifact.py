"""Appendix and picture of the verdicts: each claim in its words, with its expected outcome."""

import pandas as pd
import pytest

from handoff.claims import figure
from handoff.draw.marks import format_ns
from handoff.report import artifact, overview


def make_verdict(claim: str, reading: str, ours: str, coverage: str = "1 of 11 points") -> dict:
    return {"claim": claim, "reading": reading, "ours": ours, "coverage": coverage}


def test_the_expected_outcome_of_a_claim_is_that_of_this_run_per_reading():
    verdicts = [
        make_verdict("P1", "", "4.1 [3.9 to 4.4]"),
        make_verdict("P3", "worker pool", "3.0 [2.5 to 3.7]"),
        make_verdict("P3", "striped handlers", "3.5 [3.1 to 3.8]"),
        make_verdict("P4", "worker pool", "", coverage=""),
    ]
    rows = {row["claim"]: row for row in artifact.list_claims(verdicts, "13 min")}
    assert rows["P1"]["expected"] == "4.1 [3.9 to 4.4]"
    assert rows["P3"]["expected"] == (
        "3.0 [2.5 to 3.7] (worker pool); 3.5 [3.1 to 3.8] (striped handlers)"
    )
    assert rows["P4"]["expected"] == "" and rows["P4"]["time"] == "13 min"
    assert rows["P14"]["command"] == "none yet" and rows["P14"]["time"] == ""


def test_the_time_of_the_papers_claims_counts_only_its_study():
    shots = pd.DataFrame(
        {
            "study": ["scaling", "scaling", "scaling", "ring"],
            "point": ["a", "a", "b", "c"],
            "fork": [0, 0, 0, 0],
            "again": [0, 0, 0, 0],
            "seconds": [60.0, 60.0, 120.0, 600.0],
        }
    )
    assert artifact.describe_time(shots) == "3 min"
    assert artifact.describe_time(shots[shots["study"] == "ring"]) == ""
    assert artifact.describe_time(pd.DataFrame()) == ""


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
