"""Archive of parsed classes: made for enough forks and the current jar, never an obstacle."""

import json
import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from handoff.run import class_archive
from handoff.run.host.process import SurvivingProcess
from handoff.run.java import command, jar, jdk
from handoff.run.plan.settings import Jvm


@pytest.fixture
def jar_folder(tmp_path, monkeypatch):
    """Return a folder with a file that stands for the jar, and no archive."""
    (tmp_path / "benchmarks.jar").write_text("a jar")
    for module in (class_archive, command):
        monkeypatch.setattr(module, "JAR", tmp_path / "benchmarks.jar")
    return tmp_path


def make_jdk(folder: Path, java: Path = Path("/usr/bin/java")) -> jdk.Jdk:
    return jdk.Jdk(java, 17, "", folder / "benchmarks.jar")


@pytest.fixture
def trained(jar_folder, monkeypatch):
    """Return the same folder, where a fork has listed its classes."""
    monkeypatch.setattr(class_archive, "load_classes", lambda *_: ["java/lang/Object"])
    monkeypatch.setattr(class_archive, "list_classes", lambda _: ["handoff/cli/Main"])
    return jar_folder


def test_no_archive_is_made_for_few_forks(jar_folder, monkeypatch):
    monkeypatch.setattr(class_archive, "make_archive", lambda *_: pytest.fail("it was made"))
    class_archive.provide_archive(make_jdk(jar_folder), class_archive.LEAST_FORKS - 1)


def test_an_archive_is_made_once_per_jar_and_again_for_a_rewritten_one(jar_folder, monkeypatch):
    made = []
    monkeypatch.setattr(class_archive, "make_archive", lambda _, file: made.append(file.touch()))
    for _ in range(2):
        class_archive.provide_archive(make_jdk(jar_folder), class_archive.LEAST_FORKS)
    assert len(made) == 1 and len(command.share_classes(make_jdk(jar_folder), Jvm())) == 1
    os.utime(jar_folder / "benchmarks.jar", (1, 1))
    assert command.share_classes(make_jdk(jar_folder), Jvm()) == []
    class_archive.provide_archive(make_jdk(jar_folder), class_archive.LEAST_FORKS)
    assert len(made) == 2


def test_a_heap_with_wide_references_uses_no_archive(jar_folder):
    command.locate_archive(make_jdk(jar_folder)).touch()
    assert command.share_classes(make_jdk(jar_folder), Jvm(heap="31g"))
    assert command.share_classes(make_jdk(jar_folder), Jvm(heap="32g")) == []


@pytest.mark.parametrize("line", ["exit 1", "exit 0", "kill -9 $$"])
def test_a_java_that_makes_no_archive_changes_nothing_and_is_not_an_error(trained, tmp_path, line):
    (trained / "classes-0.jsa").touch()
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text(f"#!/bin/sh\n{line}\n")
    java.chmod(0o755)
    class_archive.provide_archive(make_jdk(trained, java), class_archive.LEAST_FORKS)
    assert {path.name for path in trained.iterdir()} == {"benchmarks.jar", "classes-0.jsa", "bin"}


def test_a_full_disk_is_not_an_error(trained, monkeypatch):
    full = Mock(side_effect=OSError(28, "No space left on device"))
    monkeypatch.setattr(class_archive, "run_java", full)
    class_archive.provide_archive(make_jdk(trained), class_archive.LEAST_FORKS)
    assert [path.name for path in trained.iterdir()] == ["benchmarks.jar"]


def test_a_java_that_cannot_be_killed_stops_the_sweep(trained, monkeypatch):
    surviving = Mock(side_effect=SurvivingProcess("process group 1 survived SIGKILL"))
    monkeypatch.setattr(class_archive, "run_java", surviving)
    with pytest.raises(SurvivingProcess):
        class_archive.provide_archive(make_jdk(trained), class_archive.LEAST_FORKS)


def test_java_ignores_an_invalid_archive(tmp_path):
    (tmp_path / "classes.jsa").write_bytes(b"nothing of the kind")
    flags = [f"-XX:SharedArchiveFile={tmp_path / 'classes.jsa'}"]
    answer = jar.run_jar(jdk.find_jdk(), flags, ["topology"])
    assert answer.returncode == 0 and json.loads(answer.stdout)["cpus"]
