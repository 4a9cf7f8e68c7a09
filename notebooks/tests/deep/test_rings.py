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

SOWN = "handoff.executors.WrappedStress.ReadsLate"
STRESSED = 11
"""Three stages in three ways, the bug sown on purpose, and the mailbox."""


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
        "-Dsurefire.failIfNoSpecifiedTests=false",
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


def test_all_but_the_sown_bug_stand_the_memory_of_this_machine(tmp_path: Path):
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
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    text = ended.stdout + ended.stderr
    # A test that no CPU has room for is left out without a word, so the reports of those that ran
    # are counted.
    ran = [report.stem for report in (tmp_path / "results").glob("handoff.*.html")]
    print(f"jcstress ran {len(ran)} tests")
    assert len(ran) == STRESSED, text[-3000:]
    assert set(re.findall(r"^(handoff\S+) \[.*Observed forbidden state", text, re.MULTILINE)) == {
        SOWN
    }, text[-3000:]
