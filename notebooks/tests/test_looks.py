"""A second look gives more forks only to points of claims that they may decide."""

import json
import math
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from handoff.claims import forecast
from handoff.claims.judgings import (
    describe_judgings,
    find_plan,
    judge_run,
    list_judgings,
    list_session_starts,
)
from handoff.claims.readers import tabulate_plan
from handoff.claims.verdict_table import build_verdict_table
from handoff.claims.verdicts import EARLY, INCONCLUSIVE
from handoff.cli import measuring
from handoff.files import write_json
from handoff.run import merge, runner
from handoff.run.host import lock
from handoff.run.store.run import grant_forks, read_run

from . import synthetic
from .conftest import measured, write_meanwhile

MOST = 20


def ask_for_two_looks(run):
    forks = run.sweep.forks.model_copy(update={"most": MOST})
    return run._replace(sweep=run.sweep.model_copy(update={"forks": forks}))


@pytest.fixture
def made(synthetic_run):
    """Return a function that makes a tidied run of 12 cores with two looks."""
    return lambda behaviour: ask_for_two_looks(synthetic_run(behaviour))


def a_little_slower(queue, n, sorts, two):
    """Return a queue 5 % slower than the sequential loop: too little to prove with seven forks."""
    return (1.05, 0.9) if queue else (0.5, 0.98)


def judge(run):
    return judge_run(run, "scaling")[0]


def list_undecided(verdicts):
    return {verdict.identity for verdict in verdicts if verdict.verdict == INCONCLUSIVE}


def test_points_of_an_undecided_claim_get_as_many_forks_as_the_sweep_allows(golden, tmp_path):
    run = ask_for_two_looks(synthetic.make(tmp_path / "synthetic", golden, a_little_slower))
    look, verdicts = forecast.plan_second_look(run), judge(run)
    assert look.claims and set(look.more.values()) == {MOST}
    assert set(look.claims) | set(look.given_up) == list_undecided(verdicts)
    behind = {
        key
        for verdict in verdicts
        if verdict.verdict == INCONCLUSIVE and forecast.is_hopeful(verdict, MOST)
        for evaluation in verdict.evaluations
        for comparison in evaluation.comparisons
        for key in comparison.points
    }
    assert behind <= set(look.more) | {p.key for p in run.points if p.forks != 7}
    assert set(look.more) < {point.key for point in run.points}


def test_decided_claims_get_no_more_forks(made):
    run = made("paper")
    look, verdicts = forecast.plan_second_look(run), judge(run)
    assert set(look.claims) <= list_undecided(verdicts)
    decided = {verdict.identity for verdict in verdicts} - list_undecided(verdicts)
    assert "P1" in decided and "P1" not in look.claims


def test_a_claim_that_no_number_of_forks_decides_is_given_up(made):
    run = made("flat")
    look = forecast.plan_second_look(run)
    assert look.given_up and not set(look.claims) & set(look.given_up)
    assert set(look.given_up) <= list_undecided(judge(run))


def test_forks_that_a_look_grants_are_stored_with_the_run(fake_run, fake_java):
    run = fake_run(fake_java(), loads=2, forks=1)
    first, second = run.points
    more = grant_forks(run, {first.key: 3})
    assert [number for point, number in more.tasks() if point.key == first.key] == [0, 1, 2]
    assert [number for point, number in more.tasks() if point.key == second.key] == [0]
    assert measured(read_run(run.folder)) == [""] * 4


def test_merging_keeps_the_forks_of_a_second_look(fake_run, fake_java, tmp_path):
    into = fake_run(fake_java(), loads=2)
    measured(into)
    other = fake_run(fake_java(), loads=2, folder=tmp_path / "other" / into.folder.name)
    other = grant_forks(other, {other.points[0].key: 2})
    measured(other)
    assert merge.merge_runs(other.folder, into.folder).copied == 1
    assert read_run(into.folder).missing() == []


STARTS = [f"2026-11-{day}T00:00:00.000+00:00" for day in (21, 22, 23)]


def planned(made, sessions=1, extensions=(), asked=None):
    """Return a run with two looks that started under today's rules; `asked` has its sessions."""
    run = made("flat")
    identity = run.identity | {"looks": 2, "planned_sessions": sessions}
    return run._replace(
        identity=identity | {"extensions": list(extensions), "sessions": asked or sessions}
    )


