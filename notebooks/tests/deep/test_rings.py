"""The post's rings and SOFT_AFFINITY's mailbox, checked by Lincheck and by jcstress."""

import json
import os
import re
import subprocess
from pathlib import Path

from handoff.paths import CHECKS, JAVA_BENCH
from handoff.run.java import jdk
from handoff.run.java.jar import list_compatibility_flags

RINGS = {"MODULO": "handoff", "SPMC": "executors", "CACHED": "executors", "READS_LATE": "Wrapped"}
"""Rings of the stress tests and the tests to run; the last ring has a deliberate bug."""

STRESSED = 11
"""Three tests of each of three rings, the deliberate bug, and the mailbox."""


def maven(*options: str) -> None:
    java = jdk.find_jdk()
    flags = " ".join(list_compatibility_flags(java))
    home = str(java.java.resolve().parents[1])
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
    result = subprocess.run([*command, "package"], env=env, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-3000:]


def test_the_model_checker_says_what_the_notebook_says():
    maven("-Dtest=RingModelTest,MailboxModelTest", "-Dleft.out=")
    traces = json.loads((JAVA_BENCH / "target" / "lincheck.json").read_text(encoding="utf-8"))
    shown = json.loads((CHECKS / "executors.json").read_text(encoding="utf-8"))
    assert {what: trace is None for what, trace in traces.items()} == {
        what: trace is None for what, trace in shown.items()
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
        result = subprocess.run([*command, *words], cwd=tmp_path, capture_output=True, text=True)
        output = result.stdout + result.stderr
        forbidden = re.findall(r"^(handoff\S+) \[.*Observed forbidden state", output, re.MULTILINE)
        failed |= {(ring, test) for test in forbidden}
        text += output[-3000:]
    # jcstress silently skips a test that no CPU has room for, so the reports are counted.
    reports = list(tmp_path.glob("*/handoff.*.html"))
    print(f"jcstress ran {len(reports)} tests")
    assert len(reports) == STRESSED, text
    assert failed == {("READS_LATE", "handoff.executors.WrappedStress")}, text
