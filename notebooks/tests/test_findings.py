"""What a paper says, from its run's verdicts and numbers, and nothing that they do not carry."""

import shutil

import pandas as pd
import pytest

from handoff import paths
from handoff.claims.files import load_claim_files
from handoff.claims.verdicts import CONTRADICTED, FAILS, HOLDS, INCONCLUSIVE, REPRODUCED
from handoff.report import claim_rows, findings, jdks, reasons
from handoff.run.store.run import read_run
from handoff.studies.scaling import paper

CLAIMS = load_claim_files()["scaling"].claims
UNTESTABLE = "not testable here"


def make_verdict(verdict: str, reading: str = "", ours: float | None = None, **others) -> dict:
    judged = ours is not None
    return {
        "verdict": verdict,
        "words": f"{verdict} at 1 of 11 points" if judged else verdict,
        "reading": reading,
        "reason": "Needs 3 cores, here 2.",
        "compared": "time, blocking queue ÷ sequential" if judged else "",
        "ours": ours,
        "low": ours and ours * 0.9,
        "high": ours and ours * 1.1,
        "points_judged": 1,
        "points_claimed": 11,
        "forks_needed": None,
        "sessions_needed": None,
    } | others


def make_row(claim: str, *verdicts: dict) -> dict:
    return claim_rows.summarize_claim(claim, CLAIMS[claim], pd.DataFrame(verdicts))


def test_readings_with_one_verdict_share_a_line_with_the_range_of_their_estimates():
    pool, striped = "worker pool, release 3.4.4", "striped handlers, release 3.4.4"
    row = make_row(
        "P3", make_verdict(REPRODUCED, pool, 3.0), make_verdict(REPRODUCED, striped, 3.5)
    )
    (line,) = row["lines"]
    assert line["ours"].startswith("3.00 [") and line["spread"] == "3.00 to 3.50 over 2 readings"
    assert line["reading"] == "" and row["rest"] == "12 cores for the other 10 points"
    assert row["judged"] and not row["depends"]


def test_readings_that_disagree_have_a_line_each_with_what_divides_them():
    old, new = "worker pool, release 3.2.0", "worker pool, release 3.4.4"
    row = make_row("P6", make_verdict(REPRODUCED, old, 0.8), make_verdict(CONTRADICTED, new, 1.3))
    assert row["depends"]
    assert [line["reading"] for line in row["lines"]] == ["release 3.2.0", "release 3.4.4"]


def test_readings_that_only_their_list_would_name_are_the_other_ones():
    verdicts = {"pool, 3.2.0, all": HOLDS, "pool, 3.4.4, all": FAILS, "striped, 3.4.4, all": FAILS}
    verdicts |= {"pool, 3.4.4, consumers": HOLDS}
    row = make_row("P5", *(make_verdict(v, reading) for reading, v in verdicts.items()))
    assert [line["reading"] for line in row["lines"]] == ["other readings", "3.4.4, all"]


def test_what_an_undecided_claim_needs_is_in_its_row():
    row = make_row("P11", make_verdict(INCONCLUSIVE, "", 1.2, sessions_needed=16.0))
    assert row["rest"].endswith("about 16 sessions to decide")


def test_claims_without_a_verdict_are_one_sentence_by_reason():
    rows = [make_row(claim, make_verdict(UNTESTABLE)) for claim in ("P2", "P7", "P10")]
    assert claim_rows.group_untestable(rows) == (
        "Not judged: P2, P7 and P10 (needs 3 cores, here 2)."
    )
    assert claim_rows.group_untestable([make_row("P1", make_verdict(REPRODUCED, "", 4.0))]) == ""


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (REPRODUCED, "This reproduces the study (P1)."),
        (CONTRADICTED, "in one thread (P1): contradicted."),
        (INCONCLUSIVE, "(P1): inconclusive (neither confirmed nor refuted)."),
    ],
)
def test_a_finding_has_what_the_study_says_and_the_verdict(verdict, words):
    (sentence,) = findings.list_findings([make_row("P1", make_verdict(verdict, "", 4.0))])
    assert "takes 4.00 times as long as one thread" in sentence
    said = "The study: the hand-over by blocking queue takes longer than doing everything"
    assert words in sentence and (said in sentence) is (verdict != REPRODUCED)


def test_a_coverage_is_in_a_finding_unless_all_share_it():
    part, whole = make_verdict(REPRODUCED, "", 4.0), make_verdict(REPRODUCED, "", 3.0)
    rows = [make_row("P1", part), make_row("P3", whole | {"words": REPRODUCED})]
    first, second = findings.list_findings(rows)
    assert "study (P1) at 1 of 11 points." in first and "(P3)." in second


def test_a_claim_that_was_not_judged_is_no_finding():
    assert findings.list_findings([make_row("P2", make_verdict(UNTESTABLE))]) == []


def test_a_finding_counts_the_readings_by_their_verdicts():
    verdicts = {
        "pool, 3.4.4": CONTRADICTED,
        "striped, 3.4.4": CONTRADICTED,
        "pool, 3.2.0": REPRODUCED,
    }
    row = make_row("P6", *(make_verdict(v, reading, 1.3) for reading, v in verdicts.items()))
    (sentence,) = findings.list_findings([row])
    counts = "contradicted in 2 of 3 ways to read it (3.4.4), reproduced in 1."
    assert sentence.endswith(f"(P6): {counts}")


