"""A test that changed says so: the record of tests, and the history that papers print."""

import pytest
import yaml

from handoff.claims import files, history
from handoff.errors import BadInput
from handoff.paths import CLAIMS

BEFORE = (CLAIMS / "ring.yml").read_text()
CHANGED = 'changed:\n      - {date: 2027-01-01, seen: true, what: "An example."}\n    '


def load(folder, text: str) -> files.ClaimFile:
    """Return a claim file of the study ring with this text."""
    (folder / "ring.yml").write_text(text)
    return files.load_claims(folder / "ring.yml")


def describe(monkeypatch, file: files.ClaimFile) -> dict[str, history.RecordedTest]:
    """Return what would be recorded if this were the only file, and let it be."""
    monkeypatch.setattr(history, "load_claim_files", lambda: {"ring": file})
    return history.describe_tests()


def list_changed(one: dict, other: dict) -> set[str]:
    """Return the claims whose hashes differ."""
    return {identity for identity in one if one[identity].hash != other[identity].hash}


def test_every_test_is_recorded_and_none_changed_unsaid():
    recorded, tests = history.load_recorded(), history.describe_tests()
    assert history.list_unsaid(recorded, tests) == []
    assert recorded == tests, "run ./run_all.sh describe, which records the tests"


def test_form_and_order_do_not_matter_and_what_decides_does(tmp_path, monkeypatch):
    before = describe(monkeypatch, load(tmp_path, BEFORE))
    content = yaml.safe_load(BEFORE)
    for identity, claim in content["claims"].items():
        content["claims"][identity] = dict(reversed(claim.items()))
    turned = load(tmp_path, yaml.dump(content, sort_keys=False))
    assert list_changed(before, describe(monkeypatch, turned)) == set()
    place = load(tmp_path, BEFORE.replace("place: third post's tables", "place: elsewhere"))
    assert list_changed(before, describe(monkeypatch, place)) == set()
    readings = load(tmp_path, BEFORE.replace("MUCH: 100}", "MUCH: 101}"))
    assert list_changed(before, describe(monkeypatch, readings)) == {"R7", "R9", "R10", "R11"}
    words = load(tmp_path, BEFORE.replace("twice as long as Scala's", "as long as Scala's", 1))
    assert list_changed(before, describe(monkeypatch, words)) == {"R1"}


def test_a_changed_test_is_recorded_only_with_a_new_entry(tmp_path, monkeypatch):
    monkeypatch.setattr(history, "RECORDED_TESTS", tmp_path / "tests.csv")
    before = describe(monkeypatch, load(tmp_path, BEFORE))
    history.record_tests()
    assert history.load_recorded() == before
    other = BEFORE.replace("        below: 0.8\n", "        below: 0.9\n")
    assert other != BEFORE
    describe(monkeypatch, load(tmp_path, other))
    with pytest.raises(BadInput, match=r"not recorded\. R10: .* add an entry to its key 'changed'"):
        history.record_tests()
    assert history.load_recorded() == before
    place = other.index("    place", other.index("  R10:")) + 4
    said = describe(monkeypatch, load(tmp_path, other[:place] + CHANGED + other[place:]))
    history.record_tests()
    assert history.load_recorded() == said and list_changed(before, said) == {"R10"}
    describe(monkeypatch, load(tmp_path, other))
    with pytest.raises(BadInput, match="R10 has fewer entries of 'changed'"):
        history.record_tests()


def test_a_recorded_claim_stays(tmp_path, monkeypatch):
    tests = describe(monkeypatch, load(tmp_path, BEFORE))
    left = {identity: test for identity, test in tests.items() if identity != "R4"}
    assert history.list_unsaid(tests, left)[0].startswith("R4 is gone")
    assert history.list_unsaid(left, tests) == []


def test_the_history_is_that_of_the_claim_files_in_order_of_time():
    rows = history.list_history(files.load_claim_files())
    claims = files.load_claim_files().values()
    entries = [e for file in claims for part in (file, *file.claims.values()) for e in part.changed]
    assert [row["what"] for row in rows] == [entry.what for entry in entries]
    for file in claims:
        for part in (file, *file.claims.values()):
            dates = [entry.date for entry in part.changed]
            assert dates == sorted(dates), part
    assert history.list_history(["hops"]) == []
