"""A fork's processes end when they should, and nothing outlives them. Each name below is a hazard that was measured with JMH."""

import contextlib
import json
import os
import stat
import time
from pathlib import Path

import pytest

from handoff.run import fork, process
from handoff.run.jdk import Jdk
from handoff.run.sweep import Jvm

IDENTITY = {"fork": 0, "block": 0, "order": 0, "machine": "test", "run": "test"}


def left(marker: str) -> list[str]:
    """Processes whose command line holds the marker."""
    found = []
    for process_folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if marker.encode() in (process_folder / "cmdline").read_bytes() and process_folder.name != str(os.getpid()):
                found.append(process_folder.name)
    return found


def test_exit_codes_come_through(tmp_path):
    assert process.run(["sh", "-c", "exit 7"], tmp_path / "log", 10) == 7


def test_a_process_past_its_limit_is_ended_with_its_children(tmp_path):
    began = time.monotonic()
    assert process.run(["sh", "-c", "sleep 61.61 & sleep 61.61"], tmp_path / "log", 0.3) is None
    assert time.monotonic() - began < 30
    assert left("61.61") == []


def test_a_child_that_ignores_termination_is_killed(tmp_path):
    process.run(["sh", "-c", "trap '' TERM; sleep 62.62 & wait; sleep 62.62"], tmp_path / "log", 0.3)
    assert left("62.62") == []


def test_what_a_finished_process_left_behind_is_ended(tmp_path):
    assert process.run(["sh", "-c", "sleep 63.63 & exit 0"], tmp_path / "log", 10) == 0
    assert left("63.63") == []


@pytest.fixture
def java(tmp_path):
    """A `java` that does what a line of shell says; $rff is where JMH would write."""

    def misbehaving(line: str) -> Jdk:
        script = tmp_path / "java"
        script.write_text(f'#!/bin/sh\nfor word; do [ "$last" = -rff ] && rff=$word; last=$word; done\n{line}\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        return Jdk(script, 17, "fake")

    return misbehaving


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("exit 0", "not readable (FileNotFoundError"),
        (': > "$rff"; exit 0', "not readable (JSONDecodeError"),
        ('echo "[]" > "$rff"; exit 0', "not readable"),
        ("echo java.lang.IllegalStateException: lost events; exit 1", "exit code 1: java.lang.IllegalStateException: lost events"),
        ("kill -9 $$", "exit code -9"),
        ("sleep 64.64", "still running after its limit"),
    ],
)
def test_a_fork_that_ends_badly_is_not_counted_and_says_why(java, golden_point, line, reason):
    content, _, wrong = fork.measure(java(line), Jvm(heap="256m"), golden_point, IDENTITY, 1)
    assert content is None and reason in wrong
    assert left("64.64") == []


def test_a_fork_with_a_proper_result_is_counted(java, golden, golden_point, tmp_path):
    (tmp_path / "jmh").write_text(json.dumps([golden["jmh"]]))
    (tmp_path / "evidence").write_text(json.dumps(golden["evidence"]))
    line = f'cp {tmp_path}/jmh "$rff"; cp {tmp_path}/evidence "$(dirname "$rff")/evidence.json"'
    content, _, wrong = fork.measure(java(line), Jvm(heap="256m"), golden_point, IDENTITY, 10)
    assert wrong == "" and content["evidence"] == golden["evidence"]


def test_a_forks_temporary_folder_goes_away(java, golden_point, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    fork.measure(java("exit 1"), Jvm(), golden_point, IDENTITY, 10)
    assert list((tmp_path / "temp").iterdir()) == []


@pytest.mark.parametrize(("feature", "scalar"), [(17, False), (21, False), (22, True), (25, True)])
def test_newer_jdks_sort_without_simd_unless_the_sweep_says_so(feature, scalar):
    assert any("DisableIntrinsic" in flag for flag in fork.flags(Jvm(), "PARALLEL", feature)) == scalar
    assert not any("DisableIntrinsic" in flag for flag in fork.flags(Jvm(simd_sort=True), "PARALLEL", feature))


def test_flags_from_the_environment_do_not_reach_the_jvm(tmp_path, monkeypatch):
    monkeypatch.setenv("_JAVA_OPTIONS", "-Xmx1m")
    process.run(["sh", "-c", "echo ${_JAVA_OPTIONS-none}"], tmp_path / "log", 10)
    assert (tmp_path / "log").read_text() == "none\n"


def test_the_heap_is_fixed_and_half_of_it_is_young():
    assert fork.flags(Jvm(heap="1g"), "PARALLEL", 17)[:3] == ["-Xms1g", "-Xmx1g", "-Xmn512m"]
    assert fork.flags(Jvm(heap="256m"), "G1", 17)[:3] == ["-Xms256m", "-Xmx256m", "-Xmn128m"]
