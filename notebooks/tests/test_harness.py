"""What the paper says about the harness is of one run, and of no other."""

import json
from types import SimpleNamespace

import pytest

from handoff.paths import find_run_folder
from handoff.report import harness
from handoff.run.store.run import read_run

RECORD = {
    "run": "shipped",
    "machine": "m",
    "jdk": "j",
    "jar": "0123456789abcdef",
    "began": "2026-11-28T11:30:00+00:00",
    "ns_per_event": {
        "SEQUENTIAL": {harness.BY_HAND: [46.0] * 5, harness.HARNESS: [49.2] * 5},
        "ARRAY_BLOCKING_QUEUE": {
            harness.BY_HAND: [200.0] * 5,
            harness.HARNESS: [200.0] * 5,
            harness.UNPINNED: [160.0] * 5,
        },
    },
}


@pytest.fixture
def record(tmp_path, monkeypatch):
    """Put a record in the place of the shipped one."""
    file = tmp_path / "harness.json"
    file.write_text(json.dumps(RECORD))
    monkeypatch.setattr(harness, "RECORD", file)
    return file


def make_run(name: str, **identity: str) -> SimpleNamespace:
    return SimpleNamespace(
        folder=SimpleNamespace(name=name), identity={"machine": "m", "jdk": "j"} | identity
    )


def test_the_runs_paper_has_ratios_with_intervals_and_provenance(record):
    added, pinned = harness.describe_harness(make_run("shipped"))
    assert "1.07 [" in added and "for sequential and 1.00 [" in added
    assert added.endswith("(95 % intervals, 5 JVMs each, 2026-11-28, jar 0123456789ab).")
    assert pinned.startswith("Pinned over unpinned: 1.25 [") and " and " not in pinned


@pytest.mark.parametrize(
    "run",
    [make_run("own"), make_run("shipped", machine="n"), make_run("shipped", jdk="k")],
    ids=["name", "machine", "JDK"],
)
def test_no_other_run_has_the_numbers(record, run):
    assert harness.describe_harness(run) == []


def test_without_a_record_nothing_is_said(record):
    record.unlink()
    assert harness.describe_harness(make_run("shipped")) == []


def test_a_record_belongs_to_a_shipped_run_and_keeps_to_the_limit():
    if not harness.RECORD.is_file():
        pytest.skip("the shipped run has no record")
    record = json.loads(harness.RECORD.read_text(encoding="utf-8"))
    assert harness.describe_harness(read_run(find_run_folder(record["run"])))
    for by_way in record["ns_per_event"].values():
        made = harness.compare_loops(by_way[harness.HARNESS], by_way[harness.BY_HAND])
        assert made.interval()[0] <= harness.LIMIT