def forks_of(sessions):
    """Return two forks of each session, thirteen hours apart."""
    started = [start.replace("T00", hour) for start in STARTS[:sessions] for hour in ("T00", "T13")]
    return pd.DataFrame(
        {"host": "", "session": np.repeat(range(sessions), 2), "started": started, "fork": 0}
    )


def levels(run, sessions):
    """Return the levels of a run whose forks are of this many sessions."""
    return {j.name: j.level for j in list_judgings(run, forks_of(sessions))}


def test_each_of_two_looks_has_half_of_the_planned_level(made):
    assert levels(planned(made), 1) == {"first look": 0.02, "second look": 0.02}


def test_what_is_added_by_decision_has_a_small_level_of_its_own(made):
    extended = {"began": "2026-11-23T12:00:00+00:00", "sweep": "s"}
    names = levels(planned(made, extensions=[extended], asked=3), 3)
    assert list(names)[2:] == ["session 2", "session 3", "extension of 2026-11-23"]
    assert list(names.values())[2:] == pytest.approx([0.005, 0.0025, 0.00125])


@pytest.mark.parametrize(("day", "by_plan"), [(24, False), (21, True)])
def test_an_extension_that_has_no_forks_or_was_planned_is_no_judging(made, day, by_plan):
    extended = {"began": f"2026-11-{day}T12:00:00+00:00", "sweep": "s", "planned": by_plan}
    assert list(levels(planned(made, extensions=[extended]), 1)) == ["first look", "second look"]


@pytest.mark.parametrize("by_plan", [False, True])
def test_rows_are_counted_by_the_plan_before_the_judging(made, by_plan):
    extended = {"began": STARTS[1], "sweep": "s", "planned": by_plan}
    run = planned(made, extensions=[extended])
    (run.folder / "plan.json").rename(run.folder / "plan-2.json")
    write_json(run.folder / "plan.json", [run.points[0].model_dump(mode="json")])
    judgings = list_judgings(run, forks_of(3))
    counts = {j.name: len(find_plan(run, "scaling", j).points) for j in judgings}
    every = len(run.points)
    if by_plan:
        assert counts == {"first look": 1, "second look": every}
    else:
        assert counts == {"first look": 1, "second look": 1, "extension of 2026-11-22": every}


def test_a_plan_that_an_earlier_merge_did_not_write_is_the_next_one(made):
    extensions = [{"began": start, "sweep": "s"} for start in STARTS]
    run = planned(made, extensions=extensions)
    write_json(run.folder / "plan-3.json", [run.points[0].model_dump(mode="json")])
    assert [len(run.as_planned(n).points) for n in (1, 2)] == [1, 1] and run.as_planned(3) is run


def test_a_pause_is_no_judging(made):
    run = planned(made)
    assert list(levels(run, 2)) == ["first look", "second look"]
    twice = run._replace(identity=run.identity | {"sessions": 2})
    assert list(levels(twice, 3)) == ["first look", "second look", "session 2"]


def test_the_nodes_of_a_cluster_are_no_sessions_of_the_run():
    hosts = {"host": ["a", "a", "b", "b"], "session": [1, 2, 3, 4]}
    forks = pd.DataFrame(hosts | {"started": ["t1", "t3", "t2", "t4"]})
    assert list_session_starts(forks) == ["t1", "t3"]


def test_a_judging_before_a_studys_first_fork_leaves_no_rows(made):
    run = planned(made)
    early = {"began": "2000-01-01T00:00:00+00:00", "sweep": "s"}
    extended = run._replace(identity=run.identity | {"extensions": [early]})
    rows, others = ({(v.identity, v.reading) for v in judge(each)} for each in (run, extended))
    assert rows == others


def test_before_the_last_planned_session_nothing_is_judged(made):
    run = planned(made, sessions=3)
    assert levels(run, 2) == {} and levels(run, 3) == {"3 sessions": 0.04}


def test_before_the_last_planned_session_rows_say_so_instead_of_a_verdict(made):
    table = build_verdict_table(planned(made, sessions=3, asked=1), ["scaling"])
    early = table[table["verdict"] == EARLY]
    assert len(early) and set(early["reason"]) == {"Session 1 of 3: judged after the last."}
    assert early["forks_needed"].isna().all() and early["low"].notna().all()


