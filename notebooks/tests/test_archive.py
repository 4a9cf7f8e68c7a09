"""The archive of parsed classes: made when it is worth it, and never in the way."""

import json

import pytest

from handoff.run import archive, jar, jdk
from handoff.run.command import share_classes


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """A folder that stands for the jar's, without an archive."""
    monkeypatch.setattr(archive, "locate_archive", lambda *_: tmp_path / "classes.jsa")
    return tmp_path


def test_few_forks_are_not_worth_one(beside, monkeypatch):
    monkeypatch.setattr(archive, "make_archive", lambda *_: pytest.fail("it was made"))
    archive.provide_archive(jdk.Jdk("java", 17, ""), archive.LEAST_FORKS - 1)


def test_a_java_that_makes_none_leaves_nothing_and_is_no_error(beside, fake_java):
    archive.provide_archive(fake_java("exit 1"), archive.LEAST_FORKS)
    assert not list(beside.glob("classes*"))


def test_it_is_made_once(beside, monkeypatch):
    made = []
    monkeypatch.setattr(archive, "make_archive", lambda _, file: made.append(file.touch()))
    for _ in range(2):
        archive.provide_archive(jdk.Jdk("java", 17, ""), archive.LEAST_FORKS)
    assert len(made) == 1


def test_java_passes_over_an_archive_that_is_none(tmp_path):
    (tmp_path / "classes.jsa").write_bytes(b"nothing of the kind")
    flags = [f"-XX:SharedArchiveFile={tmp_path / 'classes.jsa'}"]
    answer = jar.run_jar(jdk.find_jdk(), flags, ["topology"])
    assert answer.returncode == 0 and json.loads(answer.stdout)["cpus"]


def test_nor_is_one_named_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr("handoff.run.command.locate_archive", lambda *_: tmp_path / "none.jsa")
    assert share_classes(jdk.Jdk("java", 17, "")) == []
