"""Claims as data: files are checked, and the sources' own numbers are put to the same tests."""

import hashlib
import json
import re

import pandas as pd
import pytest

from handoff.catalog import load_catalog
from handoff.claims import files, published, verdict_table
from handoff.claims.files import load_claim_files
from handoff.errors import BadInput
from handoff.paths import CLAIMS, DATA, PUBLISHED
from handoff.study import find_primary

from .table_schema import list_deviations

GOOD = (CLAIMS / "scaling.yml").read_text()


def test_claims_are_numbered_without_a_gap_and_every_study_with_a_source_has_some():
    files = load_claim_files().values()
    assert {file.study for file in files} == set(load_catalog()) - {"hops"}
    numbers: dict[str, list[int]] = {}
    for name in (identity for file in files for identity in file.claims):
        numbers.setdefault(name[0], []).append(int(name[1:]))
    for letter, found in numbers.items():
        assert sorted(found) == list(range(1, len(found) + 1)), letter
    assert next(file.study for file in files) == find_primary().name


TYPOS = [
    ("hold: each", "hodl: each", "claims.P1.test.0.hodl: unknown key; "),
    ("nism: ARRAY_", "nism: ARROW_", "P1.test.0.of.mechanism: unknown value ARROW_BLOCKING"),
    (
        "along: {consumers: 1",
        "along: {consumer: 1",
        "P1.test.0.along: unknown parameter consumer; choose from ",
    ),
    ("        above: 1\n", "", "claims.P1.test.0: above or below is missing"),
    ("study: scaling", "study: scalling", "study: is scalling, but the file is named scaling"),
    ("R: DISRUPTOR_W", "R: DISRUPTOR_V", "scaling.yml: DISRUPTOR: unknown value DISRUPTOR_VORKER"),
    ("METHOD: [ARRAY_", "METHOD: [ARROW_", "P4.test.0.along.METHOD: unknown value ARROW_BLOCKING"),
    ("METHOD: [ARRAY_", "METHOD: [METHOD, ARRAY_", "METHOD is a placeholder, not a value"),
    ("quantity: cpu_", "quantity: cpx_", "unknown quantity cpx_per_thread; choose from time, cpu_"),
    ("  unknown: the time", "  without: 1  # ", "load: expected either amounts, in ns per"),
    (
        "along: {consumers: 1",
        "along: {consumers: 0",
        "P1.test.0.along.consumers: must be from 1 to 11, not 0.",
    ),
    (
        "of: {mechanism: ARRAY_BLOCKING_QUEUE",
        "of: {mechanism: ARRAY_BLOCKING_QUEUE, wait: BLOCKING",
        "P1.test.0.of.wait: ARRAY_BLOCKING_QUEUE has no such parameter.",
    ),
    ("tables: []", "tables: [nosuch.csv]", "tables: unknown table nosuch.csv; choose from actor_"),
]


def refusal(path, text: str) -> str:
    """Return the sentence with which a file of claims is refused."""
    path.write_text(text)
    with pytest.raises(BadInput) as stopped:
        files.load_claims(path)
    return str(stopped.value)


@pytest.mark.parametrize(("old", "new", "message"), TYPOS)
def test_a_typo_stops_with_file_claim_and_key(tmp_path, old, new, message):
    sentence = refusal(tmp_path / "scaling.yml", GOOD.replace(old, new, 1))
    assert "scaling.yml" in sentence and "\n" not in sentence and message in sentence


def test_unknown_studies_and_claims_without_a_test_are_refused(tmp_path):
    sentence = refusal(tmp_path / "sorting.yml", GOOD.replace("scaling", "sorting", 1))
    assert "study: unknown study sorting; choose from scaling" in sentence
    text = re.sub(r"(sockets: 2), counters: [^}]*}", r"\1}", GOOD)
    missing = "claims.P14: test is empty: needs.extra must say what a test would take"
    assert missing in refusal(tmp_path / "scaling.yml", text)


@pytest.fixture(scope="module")
def own_numbers() -> dict[str, list[published.PublishedResult]]:
    """Return what each source's own numbers say about its claims."""
    return {
        identity: found
        for file in load_claim_files().values()
        for identity, found in published.evaluate_file(file).items()
    }


HOLD, FAIL = {"X3", "X13", "A2", "L6", "L13", "R1", "R11"}, {"X1", "A7", "A9", "A10"}
SILENT = ["X10", "A1", "L10", "R5", "R12"]
"""Claims by what the first table of their source says: yes, no, or nothing."""

PLACES = {
    "X1": "not at actors, threads 1–2; disruptor (partitioned), threads 7–8",
    "X6": "not at threads 1–2, 8",
    "X13": "not at single-producer ring, cached ring, 1 thread",
    "A7": "only at bytes 256, 3200000",
}
"""Where the source's numbers fail a claim, or the only places where they do not."""


def test_what_the_sources_numbers_say_of_their_claims_is_computed(own_numbers):
    assert {claim for claim in HOLD | FAIL if own_numbers[claim][0].holds} == HOLD
    # L3 fails on the EPYC with release 3.
    assert {(t.machine, t.choice): t.holds for t in own_numbers["L3"]} == {
        ("Core i7-860", "first version"): True,
        ("Core i7-2720QM", "first version"): True,
        ("EPYC 9374F", "version 3"): False,
        ("EPYC 9374F", "version 4"): True,
    }
    papers = [claim for claim in own_numbers if claim.startswith("P")]
    assert not any(own_numbers[claim] for claim in SILENT + papers)
    assert published.describe_published(own_numbers["X10"]) == "no numbers"


def test_places_at_which_the_sources_numbers_differ_are_named(own_numbers):
    for claim, places in PLACES.items():
        assert places in own_numbers[claim][0].words, claim


def test_every_published_table_is_documented_and_unchanged():
    text = (DATA / "README.md").read_text()
    resources = json.loads((PUBLISHED / "datapackage.json").read_text())["resources"]
    tables = {path.name for path in PUBLISHED.glob("*.csv")}
    assert {resource["path"] for resource in resources} == tables
    for resource in resources:
        path = PUBLISHED / resource["path"]
        assert resource["sources"][0]["title"] and resource["description"] and resource["machine"]
        assert path.name in text
        table = pd.read_csv(path)
        assert len(table) and table["machine"].notna().all()
        assert list_deviations(path, resource["schema"]) == []
        # A correction of a table also corrects its hash.
        assert resource["hash"] == f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def test_verdicts_are_only_about_what_the_run_measured(small):
    table, files = verdict_table.build_verdict_table(small), load_claim_files()
    measured = {point.study for point in small.points}
    assert set(table["claim"]) == {claim for study in measured for claim in files[study].claims}


@pytest.mark.parametrize(("consumers", "result"), [(1, "fails"), (11, None)])
def test_a_result_is_forced_only_where_the_place_that_forces_it_was_measured(consumers, result):
    """Eleven busy consumers and a parked producer use more than 0.9 of twelve cores."""
    claim = load_claim_files()["scaling"].claims["P5"]
    bound = {"RELEASE": "3.4.4", "wait": "YIELDING"}
    forced = claim.find_forced(bound, [{"LOAD": 300, "consumers": consumers}])
    assert (forced and forced.result) == result
