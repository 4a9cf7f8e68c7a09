"""Runs of one set-up can be merged even if their sweeps differ; runs of two machines cannot."""

import json
import shutil

import pytest

from handoff import archive
from handoff.cli.main import main
from handoff.errors import BadInput
from handoff.run import merge
from handoff.run.host import lock
from handoff.run.store import state
from handoff.run.store.identity import SETUP_KEYS, WORDS
from handoff.run.store.run import read_run

from .conftest import measured, names, raise_forks, write_meanwhile


@pytest.fixture
def two(fake_run, fake_java, tmp_path):
    """Return one run in two folders: all three forks in the first, one in the second."""
    first = fake_run(fake_java(), folder=tmp_path / "here" / "fake-00000000")
    second = fake_run(fake_java(), folder=tmp_path / "there" / "fake-00000000")
    measured(first)
    measured(second)
    for path in sorted((second.folder / "forks").iterdir())[1:]:
        path.unlink()
    return first, second


def read_bytes(run):
    return {path.name: path.read_bytes() for path in (run.folder / "forks").iterdir()}


def change_identity(run, **changed):
    file = run.folder / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changed))


def test_forks_missing_in_the_second_are_copied_and_the_first_is_unchanged(two):
    first, second = two
    source, target = read_bytes(first), read_bytes(second)
    assert merge.merge_runs(first.folder, second.folder) == (2, 1, 0)
    after = read_bytes(second)
    assert after.keys() == source.keys() and target.items() <= after.items()
    assert read_bytes(first) == source
    assert len(state.scan_run(second).measured) == 3 and names(second.folder, "quarantine") == []
    assert merge.merge_runs(first.folder, second.folder) == (0, 3, 0)


def test_a_corrupt_fork_is_not_copied(two):
    first, second = two
    missing = sorted(set(names(first.folder, "forks")) - set(names(second.folder, "forks")))
    (first.folder / "forks" / missing[0]).write_text("{}")
    assert merge.merge_runs(first.folder, second.folder) == (1, 1, 1)
    assert missing[0] not in names(second.folder, "forks")


@pytest.mark.parametrize("key", SETUP_KEYS)
def test_runs_of_two_machines_jars_jdks_or_flags_are_never_merged(two, key):
    first, second = two
    change_identity(first, **{key: "another"})
    with pytest.raises(BadInput, match=f"the second was measured with {WORDS[key]}"):
        merge.merge_runs(first.folder, second.folder)
    assert len(names(second.folder, "forks")) == 1


def test_runs_with_different_calibrated_amounts_of_work_are_never_merged(two):
    first, second = two
    for run, amount in zip(two, (34, 36), strict=True):
        change_identity(run, amounts={"ring": {"NS_2225": amount}})
    with pytest.raises(BadInput, match="measured with another calibration of the load"):
        merge.merge_runs(first.folder, second.folder)


def test_the_command_prints_what_it_copied(two, capsys):
    first, second = two
    assert main(["merge", str(first.folder), str(second.folder)]) == 0
    assert capsys.readouterr().out == "2 forks copied into fake-00000000; 1 already present.\n"
    assert main(["merge", str(first.folder)]) == 2
    named = ["merge", first.folder.name, str(second.folder), "--data", str(first.folder.parent)]
    assert main(named) == 0
    assert main(["merge", "nosuch", str(second.folder)]) == 2


def test_a_merge_keeps_what_another_runner_wrote_meanwhile(two, monkeypatch):
    first, second = two
    raise_forks(first, {first.points[0].key: 2})

    monkeypatch.setattr(lock, "hold_lock", write_meanwhile(second))
    merge.merge_runs(first.folder, second.folder)
    assert read_run(second.folder).sessions == 2


def test_a_merge_that_is_refused_for_the_shots_of_a_point_changes_nothing(two):
    first, second = two
    change_identity(first, sessions=3)
    plan = first.folder / "plan.json"
    points = json.loads(plan.read_text())
    plan.write_text(json.dumps([points[0] | {"shots": 9}, *points[1:]]))
    before = (second.folder / "run.json").read_bytes()
    with pytest.raises(BadInput, match="such forks are never pooled"):
        merge.merge_runs(first.folder, second.folder)
    assert (second.folder / "run.json").read_bytes() == before


def test_an_archive_that_cannot_be_merged_into_stays_one(two):
    first, second = two
    change_identity(first, machine="another")
    archive.pack_folder(second.folder, second.folder.with_name(f"{second.folder.name}.zip"))
    shutil.rmtree(second.folder)
    assert main(["merge", str(first.folder), str(second.folder)]) == 2
    assert not second.folder.exists()
