"""`./run_all.sh test`: everything that must hold of a checkout; with --deep also what takes long."""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from handoff.cli.notebook import kernel_environment
from handoff.errors import COMPLETE, OUR_FAILURE
from handoff.paths import JAVA_BENCH, ROOT
from handoff.run import jdk, lock
from handoff.run.jar import COMPATIBILITY_FLAGS

DEEP = "notebooks/tests/deep"


def run_checks(options: argparse.Namespace) -> int:
    """Runs every check, also after one has failed, and sums up."""
    home = str(jdk.find_jdk().java.resolve().parents[1])
    java = {
        "JAVA_HOME": home,
        "MAVEN_OPTS": f"{' '.join(COMPATIBILITY_FLAGS)} {os.environ.get('MAVEN_OPTS', '')}",
    }
    python = [sys.executable, "-m"]
    checks = {
        "shell": [str(Path(sys.executable).parent / "shellcheck"), "run_all.sh", ".ci/run"],
        "python style": [*python, "ruff", "check", "notebooks"],
        "python format": [*python, "ruff", "format", "--check", "notebooks"],
        "java tests and style": [
            jdk.find_maven(),
            "-B",
            "-ntp",
            "-f",
            str(JAVA_BENCH / "pom.xml"),
            "verify",
        ],
        # Every test that takes longer than a blink, in a table by time.
        "python tests": [
            *python,
            "pytest",
            "-q",
            "--durations=0",
            "--durations-min=0.05",
            f"--ignore={DEEP}",
            "notebooks/tests",
        ],
    }
    first = [name for name in checks if name != "python tests"]
    if options.deep:
        checks["deep tests"] = [
            *python,
            "pytest",
            "-q",
            "--durations=0",
            "--durations-min=0.05",
            "-s",
            DEEP,
        ]
    # Maven makes the jar anew, and a test disturbs: not while a sweep measures.
    with lock.hold_lock("checking this checkout"):
        failed = [
            name for name in first if not run_check(name, checks[name], kernel_environment() | java)
        ]
    failed += [
        name
        for name in checks
        if name not in first and not run_check(name, checks[name], kernel_environment() | java)
    ]
    print(
        f"\n{len(checks) - len(failed)} of {len(checks)} checks passed."
        + (f" Failed: {', '.join(failed)}." if failed else ""),
        flush=True,
    )
    return OUR_FAILURE if failed else COMPLETE


def run_check(name: str, command: list[str], env: dict[str, str]) -> bool:
    print(f"\n== {name}", flush=True)
    began = time.monotonic()
    code = subprocess.run(command, cwd=ROOT, env=env).returncode
    print(
        f"== {name}: {'passed' if code == 0 else 'FAILED'} in {time.monotonic() - began:.0f} s",
        flush=True,
    )
    return code == 0
