"""`./run_all.sh test`: everything that must hold of a checkout; with --deep also
what takes long.
"""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

from handoff.cli.notebook import kernel_environment
from handoff.cli.request import TestRequest
from handoff.errors import COMPLETE, OUR_FAILURE, Failure
from handoff.paths import JAVA_BENCH, ROOT
from handoff.run.host import lock
from handoff.run.java import jar, jdk
from handoff.run.java.jar import list_compatibility_flags

DEEP = ["notebooks/tests/deep", "notebooks/tests/labs/deep"]
SLOWEST = 25
"""How many tests the table of the slowest holds."""

PYTHON = [sys.executable, "-m"]
PYTEST = [*PYTHON, "pytest", "-q", f"--durations={SLOWEST}", "--durations-min=1"]
BY_FILE = ["--dist", "loadfile", "--no-loadscope-reorder"]
"""One process takes a whole file, whose tests share what they measured, in the order collected."""
JAVA = "java tests and style"


def list_checks(deep: bool) -> dict[str, list[str]]:
    """Name to command, the quick ones first."""
    beside = Path(sys.executable).parent
    maven = [jdk.find_maven(), "-B", "-ntp", "-f", str(JAVA_BENCH / "pom.xml")]
    workers = str(len(os.sched_getaffinity(0)))
    checks = {
        "shell": [str(beside / "shellcheck"), "run_all.sh", ".ci/run", "postBuild"],
        "python style": [*PYTHON, "ruff", "check", "notebooks"],
        "python format": [*PYTHON, "ruff", "format", "--check", "notebooks"],
        "python imports": [str(beside / "lint-imports")],
        "python types": [*PYTHON, "mypy"],
        JAVA: [*maven, f"-DforkCount={workers}", "-Pchecks", "verify"],
        "python tests": [
            *PYTEST,
            "-n",
            workers,
            *BY_FILE,
            *(f"--ignore={folder}" for folder in DEEP),
        ],
    }
    return checks | ({"deep tests": [*PYTEST, "-s", *DEEP]} if deep else {})


def run_checks(request: TestRequest) -> int:
    """Runs every check, also after one has failed, and sums up."""
    java = jdk.find_jdk()
    home = str(java.java.resolve().parents[1])
    options = f"{' '.join(list_compatibility_flags(java))} {os.environ.get('MAVEN_OPTS', '')}"
    env = kernel_environment() | {"JAVA_HOME": home, "MAVEN_OPTS": options}
    checks = list_checks(request.deep)
    # Maven makes the jar anew, and a test disturbs: not while a sweep measures.
    with lock.hold_lock("checking this checkout"):
        failed = [name for name in checks if not run_check(name, checks[name], env)]
    failures = f" Failed: {', '.join(failed)}." if failed else ""
    print(f"\n{len(checks) - len(failed)} of {len(checks)} checks passed.{failures}", flush=True)
    return OUR_FAILURE if failed else COMPLETE


def run_check(name: str, command: list[str], env: dict[str, str]) -> bool:
    print(f"\n== {name}", flush=True)
    began = time.monotonic()
    code = subprocess.run(command, cwd=ROOT, env=env).returncode
    print(
        f"== {name}: {'passed' if code == 0 else 'FAILED'} in {time.monotonic() - began:.0f} s",
        flush=True,
    )
    if name == JAVA:
        # By the lock's holder: a test that finds no jar could not build it meanwhile. What does
        # not compile has failed above, in Maven's words.
        with contextlib.suppress(Failure):
            jar.build_jar(jdk.find_jdk())
    return code == 0
