"""Verdicts on made-up runs, whose truth is known, and on the shipped run."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from handoff.analysis.forks import compute_fork_means
from handoff.claims import readers, run_judging, verdict_table
from handoff.claims.files import load_claim_files
from handoff.claims.readers import tabulate_plan
from handoff.claims.run_judging import count_judgings, describe_judging, explain_early
from handoff.claims.sentences import name_unit
from handoff.claims.verdict_table import build_verdict_table, split_rows
from handoff.claims.verdicts import (
    CONTRADICTED,
    DIRECTION,
    EARLY,
    FAILS,
    HOLDS,
    INCONCLUSIVE,
    JUDGED,
    NOT_MEASURED,
    NOT_TESTABLE,
    REPRODUCED,
    decide_verdict,
)
from handoff.files import write_json

from . import synthetic

P = [f"P{number}" for number in range(1, 14) if number != 5]
"""All that is judged; P5's results are forced."""

UNSIZED = ("P2", "P8")
"""Claims of a size, of which only the direction can be judged: the paper's load is unknown."""

ORDERINGS = ["P1", "P2", "P3", "P4", "P7", "P8", "P9", "P10", "P13"]
"""Claims that one mechanism takes longer than another; P11 and P12 are of sameness."""

DESERVED = {
    "paper": dict.fromkeys(P, REPRODUCED) | dict.fromkeys(UNSIZED, DIRECTION),
    "mirror": dict.fromkeys(P, CONTRADICTED),
    "flat": dict.fromkeys(ORDERINGS, INCONCLUSIVE) | dict.fromkeys(["P11", "P12"], REPRODUCED),
}
"""Verdicts in worlds as the paper says, the other way round, and with equal mechanisms."""


@pytest.fixture(scope="module")
def verdicts_of(synthetic_run):
    """Return verdicts on a made-up run of 12 cores and two nodes with a given behaviour."""
    return cache(lambda name: verdict_table.build_verdict_table(synthetic_run(name), ["scaling"]))


@pytest.fixture
def judge_some(synthetic_run, monkeypatch):
    """Return the verdicts of a machine as the paper says, of whose forks some are removed."""

    def judge(remove) -> pd.DataFrame:
        monkeypatch.setattr(readers, "compute_fork_means", lambda s: remove(compute_fork_means(s)))
        return verdict_table.build_verdict_table(synthetic_run("paper"), ["scaling"])

    return judge


@pytest.fixture(scope="module")
def shipped(reference) -> pd.DataFrame:
    """Return the verdicts on the shipped run."""
    return verdict_table.build_verdict_table(reference, ["scaling"])


def of(table: pd.DataFrame, claim: str) -> set[str]:
    return set(table.loc[table["claim"] == claim, "verdict"])


def first(table: pd.DataFrame, claim: str) -> pd.Series:
    """Return the claim's row of today."""
    return table[(table["claim"] == claim) & (table["setting"] == "today")].iloc[0]


@pytest.mark.parametrize(
    ("world", "claim", "verdict"),
    [(world, *row) for world, rows in DESERVED.items() for row in rows.items()],
)
def test_a_world_gets_the_verdicts_that_it_deserves(verdicts_of, world, claim, verdict):
    assert of(verdicts_of(world), claim) == {verdict}


def list_choices(table: pd.DataFrame, claim: str) -> dict[str, str]:
    """Return the verdicts of a claim of today by the way of consuming that is chosen otherwise."""
    tried = first(table, claim)["tried"]
    choices = {choice["choice"]: choice["verdict"] for choice in tried}
    return {name: word for name, word in choices.items() if not name.startswith("placement ")}


def test_each_claim_has_a_verdict_in_each_setting(verdicts_of):
    table = verdicts_of("paper")
    settings = table.groupby("claim", sort=False)["setting"].agg(list)
    assert set(map(tuple, settings)) == {("then", "today")}
    assert list(settings.index) == [f"P{number}" for number in range(1, 16)]


