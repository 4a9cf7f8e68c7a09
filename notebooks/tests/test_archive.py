"""Runs as one file, and archives that strangers made."""

import json
import os
import shutil
import zipfile

import pytest

from handoff import archive
from handoff.cli.main import main
from handoff.errors import BadInput
from handoff.paths import (
    find_home,
    find_latest_run,
    find_run,
    find_run_folder,
    list_run_folders,
    restore_folder,
)
from handoff.run.host import lock
from handoff.run.store.run import read_run
from handoff.tables import tidy

from .conftest import write_files

NAME = "reference-warmup"


@pytest.fixture
def unpacked(tmp_path):
    """Return a folder of runs with the folder of a shipped run."""
    shutil.copytree(find_run_folder(NAME), tmp_path / "runs" / NAME)
    return tmp_path / "runs"


@pytest.fixture
def archived(unpacked, capsys):
    """Return that folder with the run's archive instead of its folder."""
    assert main(["archive", NAME, "--data", str(unpacked)]) == 0
    shutil.rmtree(unpacked / NAME)
    capsys.readouterr()
    return unpacked


def test_an_archived_run_is_read_like_its_folder(archived):
    folder = find_run(NAME, archived)
    run, shipped = read_run(folder), read_run(find_run_folder(NAME))
    assert find_home(folder) == archived and run.folder.name == NAME
    assert tidy.list_forks(run) == tidy.list_forks(shipped) and run.missing() == []
    assert [each.name for each in list_run_folders(archived)] == [NAME]
    assert find_run(str(archived / f"{NAME}.zip"), archived) == folder


def test_what_adds_to_an_archived_run_gets_its_folder(archived):
    own = restore_folder(find_run(NAME, archived))
    assert own == archived / NAME and find_run(NAME, archived) == own
    assert restore_folder(own) == own


def test_the_same_content_gives_the_same_bytes(archived, tmp_path):
    again = tmp_path / "again"
    shutil.copytree(find_run_folder(NAME), again / NAME)
    for file in again.rglob("*.json"):
        file.touch()
    assert main(["archive", NAME, "--data", str(again)]) == 0
    assert (again / f"{NAME}.zip").read_bytes() == (archived / f"{NAME}.zip").read_bytes()


def test_an_archive_that_was_replaced_is_unpacked_again(archived, tmp_path):
    before, file = find_run(NAME, archived), archived / f"{NAME}.zip"
    (before / "forks" / "left").touch()
    archive.unpack_archive(file, tmp_path / "other")
    (tmp_path / "other" / "note.txt").write_text("more")
    archive.pack_folder(tmp_path / "other", file)
    after = find_run(NAME, archived)
    assert (after / "note.txt").is_file() and not (after / "forks" / "left").exists()


def make_archive(path, *entries):
    with zipfile.ZipFile(path, "w") as made:
        for name, content, mode in entries:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            made.writestr(entry, content)
    return path


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ([("../outside", "x", 0)], "is not an allowed file name"),
        ([("/etc/outside", "x", 0)], "is not an allowed file name"),
        ([("a/../../outside", "x", 0)], "is not an allowed file name"),
        ([("a\x1b[31m", "x", 0)], "is not an allowed file name"),
        ([("big", b"0" * 2_000_000, 0)], "limits of an archive are 1,000,000 files and 1 MiB"),
    ],
)
def test_a_hostile_archive_is_one_sentence_and_leaves_nothing(tmp_path, entries, sentence):
    file = make_archive(tmp_path / "pack.zip", *entries)
    with pytest.raises(BadInput, match=sentence):
        archive.unpack_archive(file, tmp_path / "in" / "side", most_bytes=2**20)
    assert list((tmp_path / "in").iterdir()) == []


@pytest.mark.parametrize("cut", [0, 10, 200, -30])
def test_a_cut_archive_is_one_sentence(tmp_path, cut):
    whole = make_archive(tmp_path / "whole.zip", ("a", "x" * 1000, 0)).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:cut])
    with pytest.raises(BadInput, match=r"cut\.zip is not a readable archive"):
        archive.unpack_archive(tmp_path / "cut.zip", tmp_path / "inside")


