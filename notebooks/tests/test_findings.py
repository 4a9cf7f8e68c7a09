"""What a paper says, from its run's verdicts and numbers, and nothing that they do not carry."""

import math
import shutil

import pandas as pd
import pytest

from handoff import paths
from handoff.claims import claim_rows
from handoff.claims.files import load_claim_files
from handoff.claims.verdicts import CONTRADICTED, FAILS, HOLDS, INCONCLUSIVE, REPRODUCED
from handoff.report import findings, jdks, reasons, settings
from handoff.run.store.run import read_run
from handoff.studies.scaling import paper

CLAIMS = load_claim_files()["scaling"].claims
UNTESTABLE = "not testable here"


def make_row(claim: str, *verdicts: str, ours: float | None = None, **others) -> dict:
    """Return the row of a claim with these verdicts, one per setting, as the table has it."""
    judged = ours is not None
    row = dict.fromkeys(("at", "needed", "depends", "coverage", "trace"), "") | {
        "claim": claim,
        "says": CLAIMS[claim].says,
        "place": "figure 3",
        "figure": CLAIMS[claim].figure,
        "reason": "Needs 3 cores, here 2.",
        "compared": "time, blocking queue ÷ sequential sort TODAY" if judged else "",
        "theirs": "no numbers",
        "claimed_low": 1.0,
        "claimed_high": math.inf,
        "ours": ours,
        "low": ours and ours * 0.9,
        "high": ours and ours * 1.1,
    }
    settings = ("then", "today") if len(verdicts) > 1 else ("",)
    rows = []
    for setting, verdict in zip(settings, verdicts, strict=True):
        words = f"{verdict} at 1 of 11 points" if judged else verdict
        rows.append(row | {"setting": setting, "verdict": verdict, "words": words} | others)
    (made,) = claim_rows.tabulate_claims(pd.DataFrame(rows))
    return made


def test_claims_without_a_verdict_are_one_sentence_by_reason_and_no_finding():
    rows = [make_row(claim, UNTESTABLE, UNTESTABLE) for claim in ("P2", "P7", "P10")]
    assert claim_rows.describe_untestable(rows) == (
        "Not judged: P2, P7 and P10 (need 3 cores, here 2)."
    )
    assert claim_rows.describe_untestable([make_row("P1", REPRODUCED, ours=4.0)]) == ""
    assert findings.list_findings([make_row("P2", UNTESTABLE)]) == []


FINDINGS = {
    "takes 4.00 [3.60 to 4.40] times as long": make_row("P1", REPRODUCED, ours=4.0),
    "takes 4.00 [3.60 to 4.40] times (then) and 4.00 [3.60 to 4.40] times (today) as long": (
        make_row("P1", REPRODUCED, CONTRADICTED, ours=4.0)
    ),
    "This reproduces the study (P1).": make_row("P1", REPRODUCED, ours=4.0),
    "This reproduces the study, then and today (P1).": (
        make_row("P1", REPRODUCED, REPRODUCED, ours=4.0)
    ),
    "(P1): contradicted.": make_row("P1", CONTRADICTED, CONTRADICTED, ours=4.0),
    "(P1): then reproduced; today contradicted.": (
        make_row("P1", REPRODUCED, CONTRADICTED, ours=4.0)
    ),
    "(P1): inconclusive, neither confirmed nor refuted.": make_row("P1", INCONCLUSIVE, ours=4.0),
    "A choice that the study does not state changes this: here: reproduced with Y.": (
        make_row("P6", CONTRADICTED, ours=1.3, depends="reproduced with Y")
    ),
    "(P5): fails by construction: it parks.": make_row("P5", FAILS, reason="It parks; here 0.7."),
    "With 15 sorts per event and 1 consumer, the blocking queue takes 1.12 [": (
        make_row("P7", CONTRADICTED, ours=1.12, at="1 consumer")
    ),
}
"""Words of a finding, and the row that deserves them."""


