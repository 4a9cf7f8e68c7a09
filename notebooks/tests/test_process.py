"""A fork's processes end when they should, and nothing outlives them.

Each test is named after a hazard observed with JMH.
"""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from handoff.cli.notebook import kernel_environment
from handoff.run import fork
from handoff.run.host import process
from handoff.run.java import command
from handoff.run.plan.settings import Jvm


def measure(java, point, limit_s=10, heap="256m"):
    identity = {"fork": 0, "again": 0, "block": 0, "order": 0, "machine": "test", "setup": "test"}
    return fork.measure_fork(java, fork.Job(Jvm(heap=heap), point, identity, limit_s))


def eventually(holds, within_s=20):
    """Return whether it becomes true; only a failing test reaches the limit."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return False


def left(marker: str) -> list[str]:
    """Return the ids of processes whose command line contains the marker."""
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if marker.encode() in (folder / "cmdline").read_bytes():
                pids.append(folder.name)
    return [pid for pid in pids if pid != str(os.getpid())]


def test_children_are_ended_with_their_process(tmp_path):
    assert process.run_process(["sh", "-c", "sleep 61.61 & sleep 61.61"], tmp_path, 0.3) is None
    assert left("61.61") == []
    stubborn = "trap '' TERM; sleep 62.62 & wait; sleep 62.62"
    process.run_process(["sh", "-c", stubborn], tmp_path, 0.3)
    assert left("62.62") == []
    assert process.run_process(["sh", "-c", "sleep 63.63 & exit 0"], tmp_path, 10) == 0
    assert left("63.63") == []


def test_a_forks_temporary_folder_is_removed(fake_java, golden_point, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    assert measure(fake_java("exit 1"), golden_point).state == "failed"
    assert list((tmp_path / "temp").iterdir()) == []


@pytest.mark.parametrize(("feature", "scalar"), [(17, False), (21, False), (22, True), (25, True)])
def test_newer_jdks_sort_without_simd_unless_the_sweep_says_so(feature, scalar):
    def is_scalar(planned):
        flags = command.build_flags(planned, "PARALLEL", feature)
        return any("DisableIntrinsic" in flag for flag in flags)

    assert is_scalar(Jvm()) == scalar and not is_scalar(Jvm(simd_sort=True))


def test_flags_from_the_environment_do_not_reach_the_jvm(tmp_path, monkeypatch):
    monkeypatch.setenv("_JAVA_OPTIONS", "-Xmx1m")
    process.run_process(["sh", "-c", "echo ${_JAVA_OPTIONS-none}"], tmp_path, 10)
    assert (tmp_path / "log.txt").read_text() == "none\n"


@pytest.mark.parametrize(("heap", "young"), [("1g", "512m"), ("256m", "128m")])
def test_the_heap_is_fixed_and_half_of_it_is_young(heap, young):
    flags = command.build_flags(Jvm(heap=heap), "PARALLEL", 17)
    assert flags[:3] == [f"-Xms{heap}", f"-Xmx{heap}", f"-Xmn{young}"]


PAGES = "-XX:+UseLargePages"


@pytest.mark.parametrize(
    ("flags", "in_force", "expected"),
    [
        ([PAGES], {"UseLargePages": "true"}, []),
        ([PAGES], {"UseLargePages": "false"}, ["UseLargePages is false, expected true"]),
        (["-XX:-UseNUMA"], {"UseNUMA": "false"}, []),
        (["-XX:TieredStopAtLevel=1"], {"TieredStopAtLevel": "4"}, ["expected 1"]),
        (["-XX:ReservedCodeCacheSize=64m"], {"ReservedCodeCacheSize": "67108864"}, []),
        (["-Xmx65m"], {"MaxHeapSize": str(66 << 20)}, []),
        (["-Xmx65m"], {"MaxHeapSize": str(128 << 20)}, ["expected 65m"]),
        ([PAGES, "-XX:-UseLargePages"], {"UseLargePages": "false"}, []),
        (["-ea", "-Dx=1", "-XX:CompileCommand=quiet"], {}, []),
    ],
)
def test_flags_are_compared_with_what_the_jvm_reports_as_in_force(flags, in_force, expected):
    problems = command.list_not_in_force(flags, in_force)
    assert all(text in problem for text, problem in zip(expected, problems, strict=True))


def test_the_warm_up_limit_reaches_the_jvm_and_users_cannot_set_it(golden_point):
    settling = golden_point.model_copy(update={"warmup": 0, "warmup_limit": 2.5})
    assert command.plan_flags(Jvm(), settling, 17)[-1] == "-Dhandoff.warmup.seconds=2.5"
    assert not any("warmup" in flag for flag in command.plan_flags(Jvm(), golden_point, 17))
    with pytest.raises(ValueError, match="flags may not contain -Dhandoff"):
        Jvm(flags=["-Dhandoff.warmup.seconds=0"])


def test_a_sweeps_own_flags_reach_the_jvm_after_ours():
    flag = "-XX:-TieredCompilation"
    assert command.build_flags(Jvm(flags=[flag]), "PARALLEL", 25)[-1] == flag


KILLED = """
import sys, pathlib
from handoff.run.host import process
command = ["sh", "-c", "trap '' TERM HUP INT; sleep 65.65 & sleep 65.65"]
process.run_process(command, pathlib.Path(sys.argv[1]), 60)
"""


def test_the_guard_ends_a_child_whose_runner_was_killed(tmp_path):
    folder = tmp_path / "a folder"
    folder.mkdir()
    runner = subprocess.Popen([sys.executable, "-c", KILLED, str(folder)], env=kernel_environment())
    assert eventually(lambda: len(left("65.65")) >= 2)
    runner.kill()
    runner.wait()
    # The guard's command line names the folder: tests that run in parallel have guards too.
    assert eventually(lambda: not left("65.65") and not folder.exists() and not left(str(folder)))
