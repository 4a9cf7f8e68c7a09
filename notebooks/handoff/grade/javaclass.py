"""A student's own class, tried again: compiled from its source, its byte code, and by hammering."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.grade import sandbox
from handoff.grade.submission import Submission
from handoff.labs import ownclass
from handoff.labs.pack import CLASSES
from handoff.paths import JAR, LABS_JAR
from handoff.run.java import jar, jdk


def check_class(submission: Submission, source: str, trust: bool) -> tuple[bool | None, str]:
    """Whether it passes every gate, and what was found; None where it could not be tried."""
    java = jdk.find_jdk()
    jar.build_jar(java)
    if wrong := describe_measured(submission):
        return False, wrong

    with tempfile.TemporaryDirectory(prefix="handoff-class-") as name:
        folder = Path(name) / "classes"
        try:
            apart = Apart(java, folder, trust)
            ownclass.compile_class(java, source, folder, run=apart.write)
            fault = ownclass.find_fault(java, folder, apart.read)
        except BadInput as refused:
            return False, str(refused)
        except sandbox.NotRun as why:
            return None, str(why)
        if not fault and describe_other(submission, folder, java):
            return False, "the classes that were measured are not this source's"
    return (
        not fault,
        fault.split(":\n")[0]
        or "its fields are safe, and neither hammering nor the model checker finds anything",
    )


class Apart(NamedTuple):
    """Runs commands in the sandbox: `folder` holds a student's classes, to read or to write."""

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
    """The folders of a JDK; Debian keeps its configuration elsewhere, behind links."""
    home = java.java.resolve().parents[1]
    linked = {path.resolve().parent for path in (home / "conf").rglob("*") if path.is_symlink()}
    return [home, *sorted(path for path in linked if path.is_dir() and path != home)]


def describe_measured(submission: Submission) -> str:
    """Whether the packed classes are those that every fork was measured with; '' if so."""
    run, folder = submission.run, submission.work.folder / CLASSES
    if run is None or not run.sweep.jvm.yours:
        return "no run of it is in the pack"
    if run.sweep.jvm.yours != f"{ownclass.NAME}@{ownclass.hash_classes(folder)}":
        return "the classes in the pack are not those that were measured"
    return ""


def describe_other(submission: Submission, folder: Path, java: jdk.Jdk) -> bool:
    """Whether the same compiler makes other classes of the source than were measured; another
    compiler's cannot be compared.
    """
    run = submission.run
    same = run is not None and run.identity.get("jdk") == java.runtime
    packed = submission.work.folder / CLASSES
    return same and ownclass.hash_classes(folder) != ownclass.hash_classes(packed)