@pytest.mark.parametrize("words", FINDINGS)
def test_a_finding_has_number_direction_verdict_coverage_and_reason(words):
    (sentence,) = findings.list_findings([FINDINGS[words]])
    assert words in sentence


@pytest.mark.parametrize(
    ("then", "today", "said"),
    [
        ((HOLDS, REPRODUCED, CONTRADICTED), (FAILS, CONTRADICTED, REPRODUCED), True),
        ((HOLDS, REPRODUCED, REPRODUCED), (FAILS, CONTRADICTED, REPRODUCED), False),
        ((HOLDS, CONTRADICTED, REPRODUCED), (FAILS, CONTRADICTED, REPRODUCED), False),
    ],
    ids=["each setting fails another claim", "one setting has all", "a claim fails in both"],
)
def test_that_no_setting_has_the_studys_cpu_usage_is_a_finding_of_its_own(then, today, said):
    pairs = zip(settings.TOGETHER, then, today, strict=True)
    rows = [make_row(*row, ours=None if row[0] == "P5" else 1.0) for row in pairs]
    words = "In no setting do P5, P6 and P12 hold together: then, not P12; today, not P5 and P6."
    assert (words in findings.list_findings(rows)) is said


def test_the_abstract_has_three_results_and_what_could_not_be_tested():
    claims = ("P1", "P3", "P6", "P8", "P11")
    judged = [make_row(claim, REPRODUCED, REPRODUCED, ours=2.0) for claim in claims]
    *results, rest = findings.list_abstract([*judged, make_row("P2", UNTESTABLE)])
    assert len(results) == 3 and all(words.endswith("(reproduced).") for words in results)
    assert rest == "1 of 6 claims is not testable here."


@pytest.mark.parametrize(("last", "said"), [("1 consumer", True), ("2 consumers", False)])
def test_the_abstract_says_with_how_many_consumers_where_it_is_one_number(last, said):
    places = {"P3": "1 consumer", "P6": "1 consumer", "P11": last}
    rows = [make_row(claim, REPRODUCED, ours=2.0, at=at) for claim, at in places.items()]
    assert ("These results are with 1 consumer." in findings.list_abstract(rows)) is said


def test_the_scope_names_what_can_and_cannot_be_answered():
    rows = [make_row("P3", REPRODUCED, ours=4.0), make_row("P2", UNTESTABLE), make_row("P1", HOLDS)]
    words = {"claim": ["P3"], "verdict": [REPRODUCED], "words": ["reproduced at 1 of 11 points"]}
    scope = findings.describe_scope("scaling", pd.DataFrame(words), rows)
    assert scope == (
        "The run judges 1 of the study's 3 claims: P3. The code decides P1. Unless noted, claims"
        " are judged at 1 of 11 numbers of consumers; all of them need 12 cores. Not judged: P2"
        " (needs 3 cores, here 2)."
    )
    none = findings.describe_scope("scaling", pd.DataFrame(words), rows[1:2])
    assert none == "The run judges none of the study's 1 claim."


def test_what_holds_what_depends_on_the_setting_and_what_is_open_are_named_for_readme():
    rows = [
        make_row("P3", REPRODUCED, REPRODUCED, ours=4.0),
        make_row("P6", REPRODUCED, CONTRADICTED, ours=4.0),
        make_row("P11", INCONCLUSIVE, REPRODUCED, ours=4.0),
        make_row("P1", HOLDS, HOLDS),
    ]
    table = {"claim": ["P3"], "verdict": [REPRODUCED], "words": ["reproduced at 1 of 11 points"]}
    (text,) = settings.describe_results(pd.DataFrame(table), rows)
    assert "**Holds, then and today:** P3." in text
    assert "nothing was judged:** P1 (holds)." in text
    assert "**Depends on the setting:** P6 (holds then, fails today)." in text
    assert "**Not decided in at least one setting:** P11." in text


