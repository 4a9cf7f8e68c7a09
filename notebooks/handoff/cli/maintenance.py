"""The commands for maintainers: check the checkout, write its generated files again."""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import PIPE, STDOUT

from handoff.catalog import load_catalog
from handoff.claims import history
from handoff.cli import answers
from handoff.cli.measuring import provide_jar
from handoff.cli.notebook import kernel_environment
from handoff.errors import COMPLETE, OUR_FAILURE, BadInput, Failure
from handoff.files import write_text
from handoff.paths import (
    ANSWERS_SCHEMA,
    COLUMNS,
    JAVA_BENCH,
    RECORDED_TESTS,
    ROOT,
    STUDIES,
    SWEEP_SCHEMA,
    display_path,
)
from handoff.report import verdict_page
from handoff.run.host import lock
from handoff.run.java import jar, jdk
from handoff.run.plan import sweep
from handoff.tables import schema

PYTHON = [sys.executable, "-m"]
PYTEST = [*PYTHON, "pytest", "-q", "--durations=25", "--durations-min=1"]
JAVA, PYTHON_TESTS, DEEP = "java tests and style", "python tests", "deep tests"
MARKERS = {"machine": ["-m", "machine"], "other": ["-m", "not machine"]}
PARTS = ("static", *MARKERS)
"""Parts that may run alone, as a job of a workflow: pytest's two halves, and all else."""


def list_checks(part: str, deep: bool) -> dict[str, list[str]]:
    """Return the command of each check by its name; '' means every part."""
    cpus, programs = len(os.sched_getaffinity(0)), Path(sys.executable).parent
    checks = {}
    if part in ("", "static"):
        maven = [jdk.find_maven(), "-B", "-ntp", "-f", str(JAVA_BENCH / "pom.xml")]
        checks = {
            "shell": [str(programs / "shellcheck"), "run_all.sh", ".ci/run", "postBuild"],
            "python style": [*PYTHON, "ruff", "check", "notebooks"],
            "python format": [*PYTHON, "ruff", "format", "--check", "notebooks"],
            "python imports": [str(programs / "lint-imports")],
            "python types": [*PYTHON, "mypy"],
            JAVA: [*maven, f"-DforkCount={cpus}", "-Pchecks", "clean", "verify"],
        }
    if part != "static":
        # One worker more than CPUs, because a test often waits for a process that it started. A
        # worker takes whole files, whose tests share what they measured.
        by_file = ["-n", str(cpus + 1), "--dist", "loadfile", "--no-loadscope-reorder"]
        shallow = [*by_file, "--ignore-glob=*/deep/*"]
        checks[PYTHON_TESTS] = [*PYTEST, *shallow, *MARKERS.get(part, [])]
    if deep:
        folders = sorted(str(path) for path in (ROOT / "notebooks" / "tests").rglob("deep"))
        checks[DEEP] = [*PYTEST, "-s", *folders]
    return checks


def run_checks(given: argparse.Namespace) -> int:
    """Run every check, also after a failure, and print a summary."""
    if given.part not in ("", *PARTS):
        raise BadInput(f"unknown part '{given.part}'; choose from {', '.join(PARTS)}.")
    java = jdk.find_jdk()
    env = kernel_environment() | jar.make_maven_environment(java)
    checks = list_checks(given.part, given.deep)
    # Maven rebuilds the jar, and tests disturb: not while a sweep measures.
    with lock.hold_lock("checking this checkout"):
        if JAVA not in checks:
            # Else several test processes would build it at once.
            jar.build_jar(java)
        slow = [name for name in (JAVA, PYTHON_TESTS, DEEP) if name in checks]
        linters = [name for name in checks if name not in slow]
        # While the linters run, Maven compiles on one CPU.
        with ThreadPoolExecutor() as pool:
            linted = pool.map(lambda name: run_linter(name, checks[name], env), linters)
            passed = [*(run_check(name, checks[name], env, java) for name in slow), *linted]
    failed = [name for name, good in zip([*slow, *linters], passed, strict=True) if not good]
    failures = f" Failed: {', '.join(failed)}." if failed else ""
    print(f"\n{len(checks) - len(failed)} of {len(checks)} checks passed.{failures}", flush=True)
    return OUR_FAILURE if failed else COMPLETE


def run_linter(name: str, command: list[str], env: dict[str, str]) -> bool:
    ended = subprocess.run(command, cwd=ROOT, env=env, stdout=PIPE, stderr=STDOUT, text=True)
    good = ended.returncode == 0
    print(f"\n== {name}\n{ended.stdout}== {name}: {'passed' if good else 'FAILED'}", flush=True)
    return good


def run_check(name: str, command: list[str], env: dict[str, str], java: jdk.Jdk) -> bool:
    print(f"\n== {name}", flush=True)
    started, sources = time.monotonic(), jar.hash_sources(java) if name == JAVA else ""
    code = subprocess.run(command, cwd=ROOT, env=env).returncode
    outcome = "FAILED" if code else "passed"
    print(f"== {name}: {outcome} in {time.monotonic() - started:.0f} s", flush=True)
    if name == JAVA and code == 0:
        jar.note_built(sources)
    elif name == JAVA:
        # By the holder of the lock: a test that finds no jar could not build it. What does not
        # compile has failed above, with Maven's message.
        with contextlib.suppress(Failure):
            jar.build_jar(java)
    return code == 0


def add_test(parser: argparse.ArgumentParser) -> None:
    part = f"one of {', '.join(PARTS)}: machine holds the tests that measure (default: all)"
    parser.add_argument("part", nargs="?", default="", metavar="PART", help=part)
    text = "also run the slow tests: more than an hour"
    parser.add_argument("--deep", action="store_true", help=text)


def describe_jar(_: argparse.Namespace) -> int:
    """Write what is generated: studies, schemas, columns, and the record of the claims' tests."""
    write_text(STUDIES, json.dumps(jar.query_jar(provide_jar(), "studies"), indent=2) + "\n")
    for cached in (load_catalog, sweep.build_sweep_model, sweep.build_entry_model):
        cached.cache_clear()
    write_text(SWEEP_SCHEMA, format_schema() + "\n")
    write_text(ANSWERS_SCHEMA, answers.format_schema() + "\n")
    write_text(COLUMNS, schema.format_page())
    history.record_tests()
    written = STUDIES, SWEEP_SCHEMA, ANSWERS_SCHEMA, COLUMNS, RECORDED_TESTS
    print(f"Wrote {', '.join(map(display_path, written))}.")
    return COMPLETE


def write_verdicts(_: argparse.Namespace) -> int:
    """Write the pages of verdicts and of machines, README's results and pictures."""
    print(f"Wrote {', '.join(map(display_path, verdict_page.write_page()))}.")
    return COMPLETE


def format_schema() -> str:
    """Return the JSON schema of sweeps, which editors read."""
    return json.dumps(sweep.build_sweep_model().model_json_schema(), indent=2)
