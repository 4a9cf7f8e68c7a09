"""Verdicts on made-up runs, whose truth is known, and on the shipped run."""

import pandas as pd
import pytest

from handoff.analysis.forks import compute_fork_means
from handoff.claims import judgings, readers, verdict_table
from handoff.claims.files import load_claim_files
from handoff.claims.verdicts import (
    CONTRADICTED,
    DIRECTION,
    FAILS,
    FORCED,
    HOLDS,
    INCONCLUSIVE,
    JUDGED,
    NOT_MEASURED,
    NOT_TESTABLE,
    REPRODUCED,
    decide_verdict,
)
from handoff.claims.wording import name_unit
from handoff.tables import tidy

from . import synthetic

P = [f"P{number}" for number in range(1, 14) if number != 5]
"""All that is judged; P5's results are forced."""

UNSIZED = ("P2", "P8")
"""Claims of a size, of which only the direction can be judged: the paper's load is unknown."""
ORDERINGS = ["P1", "P2", "P3", "P4", "P7", "P8", "P9", "P10", "P13"]


@pytest.fixture(scope="module")
def verdicts_of(tmp_path_factory, golden_file):
    """Return verdicts on a made-up run of 12 cores and two nodes with a given behaviour."""
    tables: dict[str, pd.DataFrame] = {}

    def verdicts(name: str) -> pd.DataFrame:
        if name not in tables:
            run = synthetic.make(
                tmp_path_factory.mktemp(name) / "made-up", golden_file, getattr(synthetic, name)
            )
            tidy.write_tables(run)
            tables[name] = verdict_table.build_verdict_table(run, ["scaling"])
        return tables[name]

    return verdicts


def of(table: pd.DataFrame, claim: str) -> set[str]:
    return set(table.loc[table["claim"] == claim, "verdict"])


@pytest.mark.parametrize("claim", P)
def test_a_machine_that_behaves_as_the_paper_says_reproduces_it(verdicts_of, claim):
    expected = DIRECTION if claim in UNSIZED else REPRODUCED
    assert of(verdicts_of("paper"), claim) == {expected}


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
    assert readings["P3"] == {f"{way}, {READ}" for way in ("worker pool", "striped handlers")}
    assert readings["P1"] == {"sort of today"}


READ = "release 3.4.4, sort of today"


def test_what_a_release_or_a_wait_strategy_forces_is_not_judged(verdicts_of):
    rows = verdicts_of("paper").query("claim == 'P5'").set_index("reading")
    for way in ("worker pool", "striped handlers"):
        assert rows.loc[f"{way}, {READ}, all threads", "verdict"] == FAILS
        assert rows.loc[f"{way}, {READ}, consumer threads", "verdict"] == HOLDS
    assert rows["reason"].str.contains("; here ").all()


def test_what_needs_hardware_counters_is_never_judged_by_times(verdicts_of):
    (row,) = verdicts_of("paper").query("claim == 'P14'").itertuples()
    assert row.verdict == NOT_TESTABLE and "hardware counters" in row.reason


def test_the_reason_contains_the_numbers(verdicts_of):
    row = verdicts_of("paper").query("claim == 'P1'").iloc[0]
    assert (
        f"{row['ours']:.2f}" in row["reason"]
        and "more than 1" in row["reason"]
        and "blocking queue ÷ sequential" in row["reason"]
    )
    assert row["low"] < row["ours"] < row["high"] and row["coverage"] == "consumers 1–11"


def test_the_effect_of_the_second_socket_is_shown_with_p4(verdicts_of):
    (text,) = verdicts_of("paper").query("claim == 'P4'")["shown"].iloc[0]
    assert "the second socket alone" in text and "consumers" in text


def judged(folder, golden, behave, forks=lambda forks: forks, **options) -> pd.DataFrame:
    """Return the verdicts of a made-up run; `forks` may remove some of its forks."""
    run = synthetic.make(folder / "made-up", golden, behave, **options)
    tidy.write_tables(run)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readers, "compute_fork_means", lambda shots: forks(compute_fork_means(shots)))
        return verdict_table.build_verdict_table(run, ["scaling"])


def sweep_of(**entry) -> dict:
    first = synthetic.SWEEP["studies"]["scaling"][0]
    return synthetic.SWEEP | {"studies": {"scaling": [first | entry]}}


def test_a_release_and_a_sort_are_judged_only_where_a_run_has_them(tmp_path, golden_file):
    entry = sweep_of(sort=["TODAY", "DUAL_PIVOT"], release=["3.4.4", "3.2.0"], consumers=1)
    table = judged(tmp_path, golden_file, synthetic.flat, sweep=entry)
    assert set(table.query("claim == 'P11'")["reading"]) == {
        f"{way}, {release}, {sort}"
        for way in ("worker pool", "striped handlers")
        for release in ("release 3.4.4", "release 3.2.0")
        for sort in ("sort of today", "sort of 2015")
    }


