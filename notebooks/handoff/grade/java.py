"""Students' Java, tried again in the sandbox: the class of lab 6 and the model of lab 5."""

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from handoff.errors import BadInput, Failure
from handoff.grade import sandbox
from handoff.grade.submission import Submission
from handoff.labs import bytecode, ownclass
from handoff.labs.apart import NotRun
from handoff.labs.handin import CLASSES
from handoff.labs.lessons import correctness
from handoff.paths import JAR, LABS_JAR
from handoff.run.java import jdk

Outcome = tuple[float, str]
"""The share of the points that is earned, and the reason or result."""


class Apart(NamedTuple):
    """Commands in the sandbox, where `folder` holds a student's classes."""

    java: jdk.Jdk
    folder: Path
    trust: bool

    def run(
        self, command: Sequence[str], limit_s: float, line: str, writes: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """Run a command, which may read `folder` and, if it `writes`, write to it.

        The time limit of students, on the clock, does not count here. Raise NotRun if the compiler
        or javap does not work here.
        """
        parts, own = [*list_parts(self.java), JAR, LABS_JAR], [self.folder]
        readable, writable = (parts, own) if writes else (parts + own, [])
        data, limits = f"{line}\n".encode(), sandbox.JAVA_LIMITS
        ended = sandbox.run_command(
            command, data, limits, self.trust, readable=readable, writable=writable
        )
        out, error = (text.decode(errors="replace") for text in (ended.stdout, ended.stderr))
        tool = Path(command[0]).name
        if ended.returncode and tool != "java" and "error:" not in error:
            raise NotRun(f"{tool} ended with {ended.returncode}: {' '.join(error.split())[:200]}")
        return subprocess.CompletedProcess(list(command), ended.returncode, out, error)


def list_parts(java: jdk.Jdk) -> list[Path]:
    """List the folders of a JDK, with those that Debian links its configuration to."""
    home = java.java.resolve().parents[1]
    linked = {path.resolve().parent for path in (home / "conf").rglob("*") if path.is_symlink()}
    return [home, *sorted(path for path in linked if path.is_dir() and path != home)]


def compile_apart(
    source: str, name: str, trust: bool, check: Callable[[Apart], Outcome]
) -> Outcome:
    """Compile a student's class in the sandbox, and check it there."""
    with sandbox.lift_limits():
        java = ownclass.prepare_java()
    with tempfile.TemporaryDirectory(prefix="handoff-java-") as folder:
        apart = Apart(java, Path(folder) / "classes", trust)
        try:
            run = partial(apart.run, writes=True)
            ownclass.compile_class(java, source, apart.folder, name, run)
            return check(apart)
        except (BadInput, Failure) as refused:
            return 0.0, str(refused)


def check_class(submission: Submission, source: str, trust: bool) -> Outcome:
    """Check the packed classes' hash, then the rules for a student's class."""
    run, packed = submission.run, submission.work.folder / CLASSES
    if run is None or not run.sweep.jvm.yours:
        return 0.0, submission.reason or "the pack has no run of it"
    if run.sweep.jvm.yours != f"{ownclass.NAME}@{ownclass.hash_classes(packed)}":
        return 0.0, "the classes in the pack are not those that were measured"

    def check(apart: Apart) -> Outcome:
        share, fault = ownclass.judge_class(apart.java, apart.folder, apart.run)
        if fault:
            return share, fault.split(":\n")[0]
        # The classes of another JDK's compiler cannot be compared.
        same = run.identity.get("jdk") == apart.java.runtime
        if same and ownclass.hash_classes(apart.folder) != ownclass.hash_classes(packed):
            return 0.0, "the classes that were measured are not those of this source"
        return 1.0, "its fields are safe; neither hammering nor the model checker finds a fault"

    return compile_apart(source, ownclass.NAME, trust, check)


def check_model(source: str, random: np.random.Generator, trust: bool) -> Outcome:
    """Check that a model passes the right queues and finds one drawn fault of each kind."""

    def check(apart: Apart) -> Outcome:
        drawn = {k: str(random.choice(faults)) for k, faults in correctness.FAULTS.items()}
        # In an order that the model cannot know.
        subjects = [str(name) for name in random.permutation([*correctness.RIGHT, *drawn.values()])]
        faults = correctness.check_queues(apart.java, apart.folder, subjects, apart.run)
        found = dict(zip(subjects, faults, strict=True))
        right = [found[name] for name in correctness.RIGHT]
        return correctness.judge_model(right, {kind: found[name] for kind, name in drawn.items()})

    return compile_apart(source, bytecode.MODEL_NAME, trust, check)
