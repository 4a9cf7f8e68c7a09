"""Students' Java, tried again in the sandbox: the class of lab 6 and the model of lab 5."""

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from handoff.errors import BadInput, Failure
from handoff.grade import sandbox
from handoff.grade.submission import Submission
from handoff.labs import correctness, ownclass
from handoff.labs.handin import CLASSES
from handoff.paths import JAR, LABS_JAR
from handoff.run.java import jar, jdk

MAY_MISS = 1
"""Kinds of fault that a model may miss, because the checker explores at random."""

Outcome = tuple[bool | None, str]
"""Passed, failed or, with None, not tried; and the reason or result."""


class Apart(NamedTuple):
    """Commands in the sandbox, where `folder` holds a student's classes."""

    java: jdk.Jdk
    folder: Path
    trust: bool

    def read(
        self, command: Sequence[str], limit_s: float, line: str
    ) -> subprocess.CompletedProcess[str]:
        return sandbox.run_command(command, [*self.bound, self.folder], limit_s, self.trust, line)

    def write(
        self, command: Sequence[str], limit_s: float, line: str
    ) -> subprocess.CompletedProcess[str]:
        return sandbox.run_command(
            command, self.bound, limit_s, self.trust, line, writable=[self.folder]
        )

    @property
    def bound(self) -> list[Path]:
        return [*list_parts(self.java), JAR, LABS_JAR]


def list_parts(java: jdk.Jdk) -> list[Path]:
    """List the folders of a JDK, with those that Debian links its configuration to."""
    home = java.java.resolve().parents[1]
    linked = {path.resolve().parent for path in (home / "conf").rglob("*") if path.is_symlink()}
    return [home, *sorted(path for path in linked if path.is_dir() and path != home)]


def compile_apart(
    source: str, name: str, trust: bool, check: Callable[[Apart], Outcome]
) -> Outcome:
    """Compile a student's class in the sandbox, and check it there."""
    java = jdk.find_jdk()
    jar.build_jar(java)
    with tempfile.TemporaryDirectory(prefix="handoff-java-") as folder:
        apart = Apart(java, Path(folder) / "classes", trust)
        try:
            ownclass.compile_class(java, source, apart.folder, name, apart.write)
            return check(apart)
        except BadInput as refused:
            return False, str(refused)
        except sandbox.NotRun as why:
            return None, str(why)


def check_class(submission: Submission, source: str, trust: bool) -> Outcome:
    """Check the packed classes' hash, then the rules for a student's class."""
    if wrong := describe_measured(submission):
        return False, wrong

    def check(apart: Apart) -> Outcome:
        fault = ownclass.find_fault(apart.java, apart.folder, apart.read)
        if fault:
            return False, fault.split(":\n")[0]
        if is_other(submission, apart):
            return False, "the classes that were measured are not this source's"
        return (
            True,
            "its fields are safe, and neither hammering nor the model checker finds anything",
        )

    return compile_apart(source, ownclass.NAME, trust, check)


def describe_measured(submission: Submission) -> str:
    """Return why the packed classes are not those that every fork was measured with, or ''."""
    run, folder = submission.run, submission.work.folder / CLASSES
    if run is None or not run.sweep.jvm.yours:
        return "no run of it is in the pack"
    if run.sweep.jvm.yours != f"{ownclass.NAME}@{ownclass.hash_classes(folder)}":
        return "the classes in the pack are not those that were measured"
    return ""


def is_other(submission: Submission, apart: Apart) -> bool:
    """Return whether the source compiles to other classes than those measured.

    The classes of another JDK's compiler cannot be compared.
    """
    run = submission.run
    same = run is not None and run.identity.get("jdk") == apart.java.runtime
    packed = submission.work.folder / CLASSES
    return same and ownclass.hash_classes(apart.folder) != ownclass.hash_classes(packed)


def check_model(source: str, random: np.random.Generator, trust: bool) -> Outcome:
    """Check that a model passes the right queues and finds one drawn fault of each kind."""

    def check(apart: Apart) -> Outcome:
        drawn = [kinds[int(random.integers(len(kinds)))] for kinds in correctness.FAULTS.values()]
        subjects = [*correctness.RIGHT, *drawn]
        # In an order that the model cannot know.
        order = [int(place) for place in random.permutation(len(subjects))]
        mixed = [subjects[place] for place in order]
        try:
            faults = correctness.check_queues(apart.java, apart.folder, mixed, apart.read)
        except Failure as broken:
            return False, str(broken)
        by_place = dict(zip(order, faults, strict=True))
        sorted_faults = [by_place[place] for place in range(len(subjects))]
        right = len(correctness.RIGHT)
        return judge_model(sorted_faults[:right], sorted_faults[right:])

    return compile_apart(source, correctness.CLASS, trust, check)


def judge_model(right: Sequence[str], faulty: Sequence[str]) -> tuple[bool, str]:
    """Judge a model by what it finds in the right queues, and in one faulty queue per kind."""
    if wrong := next(filter(None, right), ""):
        return False, f"it finds a fault where there is none: {correctness.shorten_trace(wrong)}"
    missed = [kind for kind, wrong in zip(correctness.FAULTS, faulty, strict=True) if not wrong]
    if len(missed) > MAY_MISS:
        return False, f"it does not find faults of the kinds {' and '.join(missed)}"
    addition = f"; it misses one of the kind {missed[0]}" if missed else ""
    return True, f"it passes {len(right)} right queues and finds the faults of others{addition}"
