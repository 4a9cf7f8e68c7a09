"""Verdicts: on runs whose truth is known because they are made up, and on the shipped one."""

import pandas as pd
import pytest

from handoff import tidy
from handoff.judge import results
from handoff.judge.forks import fork_means
from handoff.judge.verdicts import CONTRADICTED, DIRECTION, INCONCLUSIVE, NOT_MEASURED, NOT_TESTABLE, REPRODUCED

from . import synthetic

P = [f"P{number}" for number in range(1, 14)]
ORDERINGS = ["P1", "P2", "P3", "P4", "P7", "P8", "P9", "P10", "P13"]


@pytest.fixture(scope="module")
def verdicts_of(tmp_path_factory, golden_file):
    """Every verdict on a made-up run of 12 cores and two nodes that behaves in a given way."""
    made: dict[str, pd.DataFrame] = {}

    def verdicts(name: str) -> pd.DataFrame:
        if name not in made:
            run = synthetic.make(tmp_path_factory.mktemp(name) / "made-up", golden_file, getattr(synthetic, name))
            tidy.tidy(run)
            made[name] = results.table(run, ["scaling"])
        return made[name]

    return verdicts


def of(table: pd.DataFrame, claim: str) -> set[str]:
    return set(table.loc[table["claim"] == claim, "verdict"])


@pytest.mark.parametrize("claim", P)
def test_a_machine_that_behaves_as_the_paper_says_reproduces_it(verdicts_of, claim):
    assert of(verdicts_of("paper"), claim) == {REPRODUCED}


@pytest.mark.parametrize("claim", P)
def test_its_mirror_image_contradicts_it(verdicts_of, claim):
    assert of(verdicts_of("mirror"), claim) == {CONTRADICTED}


@pytest.mark.parametrize("claim", ORDERINGS)
def test_where_all_mechanisms_are_equal_no_order_is_found(verdicts_of, claim):
    assert of(verdicts_of("flat"), claim) == {INCONCLUSIVE}


@pytest.mark.parametrize("claim", ["P11", "P12"])
def test_where_all_mechanisms_are_equal_sameness_is_found(verdicts_of, claim):
    assert of(verdicts_of("flat"), claim) == {REPRODUCED}


def test_every_claim_is_judged_in_both_readings_of_the_disruptor(verdicts_of):
    table = verdicts_of("paper")
    readings = table.groupby("claim")["reading"].apply(set)
    assert readings["P3"] == {"worker pool", "striped handlers"}
    assert readings["P1"] == {""}


def test_what_hardware_counters_alone_can_tell_is_never_told_by_times(verdicts_of):
    (row,) = verdicts_of("paper").query("claim == 'P14'").itertuples()
    assert row.verdict == NOT_TESTABLE and "hardware counters" in row.reason


def test_the_reason_holds_the_numbers(verdicts_of):
    row = verdicts_of("paper").query("claim == 'P1'").iloc[0]
    assert f"{row['ours']:.2f}" in row["reason"] and "more than 1" in row["reason"] and "blocking queue ÷ sequential" in row["reason"]
    assert row["low"] < row["ours"] < row["high"] and row["coverage"] == "consumers 1–11"


def test_the_nodes_own_effect_is_shown_beside_p4(verdicts_of):
    told = verdicts_of("paper").query("claim == 'P4'")["shown"].iloc[0]
    assert "the second node alone" in told and "consumers" in told


def test_the_old_cost_is_judged_only_where_a_run_has_it(reference, tmp_path, golden_file, monkeypatch):
    old = synthetic.SWEEP["studies"]["scaling"][0] | {"sorts": [1, 15, 300, 4, 56, 1120], "consumers": [1]}
    monkeypatch.setitem(synthetic.SWEEP, "studies", {"scaling": [old]})
    monkeypatch.setattr(synthetic, "ALONE", synthetic.ALONE | {4: 1600.0, 56: 11_000.0, 1120: 220_000.0})
    run = synthetic.make(tmp_path / "old", golden_file, synthetic.flat)
    tidy.tidy(run)
    readings = set(results.table(run, ["scaling"]).query("claim == 'P11'")["reading"])
    assert readings == {who + cost for who in ("worker pool", "striped handlers") for cost in ("", ", at the old cost of a sort")}
    assert not results.table(reference, ["scaling"])["reading"].str.contains("old cost").any()


def test_the_shipped_run_judges_what_two_cores_can(reference):
    table = results.table(reference, ["scaling"])
    judged = {REPRODUCED, DIRECTION, CONTRADICTED, INCONCLUSIVE}
    for claim in ("P1", "P2", "P3", "P5", "P6", "P8", "P11", "P12", "P13"):
        rows = table[table["claim"] == claim]
        assert set(rows["verdict"]) <= judged and rows["coverage"].str.contains("1 consumer").all(), claim
        assert rows["coverage"].str.contains("all need 12 cores").all()
    for claim in ("P4", "P7", "P9", "P10", "P14"):
        rows = table[table["claim"] == claim]
        assert set(rows["verdict"]) == {NOT_TESTABLE} and rows["reason"].str.contains("Needs").all(), claim


def test_a_rehearsal_judges_nothing(reference):
    rehearsal = reference._replace(sweep=reference.sweep.model_copy(update={"verdicts": False}))
    table = results.table(rehearsal, ["scaling"])
    assert set(table["verdict"]) == {NOT_MEASURED} and table["reason"].str.contains("only proves the road").all()


def test_no_verdict_from_fewer_than_five_forks(reference, monkeypatch):
    few = fork_means(tidy.load(reference, "scaling")).query("fork < 4")
    monkeypatch.setattr(results, "fork_means", lambda shots: few)
    table = results.table(reference, ["scaling"]).query("claim == 'P1'")
    assert set(table["verdict"]) == {NOT_MEASURED} and table["reason"].str.contains("4 of the 5 forks").all()


def test_shots_that_are_too_short_are_not_judged(reference, monkeypatch):
    forks = fork_means(tidy.load(reference, "scaling"))
    monkeypatch.setattr(results, "fork_means", lambda shots: forks.assign(short_usage=True))
    verdicts = results.table(reference, ["scaling"]).groupby("claim")["verdict"].apply(set)
    assert verdicts["P6"] == {NOT_MEASURED} != verdicts["P1"]
    monkeypatch.setattr(results, "fork_means", lambda shots: forks.assign(too_short=True))
    assert results.table(reference, ["scaling"]).query("claim == 'P1'")["reason"].str.contains("hots too short").all()