def test_the_plan_of_several_sessions_has_the_forks_of_all(made):
    run = planned(made)
    thrice = run._replace(identity=run.identity | {"planned_sessions": 3})
    one, three = (len(tabulate_plan(each, "scaling")) for each in (run, thrice))
    assert three == 3 * one > 0


def test_the_last_planned_session_is_judged_when_it_is_complete(made):
    table = build_verdict_table(planned(made, sessions=3), ["scaling"])
    early = table[table["verdict"] == EARLY]
    assert len(early) and set(early["reason"]) == {"Session 3 of 3: not complete."}


def test_a_run_that_ended_early_after_one_session_is_judged_once(made):
    run = planned(made)
    ended = run._replace(identity=run.identity | {"ended_early": "2026-11-22T00:00:00+00:00"})
    assert levels(ended, 1) == {"1 session": 0.04}
    (words,) = describe_judgings(ended)
    assert words.endswith("share an error of 4%. The run was ended early, on 2026-11-22.")


def test_a_later_session_would_have_the_next_level(made):
    _, look, session = list_judgings(planned(made, asked=2), forks_of(2))
    levels = look.following, session.level, session.following
    assert levels == pytest.approx((0.005, 0.005, 0.0025))


def test_a_run_of_earlier_rules_is_judged_once(made):
    assert levels(made("flat"), 3) == {"all forks": 0.04}


def test_a_look_sees_the_forks_that_there_were(made):
    forks = pd.DataFrame({"fork": [0, 6, 7], "started": STARTS})
    first, second = list_judgings(planned(made), forks_of(1))
    assert first.select(forks)["fork"].tolist() == [0, 6]
    assert second.select(forks)["fork"].tolist() == [0, 6, 7]


def test_no_fork_starts_that_would_end_after_the_deadline(fake_run, fake_java):
    run = fake_run(fake_java(), loads=3)
    assert list(runner.measure_run(run, deadline=time.time() - 1)) == []
    assert len(run.missing()) == 3
    assert measured(run, deadline=time.time() + 3600) == [""] * 3


def test_forks_of_a_second_look_that_the_budget_cut_are_not_granted(fake_run, fake_java):
    run = fake_run(fake_java(), loads=2, forks=1)
    first, second = run.points
    run = grant_forks(run, {first.key: 4, second.key: 4})
    measured(run)
    for point, numbers in ((first, (2, 3)), (second, (1,))):
        for number in numbers:
            (run.folder / "forks" / f"{point.fork_name(number)}.json").unlink()
    # A gap before the last fork stays missing: that fork may have failed.
    assert measuring.count_granted(run) == {first.key: 2, second.key: 4}


@pytest.fixture
def looked(fake_run, fake_java, monkeypatch):
    """Return a measured run of one point, which a second look gives three forks more."""
    run = fake_run(fake_java(), loads=1)
    content = json.loads(run.sweep_file.read_text())
    run.sweep_file.write_text(json.dumps(content | {"forks": {"fitting": 1, "most": 4}}))
    measured(run)
    granted = forecast.SecondLook({run.points[0].key: 4}, ["P1"], [])
    monkeypatch.setattr(forecast, "plan_second_look", lambda run: granted)
    monkeypatch.setattr(measuring, "measure_pending", lambda run, *_: measured(run))
    return read_run(run.folder)


def look_again(run, deadline=math.inf, hold=lock.hold_lock):
    """Take a second look at a run, and load it again."""
    measuring.look_again(run, deadline, SimpleNamespace(hold=hold))
    return read_run(run.folder)


def test_a_second_look_keeps_what_another_runner_wrote_meanwhile(looked):
    run = look_again(looked, hold=write_meanwhile(looked))
    assert (run.sessions, len(run.tasks()), run.missing()) == (2, 8, [])


def test_a_look_without_time_for_a_fork_is_still_to_come(looked, capsys):
    assert "more" not in look_again(looked, time.time() + 5).identity
    assert "The budget is used up before the second look" in capsys.readouterr().out
    assert len(look_again(looked).tasks()) == 4


def test_a_run_that_is_judged_after_several_sessions_has_no_second_look(looked):
    planned = looked._replace(identity=looked.identity | {"planned_sessions": 3})
    assert "more" not in look_again(planned).identity
