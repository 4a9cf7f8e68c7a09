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
from handoff.run.host import process
from handoff.run.java import command
from handoff.run.plan.settings import Jvm


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


@pytest.fixture
def guarded(tmp_path):
    with process.guard_folder("test-", tmp_path) as made:
        yield made
    assert not made.folder.exists()


def test_children_are_ended_with_their_process(guarded):
    assert process.run_process(["sh", "-c", "sleep 61.61 & sleep 61.61"], guarded, 0.3) is None
    assert left("61.61") == []
    stubborn = "trap '' TERM; sleep 62.62 & wait; sleep 62.62"
    process.run_process(["sh", "-c", stubborn], guarded, 0.3)
    assert left("62.62") == []
    assert process.run_process(["sh", "-c", "sleep 63.63 & exit 0"], guarded, 10) == 0
    assert left("63.63") == []


SIMD, OWN = "-XX:DisableIntrinsic=_arraySort,_arrayPartition", "-XX:-TieredCompilation"
TOUCHED, UNTOUCHED = "-XX:+AlwaysPreTouch", "-XX:-AlwaysPreTouch"
LAZY, SETTLING = {"memory": "FIRST_TOUCH"}, {"warmup": 0, "warmup_limit": 2.5}
WARM_UP = "-Dhandoff.warmup.seconds=2.5"
SHORT = {**SETTLING, "warmup_events": 4000}
SHORT_WARM_UP = "-Dhandoff.warmup.events=4000"


@pytest.mark.parametrize(
    ("jvm", "feature", "params", "changed", "given", "left_out"),
    [
        (Jvm(heap="256m"), 17, {}, {}, ["-Xms256m", "-Xmx256m", "-Xmn128m"], [SIMD]),
        (Jvm(heap="1g"), 17, {}, {}, ["-Xmn512m", TOUCHED], [UNTOUCHED, WARM_UP]),
        (Jvm(), 21, {}, {}, [], [SIMD]),
        (Jvm(), 22, {}, {}, [SIMD], []),
        (Jvm(simd_sort=True), 22, {}, {}, [], [SIMD]),
        (Jvm(), 17, LAZY, {}, [UNTOUCHED], [TOUCHED]),
        (Jvm(), 17, {}, SETTLING, [WARM_UP], [SHORT_WARM_UP]),
        (Jvm(), 17, {}, SHORT, [WARM_UP, SHORT_WARM_UP], []),
    ],
)
def test_the_jvm_gets_the_flags_of_its_release_sweep_and_point(
    golden_point, jvm, feature, params, changed, given, left_out
):
    point = golden_point.model_copy(update={"params": golden_point.params | params} | changed)
    flags = set(command.plan_flags(jvm, point, feature))
    assert flags >= set(given) and flags.isdisjoint(left_out)


def test_flags_from_the_environment_do_not_reach_the_jvm(guarded, monkeypatch):
    monkeypatch.setenv("_JAVA_OPTIONS", "-Xmx1m")
    process.run_process(["sh", "-c", "echo ${_JAVA_OPTIONS-none}"], guarded, 10)
    assert (guarded.folder / "log.txt").read_text() == "none\n"


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


def test_a_sweeps_own_flags_reach_the_jvm_after_ours():
    assert command.build_flags(Jvm(flags=[OWN]), "PARALLEL", 25)[-1] == OWN


KILLED = """
import sys, pathlib
from handoff.run.host import process
command = ["sh", "-c", "trap '' TERM HUP INT; sleep 65.65 & sleep 65.65"]
with process.guard_folder("a folder", pathlib.Path(sys.argv[1])) as guarded:
    process.run_process(command, guarded, 60)
"""


def test_the_guard_ends_a_child_whose_runner_was_killed(tmp_path):
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    runner = subprocess.Popen(command, env=kernel_environment())
    assert eventually(lambda: len(left("65.65")) >= 2)
    runner.kill()
    runner.wait()
    # The guard's command line names the folder: tests that run in parallel have guards too.
    assert eventually(lambda: not left("65.65") and not left(str(tmp_path)))
    assert list(tmp_path.iterdir()) == []
