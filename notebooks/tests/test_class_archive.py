"""The archive of parsed classes: made when it is worth it, for these very files, and never in the
way.
"""

import json
import os
from pathlib import Path

import pytest

from handoff.run import class_archive
from handoff.run.host.process import SurvivingProcess
from handoff.run.java import command, jar, jdk
from handoff.run.plan.sweep import Jvm

ANY = jdk.Jdk(Path("/usr/bin/java"), 17, "")


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """A folder with a file that stands for the jar, and no archive."""
    (tmp_path / "benchmarks.jar").write_text("a jar")
    for module in (class_archive, command):
        monkeypatch.setattr(module, "JAR", tmp_path / "benchmarks.jar")
    return tmp_path


@pytest.fixture
def trained(beside, monkeypatch):
    """The same, where a fork has told its classes."""
    monkeypatch.setattr(class_archive, "load_classes", lambda *_: ["java/lang/Object"])
    monkeypatch.setattr(class_archive, "list_classes", lambda: ["handoff/cli/Main"])
    return beside


def test_few_forks_are_not_worth_one(beside, monkeypatch):
    monkeypatch.setattr(class_archive, "make_archive", lambda *_: pytest.fail("it was made"))
    class_archive.provide_archive(ANY, class_archive.LEAST_FORKS - 1)


def test_it_is_made_once_for_one_jar_and_anew_for_one_that_was_written_again(beside, monkeypatch):
    made = []
    monkeypatch.setattr(class_archive, "make_archive", lambda _, file: made.append(file.touch()))
    for _ in range(2):
        class_archive.provide_archive(ANY, class_archive.LEAST_FORKS)
    assert len(made) == 1 and len(command.share_classes(ANY, Jvm())) == 1
    os.utime(beside / "benchmarks.jar", (1, 1))
    assert command.share_classes(ANY, Jvm()) == []
    class_archive.provide_archive(ANY, class_archive.LEAST_FORKS)
    assert len(made) == 2


def test_a_heap_of_wide_references_goes_without(beside):
    command.locate_archive(ANY).touch()
    assert command.share_classes(ANY, Jvm(heap="31g"))
    assert command.share_classes(ANY, Jvm(heap="32g")) == []


@pytest.mark.parametrize("line", ["exit 1", "exit 0", "kill -9 $$"])
def test_a_java_that_makes_none_leaves_what_was_there_and_is_no_error(trained, tmp_path, line):
    (trained / "classes-0.jsa").touch()
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text(f"#!/bin/sh\n{line}\n")
    java.chmod(0o755)
    class_archive.provide_archive(jdk.Jdk(java, 17, ""), class_archive.LEAST_FORKS)
    assert {path.name for path in trained.iterdir()} == {"benchmarks.jar", "classes-0.jsa", "bin"}


def test_a_full_disk_is_no_error(trained, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(class_archive, "run_java", refuse)
    class_archive.provide_archive(ANY, class_archive.LEAST_FORKS)
    assert [path.name for path in trained.iterdir()] == ["benchmarks.jar"]


def test_a_java_that_cannot_be_ended_stops_the_sweep(trained, monkeypatch):
    def survive(*_):
        raise SurvivingProcess("process group 1 survived SIGKILL")

    monkeypatch.setattr(class_archive, "run_java", survive)
    with pytest.raises(SurvivingProcess):
        class_archive.provide_archive(ANY, class_archive.LEAST_FORKS)


def test_java_passes_over_an_archive_that_is_none(tmp_path):
    (tmp_path / "classes.jsa").write_bytes(b"nothing of the kind")
    flags = [f"-XX:SharedArchiveFile={tmp_path / 'classes.jsa'}"]
    answer = jar.run_jar(jdk.find_jdk(), flags, ["topology"])
    assert answer.returncode == 0 and json.loads(answer.stdout)["cpus"]
