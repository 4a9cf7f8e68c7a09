"""The post's rings, and the mailbox of SOFT_AFFINITY, under two checkers: Lincheck tries
interleavings, jcstress this machine's memory.
"""

import json
import os
import re
import subprocess
from pathlib import Path

from handoff.paths import CHECKS, JAVA_BENCH
from handoff.run.java import jdk
from handoff.run.java.jar import list_compatibility_flags

RINGS = {"MODULO": "handoff", "SPMC": "executors", "CACHED": "executors", "READS_LATE": "Wrapped"}
"""Rings of the stress tests, the last one with a deliberate bug, and which tests to run."""

STRESSED = 11
"""Three rings in three ways, the deliberate bug, and the mailbox."""


def maven(*options: str) -> None:
    found = jdk.find_jdk()
    flags = " ".join(list_compatibility_flags(found))
    home = str(found.java.resolve().parents[1])
    env = os.environ | {"JAVA_HOME": home, "MAVEN_OPTS": flags}
    command = [
        jdk.find_maven(),
        "-q",
        "-B",
        "-ntp",
        "-f",
        str(JAVA_BENCH / "pom.xml"),
        *options,
    ]
    ended = subprocess.run([*command, "package"], env=env, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout[-3000:]


def test_the_model_checker_says_what_the_notebook_says():
    maven("-Dtest=RingModelTest,MailboxModelTest", "-Dleft.out=")
    found = json.loads((JAVA_BENCH / "target" / "lincheck.json").read_text(encoding="utf-8"))
    text = json.loads((CHECKS / "executors.json").read_text(encoding="utf-8"))
    assert {what: trace is None for what, trace in found.items()} == {
        what: trace is None for what, trace in text.items()
    }


def test_only_the_deliberate_bug_fails_on_the_memory_of_this_machine(tmp_path: Path):
    maven("-Pstress", "-DskipTests")
    command = [
        str(jdk.find_jdk().java),
        "-jar",
        str(JAVA_BENCH / "target" / "stress.jar"),
        "-m",
        "quick",
        "-sc",
        "false",
    ]
    failed, text = set(), ""
    for ring, tests in RINGS.items():
        words = ["-jvmArgsPrepend", f"-Dring={ring}", "-t", tests, "-r", str(tmp_path / ring)]
        ended = subprocess.run([*command, *words], cwd=tmp_path, capture_output=True, text=True)
        output = ended.stdout + ended.stderr
        forbidden = re.findall(r"^(handoff\S+) \[.*Observed forbidden state", output, re.MULTILINE)
        failed |= {(ring, test) for test in forbidden}
        text += output[-3000:]
    # jcstress silently skips a test that no CPU has room for, so the reports are counted.
    reports = list(tmp_path.glob("*/handoff.*.html"))
    print(f"jcstress ran {len(reports)} tests")
    assert len(reports) == STRESSED, text
    assert failed == {("READS_LATE", "handoff.executors.WrappedStress")}, text
