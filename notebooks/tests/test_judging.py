"""Judging: when claims are judged, how often, and whether other choices change a verdict."""

import pytest

from handoff.claims.readers import tabulate_plan
from handoff.claims.run_judging import count_judgings, describe_judging, explain_early
from handoff.claims.verdict_table import build_verdict_table, split_rows
from handoff.claims.verdicts import EARLY
from handoff.files import write_json


@pytest.fixture
def planned(synthetic_run):
    """Return a function that makes a tidied run of several planned sessions, `asked` so far."""
    run = synthetic_run("flat")
    return lambda sessions=1, asked=None, **identity: run._replace(
        identity=run.identity
        | {"planned_sessions": sessions, "sessions": asked or sessions, **identity}
    )


def test_before_the_last_planned_session_rows_say_so_instead_of_a_verdict(planned):
    table = build_verdict_table(planned(3, asked=1), ["scaling"])
    early = table[table["verdict"] == EARLY]
    assert len(early) and set(early["reason"]) == {"Session 1 of 3: judged after the last."}
    assert set(early["needed"]) == {""} and early["low"].notna().all()


def test_the_last_planned_session_is_judged_when_complete_and_its_plan_has_all_forks(planned):
    assert explain_early(planned(3), "scaling") == "session 3 of 3: not complete"
    assert explain_early(planned(1), "scaling") == ""
    one, three = (len(tabulate_plan(planned(n), "scaling")) for n in (1, 3))
    assert three == 3 * one > 0


def test_a_further_session_is_another_judging_and_an_early_end_is_said(planned):
    assert count_judgings(planned(1, asked=3), "scaling") == 3
    words = describe_judging(planned(1, asked=3), "scaling")
    assert words == "The claims are judged 3 times, now by all forks; they share an error of 4%."
    run = planned(1, ended_early="2026-11-22T00:00:00+00:00")
    words = describe_judging(run, "scaling")
    assert words.endswith("share an error of 4%. The run was ended early, on 2026-11-22.")


@pytest.mark.parametrize(
    ("by_plan", "first", "judgings"), [(True, 3, 1), (False, 3, 2), (False, 0, 1)]
)
def test_an_extension_judges_again_the_studies_that_had_points(planned, by_plan, first, judgings):
    """`first` is the number of points before the extension, which adds all others."""
    run = planned(extensions=[{"began": "2026-11-22", "sweep": "s", "planned": by_plan}])
    points = [point.model_dump(mode="json") for point in run.points]
    write_json(run.folder / "plan.json", points[:first])
    write_json(run.folder / "plan-2.json", points)
    assert count_judgings(run, "scaling") == judgings


def test_each_claim_has_one_row_and_other_choices_a_table_of_their_own(planned):
    tables = split_rows(build_verdict_table(planned(), ["scaling"]))
    assert tables["verdicts"]["claim"].is_unique
    readings = tables["verdict_readings"].groupby("claim", sort=False)
    literal = readings.head(1).set_index("claim")["verdict"]
    assert literal.equals(tables["verdicts"].set_index("claim")["verdict"])
    assert len(readings.get_group("P3")) == 2
