"""The post's rings, SOFT_AFFINITY's mailbox and the ladder's steps, by Lincheck and jcstress."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from handoff.paths import CHECKS, JAVA_BENCH
from handoff.run.java import jdk
from handoff.run.java.jar import list_compatibility_flags

RINGS = (
    ("SPMC", "executors", set(), 3),
    ("CACHED", "executors", set(), 3),
    ("MODULO", "executors|actors", set(), 4),
    ("READS_LATE", "Wrapped", {"WrappedStress"}, 1),
)
"""Rings of the post, the tests to run, those that must fail, and how many run.

The mailbox runs once, with MODULO; the last ring has a deliberate bug.
"""

STEPS = (
    *("ONE_LOCK_IDLE", "TWO_LOCKS", "NO_LOCK", "PADDED_CURSORS", "RELEASE_ACQUIRE"),
    *("CACHED_CURSORS", "REUSED_EVENTS", "BATCHED", "BATCHED_UNPADDED", "BATCHED_VOLATILE"),
    *("BATCHED_UNCACHED", "BATCHED_ALLOCATING"),
)
"""Steps of the ladder that never sleep: four tests of each."""

WEAKENED = (
    ("PUBLISHES_EARLY", "PublishedStress"),
    ("READS_PLAINLY", "AwaitedEventStress"),
    ("READS_PLAINLY", "AwaitedRoomStress"),
)
"""Steps with a deliberate bug, and a test that finds it."""


def maven(*options: str) -> None:
    java = jdk.find_jdk()
    flags = " ".join(list_compatibility_flags(java))
    home = str(java.java.resolve().parents[1])
    env = os.environ | {"JAVA_HOME": home, "MAVEN_OPTS": flags}
    words = ["-q", "-B", "-ntp", "-f", str(JAVA_BENCH / "pom.xml"), *options, "package"]
    command = [jdk.find_maven(), *words]
    result = subprocess.run(command, env=env, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-3000:]


def test_the_model_checker_says_what_the_notebook_says():
    maven("-Dtest=RingModelTest,MailboxModelTest,StepModelTest", "-Dleft.out=")
    traces = json.loads((JAVA_BENCH / "target" / "lincheck.json").read_text(encoding="utf-8"))
    shown = json.loads((CHECKS / "executors.json").read_text(encoding="utf-8"))
    assert {what: trace is None for what, trace in traces.items()} == {
        what: trace is None for what, trace in shown.items()
    }


@pytest.fixture(scope="module")
def stress_jar() -> Path:
    maven("-Pstress", "-DskipTests")
    return JAVA_BENCH / "target" / "stress.jar"


def stress(jar: Path, subject: str, tests: str, folder: Path) -> tuple[set[str], int, str]:
    """Return the names of the tests that failed, how many ran, and the end of the output."""
    command = [str(jdk.find_jdk().java), "-jar", str(jar), "-m", "quick", "-sc", "false"]
    command += ["-jvmArgsPrepend", subject, "-t", tests, "-r", str(folder)]
    folder.mkdir()
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    output = result.stdout + result.stderr
    forbidden = re.findall(r"^handoff\S*\.(\w+) \[.*Observed forbidden state", output, re.MULTILINE)
    # jcstress silently skips a test that no CPU has room for, so the reports are counted.
    return set(forbidden), len(list(folder.glob("handoff.*.html"))), output[-3000:]


@pytest.mark.parametrize(
    ("subject", "tests", "failing", "count"),
    [
        *((f"-Dring={ring}", *expected) for ring, *expected in RINGS),
        *((f"-Dstep={step}", "ladder", set(), 4) for step in STEPS),
        *((f"-Dstep={step}", test, {test}, 1) for step, test in WEAKENED),
    ],
)
def test_only_deliberate_bugs_fail_on_the_memory_of_this_machine(
    subject: str, tests: str, failing: set[str], count: int, stress_jar: Path, tmp_path: Path
):
    failed, ran, text = stress(stress_jar, subject, tests, tmp_path / "results")
    assert (failed, ran) == (failing, count), text