def test_a_setting_is_judged_by_its_own_forks(judge_some):
    """A machine on which the queue was slower then, and faster today."""

    def change(forks):
        queue = forks["mechanism"] == "ARRAY_BLOCKING_QUEUE"
        today = queue & (forks["sort"] == "TODAY")
        return forks.assign(ns_per_event=forks["ns_per_event"].mask(today, 1.0))

    rows = judge_some(change).set_index(["claim", "setting"])["verdict"]
    assert rows["P3", "then"] == REPRODUCED and rows["P3", "today"] == CONTRADICTED


def test_a_choice_is_next_to_what_is_judged_and_named_only_if_it_surely_changes_it(verdicts_of):
    table = verdicts_of("paper")
    assert list_choices(table, "P3") == {"striped handlers": REPRODUCED}
    assert list_choices(table, "P1") == {}
    assert set(table["depends"]) == {""}


@pytest.mark.parametrize(("spread", "named"), [(0.0, True), (1.0, False)])
def test_a_wider_interval_alone_is_no_change(judge_some, spread, named):
    """Striped handlers take longer than the queue, by forks that agree or that differ widely."""
    luck = np.random.default_rng(1)

    def change(forks):
        striped = (forks["mechanism"] == "DISRUPTOR_STRIPED") & (forks["sorts"] == 1)
        noise = np.exp(luck.normal(0, spread, len(forks)))
        slower = forks["ns_per_event"] * (10 if named else 1) * noise
        return forks.assign(ns_per_event=forks["ns_per_event"].mask(striped, slower))

    table = judge_some(change)
    assert list_choices(table, "P3") == {
        "striped handlers": CONTRADICTED if named else INCONCLUSIVE
    }
    row = first(table, "P3")
    assert row["depends"].startswith("contradicted with striped handlers (") is named
    assert bool(row["depends"]) is named


def test_what_is_forced_or_needs_counters_is_not_judged(verdicts_of):
    table = verdicts_of("paper")
    then, row = (r for _, r in table[table["claim"] == "P5"].iterrows())
    assert then["verdict"] == HOLDS
    assert row["verdict"] == FAILS and "; here " in row["reason"]
    assert any("holds by construction, the consumers use" in text for text in row["shown"])
    row = first(verdicts_of("paper"), "P14")
    assert row["verdict"] == NOT_TESTABLE and "hardware counters" in row["reason"]


def test_a_row_has_its_numbers_and_the_effect_of_the_second_socket(verdicts_of):
    row = first(verdicts_of("paper"), "P1")
    for words in (f"{row['ours']:.2f}", "more than 1", "blocking queue ÷ sequential"):
        assert words in row["reason"]
    assert row["low"] < row["ours"] < row["high"] and row["coverage"] == "consumers 1–11"
    unsized = first(verdicts_of("paper"), "P8")["reason"]
    assert unsized.endswith("the size cannot be compared: published load unknown.")
    (text,) = first(verdicts_of("paper"), "P4")["shown"]
    assert "the second socket alone" in text and "consumers" in text


@pytest.mark.parametrize(
    ("entry", "verdicts"),
    [
        ({"mechanism": synthetic.MECHANISMS[1:]}, {"P1": NOT_MEASURED, "P3": REPRODUCED}),
        ({"capacity": 1024}, {"P2": NOT_MEASURED, "P3": REPRODUCED}),
    ],
    ids=["no sequential point", "one other capacity"],
)
def test_a_claim_is_judged_where_the_sweep_has_its_points(tmp_path, golden_file, entry, verdicts):
    few = synthetic.make_sweep(scaling=[synthetic.BASE | {"consumers": 1, "sorts": 1} | entry])
    run = synthetic.make(tmp_path / "made-up", golden_file, synthetic.paper, sweep=few)
    table = verdict_table.build_verdict_table(run, ["scaling"])
    assert {claim: first(table, claim)["verdict"] for claim in verdicts} == verdicts