def test_what_construction_decides_is_said_of_each_meaning():
    row = make_row("P5", make_verdict(FAILS, "all threads"), make_verdict(HOLDS, "consumers"))
    (sentence,) = findings.list_findings([row])
    assert "fails by construction (all threads) and holds by construction (consumers)" in sentence


def test_the_scope_names_what_can_and_cannot_be_answered():
    rows = [
        make_row("P1", make_verdict(REPRODUCED, "", 4.0)),
        make_row("P2", make_verdict(UNTESTABLE)),
        make_row("P14", make_verdict(UNTESTABLE)),
    ]
    scope = findings.describe_scope("2 cores", rows)
    assert "The run judges 1 of the study's 3 claims, at 1 of 11 numbers of consumers" in scope
    assert scope.endswith("Not judged: P2 and P14 (needs 3 cores, here 2).")
    assert "judges none of the study's 1 claim" in findings.describe_scope("2 cores", rows[1:2])


def make_point(sorts: int, mechanism: str, **numbers: float) -> dict:
    return {"sorts": sorts, "mechanism": mechanism, "consumers": 1, **numbers}


def make_points(sorts: int, alone: float, extra: float, cores: float, switches: float) -> list:
    shared = {"ns_per_event": alone, "excess_ns": 0.0, "cpu_usage": 1.3}
    return [
        make_point(sorts, reasons.SEQUENTIAL, **shared, switches_per_event=0.0),
        make_point(sorts, reasons.POOL, **shared, switches_per_event=0.0001),
        make_point(
            sorts,
            reasons.QUEUE,
            ns_per_event=alone + extra,
            excess_ns=extra,
            cpu_usage=cores,
            switches_per_event=switches,
        ),
    ]


def test_a_reason_is_given_only_where_the_numbers_carry_it():
    cheap, dear = make_points(1, 50, 160, 1.8, 0.01), make_points(300, 7000, 800, 1.2, 0.4)
    locked, woken, ring = reasons.explain_costs(cheap + dear)["sentences"]
    assert "one lock" in locked and "sleep and are woken" in woken and "switched less often" in ring
    asleep = reasons.explain_costs(make_points(1, 50, 160, 1.1, 0.5) + dear)["sentences"]
    assert not any("lock" in words and "wait for each other" in words for words in asleep)
    assert reasons.explain_costs([]) == {"rows": [], "sentences": []}


def make_choice(choice: str, ratio: float, mechanism: str = findings.ALONE) -> dict:
    return {"choice": choice, "mechanism": mechanism, "ratio": ratio}


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([make_choice("order SHUFFLED", 36.0), make_choice("order DESCENDING", 1.9)], "36 (shuff"),
        (
            [make_choice("order SHUFFLED", 0.02), make_choice("wait BLOCKING", 3.1)],
            "more than a factor of 3.1",
        ),
        ([make_choice("order SHUFFLED", 3.0), make_choice("wait BLOCKING", 0.2)], ""),
        ([make_choice("order SHUFFLED", 3.0, "blocking queue")], ""),
        ([], ""),
    ],
)
def test_the_order_is_reported_where_it_is_beyond_all_other_choices(rows, words):
    sentence = findings.describe_order({"notable": rows, "sorts": "1"})
    assert words in sentence and bool(sentence) == bool(words)


def test_only_a_claim_of_likeness_says_what_counts_as_the_same():
    said = {name: claim_rows.describe_sameness(claim) for name, claim in CLAIMS.items()}
    assert said["P11"] == "; 'the same' is 0.9 to 1.25"
    assert said["P1"] == said["P8"] == said["P13"] == ""


def test_the_shipped_runs_order_is_a_finding():
    run = read_run(paths.find_run_folder("reference-sensitivity"))
    summary = paper.summarize_sensitivity(run)
    assert summary["judged"] > 20
    order, reversal = findings.list_open(summary)
    assert (
        "by a factor of" in order and "With capacity 128, the blocking queue takes 0." in reversal
    )


def test_only_a_run_of_two_jdks_says_what_the_jdk_changes(tmp_path):
    assert jdks.describe_jdks(None) is None
    assert jdks.describe_jdks(read_run(paths.find_run_folder("reference"))) is None
    # A run that was interrupted before its tables were written.
    folder = tmp_path / "jdks"
    shutil.copytree(paths.find_run_folder("reference-jdks"), folder)
    shutil.rmtree(folder / "tidy")
    two = jdks.describe_jdks(read_run(folder))
    assert two and two["arms"] == ["jdk17", "jdk25"] and two["whole"].startswith("160 of 160 forks")
    assert [row["claim"] for row in two["claims"]] == ["P1", "P3", "P8"]
    assert all(" [" in row[arm] for row in two["claims"] for arm in two["arms"])


def test_a_run_of_two_jdks_without_forks_says_nothing(tmp_path):
    folder = tmp_path / "jdks"
    shutil.copytree(paths.find_run_folder("reference-jdks"), folder)
    shutil.rmtree(folder / "forks")
    (folder / "forks").mkdir()
    assert jdks.describe_jdks(read_run(folder)) is None
