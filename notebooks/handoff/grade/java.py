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
from handoff.labs import ownclass
from handoff.labs.handin import CLASSES
from handoff.labs.lessons import correctness
from handoff.paths import JAR, LABS_JAR
from handoff.run.java import jar, jdk

Outcome = tuple[float, str]
"""The share of the points that is earned, and the reason or result."""


class Apart(NamedTuple):
    """Commands in the sandbox, where `folder` holds a student's classes."""

    java: jdk.Jdk
    folder: Path
    trust: bool

    def read(
        self, command: Sequence[str], limit_s: float, line: str
    ) -> subprocess.CompletedProcess[str]:
        return self.run(command, line, bound=[*self.bound, self.folder])

    def write(
        self, command: Sequence[str], limit_s: float, line: str
    ) -> subprocess.CompletedProcess[str]:
        return self.run(command, line, bound=self.bound, writable=[self.folder])

    def run(
        self, command: Sequence[str], line: str, **places: Sequence[Path]
    ) -> subprocess.CompletedProcess[str]:
        """Run a command; the time limit of students, on the clock, does not count here."""
        data, limits = f"{line}\n".encode(), sandbox.JAVA_LIMITS
        ended = sandbox.run_command(command, data, limits, self.trust, **places)
        out, error = (text.decode(errors="replace") for text in (ended.stdout, ended.stderr))
        return subprocess.CompletedProcess(list(command), ended.returncode, out, error)

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
        except (BadInput, Failure) as refused:
            return 0.0, str(refused)


def check_class(submission: Submission, source: str, trust: bool) -> Outcome:
    """Check the packed classes' hash, then the rules for a student's class."""
    if wrong := describe_measured(submission):
        return 0.0, wrong

    def check(apart: Apart) -> Outcome:
        share, fault = ownclass.judge_class(apart.java, apart.folder, apart.read)
        if fault:
            return share, fault.split(":\n")[0]
        if is_other(submission, apart):
            return 0.0, "the classes that were measured are not those of this source"
        return 1.0, "its fields are safe; neither hammering nor the model checker finds a fault"

    return compile_apart(source, ownclass.NAME, trust, check)


def describe_measured(submission: Submission) -> str:
    """Return why the packed classes are not those that every fork was measured with, or ''."""
    run, folder = submission.run, submission.work.folder / CLASSES
    if run is None or not run.sweep.jvm.yours:
        return "the pack has no run of it"
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
        faults = correctness.check_queues(apart.java, apart.folder, mixed, apart.read)
        by_place = dict(zip(order, faults, strict=True))
        in_order = [by_place[place] for place in range(len(subjects))]
        right = len(correctness.RIGHT)
        faulty = dict(zip(correctness.FAULTS, in_order[right:], strict=True))
        return correctness.judge_model(in_order[:right], faulty)

    return compile_apart(source, correctness.CLASS, trust, check)
