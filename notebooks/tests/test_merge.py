"""Runs of one set-up can be joined, whatever their sweeps; runs of two machines never."""

import json

import pytest

from handoff.cli.main import main
from handoff.errors import BadInput
from handoff.run import merge
from handoff.run.store import state
from handoff.run.store.identity import SETUP_KEYS, WORDS

from .conftest import measured, names


@pytest.fixture
def two(fake_run, fake_java, tmp_path):
    """The same run in two folders: three forks in the first, of which one is also in the second."""
    first = fake_run(fake_java(), folder=tmp_path / "here" / "fake-00000000")
    second = fake_run(fake_java(), folder=tmp_path / "there" / "fake-00000000")
    measured(first)
    measured(second)
    for path in sorted((second.folder / "forks").iterdir())[1:]:
        path.unlink()
    return first, second


def test_forks_that_the_second_lacks_are_copied_and_the_first_is_unchanged(two):
    first, second = two
    before = {path.name: path.read_bytes() for path in (first.folder / "forks").iterdir()}
    own = {path.name: path.read_bytes() for path in (second.folder / "forks").iterdir()}
    assert merge.merge_runs(first.folder, second.folder) == (2, 1, 0)
    after = {path.name: path.read_bytes() for path in (second.folder / "forks").iterdir()}
    assert after.keys() == before.keys() and own.items() <= after.items()
    assert {path.name: path.read_bytes() for path in (first.folder / "forks").iterdir()} == before
    assert len(state.scan_run(second).measured) == 3 and names(second.folder, "quarantine") == []
    assert merge.merge_runs(first.folder, second.folder) == (0, 3, 0)


def test_a_fork_that_must_not_be_read_is_left(two):
    first, second = two
    lacking = sorted(set(names(first.folder, "forks")) - set(names(second.folder, "forks")))
    (first.folder / "forks" / lacking[0]).write_text("{}")
    assert merge.merge_runs(first.folder, second.folder) == (1, 1, 1)
    assert lacking[0] not in names(second.folder, "forks")


@pytest.mark.parametrize("key", SETUP_KEYS)
def test_runs_of_two_machines_jars_jdks_or_flags_are_never_joined(two, key):
    first, second = two
    file = first.folder / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {key: "another"}))
    with pytest.raises(BadInput, match=f"cannot be merged: they were measured with {WORDS[key]}"):
        merge.merge_runs(first.folder, second.folder)
    assert len(names(second.folder, "forks")) == 1


def test_runs_whose_words_stand_for_other_amounts_of_work_are_never_joined(two):
    first, second = two
    for run, amount in zip(two, (34, 36), strict=True):
        file = run.folder / "run.json"
        amounts = {"amounts": {"ring": {"NS_2225": amount}}}
        file.write_text(json.dumps(json.loads(file.read_text()) | amounts))
    with pytest.raises(BadInput, match="measured with another calibration of the load"):
        merge.merge_runs(first.folder, second.folder)


def test_the_command_says_what_it_did(two, capsys):
    first, second = two
    assert main(["merge", str(first.folder), str(second.folder)]) == 0
    assert capsys.readouterr().out == "2 forks copied into fake-00000000; 1 already present.\n"
    assert main(["merge", str(first.folder)]) == 2
    assert (
        main(["merge", first.folder.name, str(second.folder), "--data", str(first.folder.parent)])
        == 0
    )
    assert main(["merge", "nosuch", str(second.folder)]) == 2