def test_where_the_load_is_unknown_an_effect_of_another_size_reproduces_the_direction(
    tmp_path, golden_file
):
    def larger(queue, n, sorts, two):
        time, usage = synthetic.paper(queue, n, sorts, two)
        return time * (1.4 if queue and sorts == 15 else 1.0), usage

    row = judged(tmp_path, golden_file, larger).query("claim == 'P8'").iloc[0]
    assert row["verdict"] == DIRECTION
    assert row["reason"].endswith("the size cannot be compared: published load unknown.")


def test_where_one_socket_holds_all_threads_claims_about_two_are_not_measured(
    tmp_path, golden_file
):
    table = judged(tmp_path, golden_file, synthetic.mirror, cores=16)
    for claim in ("P4", "P9"):
        assert (
            of(table, claim) == {NOT_MEASURED}
            and "on 1 socket in this run" in table.query(f"claim == '{claim}'")["reason"].iloc[0]
        )
    assert of(table, "P1") == {CONTRADICTED}


def test_one_load_does_not_prove_every_load(tmp_path, golden_file):
    table = judged(tmp_path, golden_file, synthetic.paper, sweep=sweep_of(sorts=1))
    assert of(table, "P5") == {NOT_MEASURED}
    assert "Sorts 15, 300" in table.query("claim == 'P5'")["reason"].iloc[0]
    assert of(table, "P1") == {REPRODUCED} and of(table, "P11") == {NOT_MEASURED}


def test_one_method_does_not_prove_both(tmp_path, golden_file):
    def remove(forks):
        return forks[
            (forks["mechanism"] == "ARRAY_BLOCKING_QUEUE")
            | (forks["consumers"] != 9)
            | (forks["fork"] < 4)
        ]

    assert of(judged(tmp_path, golden_file, synthetic.paper, remove), "P4") == {NOT_MEASURED}


def test_points_without_forks_are_named_and_the_rest_is_judged(tmp_path, golden_file):
    def remove(forks):
        return forks[~forks["consumers"].isin([3, 4]) | (forks["mechanism"] == "SEQUENTIAL")]

    row = judged(tmp_path, golden_file, synthetic.paper, remove).query("claim == 'P1'").iloc[0]
    assert (
        row["verdict"] == REPRODUCED
        and row["coverage"] == "consumers 1–2, 5–11; consumers 3–4: planned, but without forks"
    )


def test_a_reading_whose_forks_failed_stays_in_the_table(tmp_path, golden_file):
    table = judged(
        tmp_path,
        golden_file,
        synthetic.paper,
        lambda forks: forks[forks["mechanism"] != "DISRUPTOR_STRIPED"],
    )
    rows = table.query("claim == 'P3'").set_index("reading")
    assert rows.loc[f"worker pool, {READ}", "verdict"] == REPRODUCED
    assert rows.loc[f"striped handlers, {READ}", "verdict"] == NOT_MEASURED
    assert "planned, but without forks" in rows.loc[f"striped handlers, {READ}", "reason"]


def test_without_a_sequential_point_claims_that_need_it_are_not_measured(tmp_path, golden_file):
    table = judged(
        tmp_path, golden_file, synthetic.paper, sweep=sweep_of(mechanism=synthetic.MECHANISMS[1:])
    )
    assert of(table, "P1") == of(table, "P7") == {NOT_MEASURED} and of(table, "P3") == {REPRODUCED}


def test_a_run_with_a_single_other_capacity_is_judged_at_it(tmp_path, golden_file):
    assert of(
        judged(tmp_path, golden_file, synthetic.paper, sweep=sweep_of(capacity=1024)), "P3"
    ) == {REPRODUCED}


def test_one_consumer_never_decides_what_it_cannot_show(tmp_path, golden_file, reference):
    table = judged(tmp_path, golden_file, synthetic.paper, sweep=sweep_of(consumers=1))
    assert of(table, "P2") == {NOT_MEASURED}
    assert of(verdict_table.build_verdict_table(reference, ["scaling"]), "P2") == {NOT_TESTABLE}


def test_an_open_claim_says_what_would_decide(reference):
    rows = verdict_table.build_verdict_table(reference, ["scaling"]).query(
        "verdict == 'inconclusive'"
    )
    assert len(rows)
    for row in rows.itertuples():
        assert pd.isna(row.forks_needed) or f"about {row.forks_needed:.0f} forks" in row.reason
        assert (
            pd.isna(row.sessions_needed)
            or f"about {row.sessions_needed:.0f} sessions" in row.reason
        )