def test_one_method_does_not_prove_both(judge_some):
    def remove(forks):
        queue = forks["mechanism"] == "ARRAY_BLOCKING_QUEUE"
        return forks[queue | (forks["consumers"] != 9) | (forks["fork"] < 4)]

    row = first(judge_some(remove), "P4")
    assert row["verdict"] == NOT_MEASURED and "only 4 of the 5 forks" in row["reason"]


def test_points_without_forks_are_named_and_the_rest_is_judged(judge_some):
    def remove(forks):
        return forks[~forks["consumers"].isin([3, 4]) | (forks["mechanism"] == "SEQUENTIAL")]

    row = first(judge_some(remove), "P1")
    assert row["verdict"] == REPRODUCED
    assert row["coverage"] == "consumers 1–2, 5–11; consumers 3–4: not measured"


def test_a_choice_whose_forks_failed_is_left_out(judge_some):
    table = judge_some(lambda forks: forks[forks["mechanism"] != "DISRUPTOR_STRIPED"])
    assert list_choices(table, "P3") == {}


def test_a_row_is_decided_by_the_interval_that_it_prints_or_says_what_would_decide(shipped):
    assert set(shipped["verdict"]) >= {INCONCLUSIVE, REPRODUCED, CONTRADICTED}
    for row in shipped.itertuples():
        inside = row.claimed_low <= row.low and row.high <= row.claimed_high
        if row.verdict == INCONCLUSIVE:
            assert row.needed.startswith("about ") and f"{row.needed} would decide" in row.reason
        elif row.verdict in (REPRODUCED, CONTRADICTED):
            assert inside is (row.verdict == REPRODUCED), row


def test_a_claim_that_needs_more_cores_is_not_testable(shipped):
    row = first(shipped, "P2")
    assert (row["verdict"], row["reason"]) == (NOT_TESTABLE, "Needs 3 cores, here 2.")


def test_a_rehearsal_judges_nothing(reference):
    rehearsal = reference._replace(sweep=reference.sweep.model_copy(update={"verdicts": False}))
    table = verdict_table.build_verdict_table(rehearsal, ["scaling"])
    assert set(table["verdict"]) == {NOT_MEASURED}
    assert table["reason"].str.contains("only tests the pipeline").all()


def test_a_smaller_level_of_error_never_decides_more(reference):
    """Verdicts are monotone: what a wider interval decides, a narrower one decides alike."""
    verdicts, _ = run_judging.judge_run(reference, "scaling")
    for verdict in verdicts:
        if verdict.verdict in JUDGED:
            blank = verdict._replace(verdict="")
            decided = [decide_verdict(blank, 10.0**-k).verdict for k in (1.5, 3, 6, 12)]
            still_open = [word == INCONCLUSIVE for word in decided]
            assert still_open == sorted(still_open), (verdict.identity, decided)


@pytest.mark.parametrize(
    ("study", "claim", "unit"),
    [("latency", "L8", "ns"), ("actors", "A12", "times chance"), ("scaling", "P13", "")],
)
def test_a_level_has_a_unit_and_a_ratio_or_a_trend_has_none(study, claim, unit):
    checks = load_claim_files()[study].claims[claim].test
    assert name_unit(checks[0]) == unit
    unknown = checks[0].model_copy(update={"quantity": "page_faults", "to": None, "hold": "each"})
    assert name_unit(unknown) == "page faults"


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
    words = describe_judging(planned(1, asked=3), "ring")
    assert words == "The claims are judged 3 times, now by all forks; they share an error of 4%."
    run = planned(1, ended_early="2026-11-22T00:00:00+00:00")
    words = describe_judging(run, "scaling")
    assert "each setting, then and today, is a table of its own, whose claims" in words
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


def test_choices_have_a_table_of_their_own_with_the_change(planned):
    tables = split_rows(build_verdict_table(planned(), ["scaling"]))
    assert not tables["verdicts"].duplicated(["claim", "setting"]).any()
    striped = tables["verdict_choices"].query("choice == 'striped handlers' and claim == 'P3'")
    (row,) = striped.itertuples()
    assert (row.setting, row.changes) == ("today", False)
    assert row.change_low < 1 < row.change_high and row.change == pytest.approx(1, rel=0.1)
