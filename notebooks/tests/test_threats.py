"""Threats that a run shows are said, and no others."""

from types import SimpleNamespace

import pandas as pd
import pytest

from handoff.claims.verdicts import INCONCLUSIVE, REPRODUCED
from handoff.report import threats

AT_ONE = "1 consumer; consumers 2–11: oversubscribed here"


@pytest.mark.parametrize(
    ("coverages", "said"),
    [([AT_ONE, "1 consumer"], True), ([AT_ONE, "consumers 1–11"], False), ([], False)],
)
def test_one_consumer_is_a_threat_where_all_verdicts_are_about_one(coverages, said):
    answers = [{"judged": True, "coverage": coverage} for coverage in coverages]
    rows = [{"answers": answers}, {"answers": [{"judged": False, "coverage": ""}]}]
    assert bool(threats.describe_consumers(rows)) is said


def make_shots(*starts: str) -> pd.DataFrame:
    sessions = range(1, len(starts) + 1)
    return pd.DataFrame({"started": starts, "seconds": 1800.0, "session": sessions, "host": None})


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ("2026-11-26T19:00:00+00:00", "The 2 sessions lie within 16 hours."),
        ("2026-11-29T04:00:00+00:00", "The 2 sessions lie within 4 days."),
    ],
)
def test_sessions_lie_within_hours_or_days(second, words):
    assert threats.describe_hours(make_shots("2026-11-26T04:00:00+00:00", second)) == words
    assert threats.describe_hours(make_shots(second)) == ""


def describe_speed_up(low: float, cores: int = 2, verdict: str = REPRODUCED) -> str:
    cpus = [
        {"id": n, "core": n, "socket": 0, "online": True, "allowed": True} for n in range(cores)
    ]
    run = SimpleNamespace(machine={"topology": {"cpus": cpus, "quota": None}})
    row = {"claim": "R13", "verdict": verdict, "ours": 1.94, "low": low, "high": 2.25}
    return threats.describe_siblings(run, pd.DataFrame([row]))


def test_two_cpus_are_no_siblings_only_where_the_whole_interval_shows_it():
    assert "1.94 [1.68 to 2.25] times as fast" in describe_speed_up(1.68)
    assert describe_speed_up(1.45) == describe_speed_up(1.68, cores=4) == ""
    assert describe_speed_up(1.68, verdict="not measured") == ""


def test_a_stand_in_is_named_for_the_claims_that_compare_it():
    ring = pd.DataFrame({"claim": ["R1", "R2"], "verdict": INCONCLUSIVE})
    assert "actors stand in for those of January 2009 in R1;" in threats.describe_actors(ring)
    assert threats.describe_actors(ring[1:]) == ""