def refuse_to_archive(runs, capsys):
    """Return the sentence that refuses to archive the run, after checking that nothing changed."""
    assert main(["archive", NAME, "--data", str(runs)]) in (1, 2)
    out, err = capsys.readouterr()
    assert "may be removed" not in out and err.count("\n") == 1
    assert [path.name for path in runs.iterdir() if path.name.startswith(NAME)] == [NAME]
    return err


def test_what_reading_would_refuse_is_not_written(unpacked, capsys, monkeypatch):
    monkeypatch.setattr(archive, "MOST_FILES", 10)
    assert "the limits of an archive are 10 files" in refuse_to_archive(unpacked, capsys)
    monkeypatch.setattr(archive, "MOST_FILES", 1000)
    monkeypatch.setattr(archive, "MOST_BYTES", 2**20)
    assert "files and 1 MiB" in refuse_to_archive(unpacked, capsys)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.symlink_to("/etc/passwd"), "is a link or a device"),
        (os.mkfifo, "is a link or a device"),
        (lambda path: path.with_name("o\td.json").write_text(""), "is not an allowed file name"),
    ],
    ids=["link", "pipe", "name"],
)
def test_what_no_archive_holds_is_named(unpacked, capsys, make, sentence):
    make(unpacked / NAME / "forks" / "odd.json")
    assert sentence in refuse_to_archive(unpacked, capsys)


def test_an_archive_that_was_written_wrongly_is_not_announced(unpacked, capsys, monkeypatch):
    write = zipfile.ZipFile.writestr

    def lose_a_byte(packed, entry, content):
        write(packed, entry, content[:-1])

    monkeypatch.setattr(zipfile.ZipFile, "writestr", lose_a_byte)
    assert "changed while it was archived" in refuse_to_archive(unpacked, capsys)


def test_what_is_not_in_the_archive_is_named(unpacked, call):
    (unpacked / NAME / "notes.txt").write_text("mine")
    ended = call("archive", NAME, "--data", unpacked)
    assert ended.returncode == 0 and "Not in the archive: notes.txt." in ended.stdout


def test_a_run_that_a_runner_adds_to_is_not_archived(unpacked, capsys, monkeypatch):
    monkeypatch.setattr(lock, "TIMEOUT_S", 0.1)
    with lock.hold_run(unpacked / NAME):
        lock.HOLDING_THREADS.clear()
        assert main(["archive", NAME, "--data", str(unpacked)]) == 5
    assert "may be removed" not in capsys.readouterr().out


PLAN = [{"study": "scaling", "params": {"mechanism": "SEQUENTIAL"}, "shots": 1, "forks": 1}]
RUN = {"sweep": "s", "machine": "m", "jar": "j", "jdk": "k", "flags": "f", "profile": "p"}
WHOLE = {
    "plan.json": json.dumps(PLAN),
    "machine.json": '{"id": "m"}',
    "sweep.yml": "{about: x, forks: {fitting: 1}, studies: {scaling: [{shots: 1}]}}",
}
BROKEN = {"garbage": b"garbage", "empty": b"", "cut": b"PK\x03\x04"}
FOLDERS = {
    "half": {"plan.json": "[]"},
    "nested": {"plan.json": "[" * 20_000, "run.json": "{}", "machine.json": "{}"},
    "endless": WHOLE | {"run.json": json.dumps(RUN | {"sessions": 10**9})},
    "wordy": WHOLE | {"run.json": json.dumps(RUN | {"sessions": "two"})},
}


def test_broken_archives_and_folders_are_rows_and_end_neither_the_list_nor_the_latest(
    archived, capsys
):
    for name, content in BROKEN.items():
        (archived / f"{name}.zip").write_bytes(content)
    make_archive(archived / "planless.zip", ("forks/a", "x", 0))
    for name, files in FOLDERS.items():
        write_files(archived / name, files)
    assert main(["runs", "--json", "--data", str(archived)]) == 0
    rows = {row["run"]: row for row in json.loads(capsys.readouterr().out.splitlines()[-1])["runs"]}
    assert rows[NAME]["found"] > 0
    for name in (*BROKEN, *FOLDERS):
        assert rows[name]["about"] and rows[name]["forks"] == 0, name
    assert main(["mistyped", "--data", str(archived)]) == 2
    assert "unknown profile" in capsys.readouterr().err
    assert find_latest_run(archived).name not in ("half", "nested", *BROKEN)