def test_the_shipped_run_judges_what_two_cores_can(reference):
    table = verdict_table.build_verdict_table(reference, ["scaling"])
    for claim in ("P1", "P3", "P5", "P6", "P8", "P11", "P12", "P13"):
        rows = table[table["claim"] == claim]
        assert set(rows["verdict"]) <= {*JUDGED, *FORCED}, claim
        if claim != "P5":
            assert rows["coverage"].str.contains("1 consumer").all(), claim
            assert rows["coverage"].str.contains("all points need 12 cores").all()
            assert rows["words"].str.endswith(" at 1 of 11 points").all()
    for claim in ("P2", "P4", "P7", "P9", "P10", "P14"):
        rows = table[table["claim"] == claim]
        assert (
            set(rows["verdict"]) == {NOT_TESTABLE} and rows["reason"].str.contains("Needs").all()
        ), claim


def test_a_rehearsal_judges_nothing(reference):
    rehearsal = reference._replace(sweep=reference.sweep.model_copy(update={"verdicts": False}))
    table = verdict_table.build_verdict_table(rehearsal, ["scaling"])
    assert (
        set(table["verdict"]) == {NOT_MEASURED}
        and table["reason"].str.contains("only tests the pipeline").all()
    )


def test_no_verdict_from_fewer_than_five_forks(reference, monkeypatch):
    few = compute_fork_means(tidy.load_table(reference, "scaling")).query("fork < 4")
    monkeypatch.setattr(readers, "compute_fork_means", lambda shots: few)
    table = verdict_table.build_verdict_table(reference, ["scaling"]).query("claim == 'P1'")
    assert (
        set(table["verdict"]) == {NOT_MEASURED}
        and table["reason"].str.contains("4 of the 5 forks").all()
    )


def test_shots_that_are_too_short_are_not_judged(reference, monkeypatch):
    forks = compute_fork_means(tidy.load_table(reference, "scaling"))
    monkeypatch.setattr(readers, "compute_fork_means", lambda shots: forks.assign(short_usage=True))
    verdicts = (
        verdict_table.build_verdict_table(reference, ["scaling"])
        .groupby("claim")["verdict"]
        .apply(set)
    )
    assert verdicts["P6"] == {NOT_MEASURED} != verdicts["P1"]
    monkeypatch.setattr(readers, "compute_fork_means", lambda shots: forks.assign(too_short=True))
    assert (
        verdict_table.build_verdict_table(reference, ["scaling"])
        .query("claim == 'P1'")["reason"]
        .str.contains("hots too short")
        .all()
    )


def test_a_few_short_shots_among_many_forks_leave_a_point_judged(reference, monkeypatch):
    forks = compute_fork_means(tidy.load_table(reference, "scaling"))
    whole = verdict_table.build_verdict_table(reference, ["scaling"])
    short = forks["fork"] == 0
    monkeypatch.setattr(
        readers,
        "compute_fork_means",
        lambda shots: forks.assign(too_short=short, short_usage=short),
    )
    some = verdict_table.build_verdict_table(reference, ["scaling"])
    assert some["verdict"].tolist() == whole["verdict"].tolist()


def test_a_row_is_decided_by_the_interval_that_it_prints(reference):
    table = verdict_table.build_verdict_table(reference, ["scaling"])
    rows = table[table["verdict"].isin([REPRODUCED, CONTRADICTED])]
    assert len(rows)
    for row in rows.itertuples():
        inside = row.claimed_low <= row.low and row.high <= row.claimed_high
        assert inside is (row.verdict == REPRODUCED), row


def test_a_smaller_level_of_error_never_decides_more(reference):
    """Verdicts are monotone: what a wider interval decides, a narrower one decides alike."""
    verdicts, _ = judgings.judge_run(reference, "scaling")
    for verdict in verdicts:
        if verdict.verdict in JUDGED:
            blank = verdict._replace(verdict="")
            decided = [decide_verdict(blank, 10.0**-k).verdict for k in (1.5, 3, 6, 12)]
            open_from = [v == INCONCLUSIVE for v in decided]
            assert open_from == sorted(open_from), (verdict.identity, decided)


def test_the_verdict_does_not_depend_on_the_order_of_forks(reference, monkeypatch):
    before = verdict_table.build_verdict_table(reference, ["scaling"])
    load = tidy.load_table
    monkeypatch.setattr(
        tidy, "load_table", lambda run, name: load(run, name).sample(frac=1, random_state=1)
    )
    after = verdict_table.build_verdict_table(reference, ["scaling"])
    assert after["words"].tolist() == before["words"].tolist()
    assert after["low"].tolist() == pytest.approx(before["low"].tolist(), nan_ok=True)


@pytest.mark.parametrize(
    ("study", "claim", "unit"),
    [
        ("latency", "L8", "ns"),
        ("actors", "A12", "times chance"),
        ("scaling", "P1", ""),
        ("scaling", "P13", ""),
    ],
)
def test_a_level_has_a_unit_and_a_ratio_or_a_trend_has_none(study, claim, unit):
    checks = load_claim_files()[study].claims[claim].test
    assert name_unit(checks[0]) == unit
    unknown = checks[0].model_copy(update={"quantity": "page_faults", "to": None, "hold": "each"})
    assert name_unit(unknown) == "page faults"