def test_the_scope_does_not_call_judged_what_the_code_decides():
    rows = [make_row("P5", FAILS)]
    table = pd.DataFrame({"claim": [], "verdict": [], "words": []})
    scope = findings.describe_scope("scaling", table, rows)
    assert scope == "The run judges none of the study's 1 claim. The code decides P5."


def test_the_conclusion_is_what_could_have_been_otherwise():
    rows = [make_row("P1", HOLDS), make_row("P6", CONTRADICTED, ours=1.3)]
    assert "(P6): contradicted." in findings.find_conclusion(rows)
    assert findings.find_conclusion(rows[:1]) == ""


def make_points(sorts: int, alone: float, extra: float, cores: float, switches: float) -> list:
    names = ("mechanism", "ns_per_event", "excess_ns", "cpu_usage", "switches_per_event")
    rows = [
        (reasons.SEQUENTIAL, alone, 0.0, 1.3, 0.0),
        (reasons.POOL, alone, 0.0, 1.3, 0.0001),
        (reasons.QUEUE, alone + extra, extra, cores, switches),
    ]
    shared = {"setting": "today", "sorts": sorts, "consumers": 1}
    return [shared | dict(zip(names, row, strict=True)) for row in rows]


def test_a_reason_is_given_only_where_the_numbers_carry_it():
    cheap, dear = make_points(1, 50, 160, 1.8, 0.01), make_points(300, 7000, 800, 1.2, 0.4)
    locked, woken, ring = reasons.explain_costs(cheap + dear)["sentences"]
    assert "one lock" in locked and "sleep and are woken" in woken and "switched less often" in ring
    asleep = reasons.explain_costs(make_points(1, 50, 160, 1.1, 0.5) + dear)["sentences"]
    assert not any("lock" in words and "wait for each other" in words for words in asleep)
    assert reasons.explain_costs([]) == {"setting": "", "rows": [], "sentences": []}


@pytest.mark.parametrize(
    ("ratios", "mechanism", "words"),
    [
        ({"order SHUFFLED": 36.0, "order DESCENDING": 1.9}, findings.ALONE, "36 (shuff"),
        ({"order SHUFFLED": 0.02, "wait BLOCKING": 3.1}, findings.ALONE, "more than a factor of 3"),
        ({"order SHUFFLED": 3.0, "wait BLOCKING": 0.2}, findings.ALONE, ""),
        ({"order SHUFFLED": 3.0}, "blocking queue", ""),
        ({}, findings.ALONE, ""),
    ],
)
def test_the_order_is_reported_where_it_is_beyond_all_other_choices(ratios, mechanism, words):
    rows = [{"choice": c, "mechanism": mechanism, "ratio": ratio} for c, ratio in ratios.items()]
    sentence = findings.describe_order({"notable": rows, "sorts": "1"})
    assert words in sentence and bool(sentence) == bool(words)


def test_the_shipped_runs_order_is_a_finding():
    run = read_run(paths.find_run_folder("reference-sensitivity"))
    summary = paper.summarize_sensitivity(run)
    assert summary["compared"] > 20
    assert "by a factor of" in findings.describe_order(summary)


def test_a_run_of_two_jdks_says_what_the_jdk_changes_if_it_has_forks(tmp_path):
    assert jdks.describe_jdks(read_run(paths.find_run_folder("reference"))) is None
    # A run that was interrupted before its tables were written.
    folder = tmp_path / "jdks"
    shutil.copytree(paths.find_run_folder("reference-jdks"), folder)
    shutil.rmtree(folder / "tidy")
    two = jdks.describe_jdks(read_run(folder))
    assert two and two["arms"] == ["jdk17", "jdk25"] and two["whole"].startswith("160 of 160 forks")
    assert [row["claim"] for row in two["claims"]] == ["P1", "P3", "P8"]
    assert all(" [" in row[arm] for row in two["claims"] for arm in two["arms"])
    shutil.rmtree(folder / "forks")
    (folder / "forks").mkdir()
    assert jdks.describe_jdks(read_run(folder)) is None
