"""A student's own class: compiled as a user's, and tried against the rules of the lab."""

import json
import secrets
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from handoff.errors import BadInput, Failure
from handoff.labs import bytecode
from handoff.labs.bytecode import NAME
from handoff.labs.work import Work
from handoff.paths import JAR, LABS_JAR
from handoff.run.host.process import run_plainly
from handoff.run.java import jar, jdk, ownclass
from handoff.run.java.command import YOURS
from handoff.run.java.jdk import Jdk, find_tool
from handoff.run.java.ownclass import COMPILE_LIMIT_S, hash_classes

TRY_LIMIT_S = 120
CLASS_PATH = f"{JAR}:{LABS_JAR}"
QUEUES = "handoff.queues.Main"

Tried = tuple[float, str]
"""The share of the points that is earned, and the reason or result."""


def read_source(name: str) -> str:
    """Load NAME.java of the current folder; raise BadInput if it is missing."""
    try:
        return Path(f"{name}.java").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput(
            f"{name}.java is missing: run the cell that starts with %%writefile {name}.java."
        ) from None


def prepare_java() -> Jdk:
    """Return a JDK, once the jar is built."""
    java = jdk.find_jdk()
    jar.build_jar(java)
    return java


def try_class(work: Work, hidden: bool = False) -> Tried:
    """Try the student's class; the one that was measured, if any, must be made of this source."""
    java, source = prepare_java(), read_source(NAME)
    with tempfile.TemporaryDirectory(prefix="handoff-java-") as folder:
        made = Path(folder)
        compile_class(java, source, made)
        share, fault = judge_class(java, made)
        if fault:
            return share, fault
        for run in [work.find_run()] if work.run_folders else []:
            # The classes of another JDK's compiler cannot be compared.
            same_jdk = run.identity.get("jdk") == java.runtime
            if same_jdk and run.sweep.jvm.yours != f"{NAME}@{hash_classes(made)}":
                return 0.0, "another class than this one was measured: measure again"
    return 1.0, "its fields are safe; neither hammering nor the model checker finds a fault"


def compile_class(java: Jdk, source: str, folder: Path, name: str = NAME) -> None:
    """Compile a student's class, with the labs' classes known to it."""
    ownclass.compile_class(java, source, folder, name, class_path=CLASS_PATH)


def judge_class(java: Jdk, folder: Path) -> Tried:
    """Return the share of the points that the classes earn, and the first rule that they break."""
    listed = disassemble(java, folder)
    if fault := bytecode.describe_strangers(listed):
        return 0.0, fault
    if fault := bytecode.describe_fields(listed):
        return 1 / 6, fault
    if fault := find_fault(java, folder, "hammer"):
        return 2 / 6, f"hammering finds: {fault}"
    if fault := find_fault(java, folder, "exchange"):
        return 4 / 6, f"the model checker finds an order that goes wrong:\n{fault}"
    return 1.0, ""


def disassemble(java: Jdk, folder: Path) -> str:
    files = [str(file) for file in sorted(folder.glob("*.class"))]
    listed = run_javap(java, files)
    if len(bytecode.split_classes(listed)) != len(files):
        raise Failure("javap cannot read what javac wrote.")
    return listed


def run_javap(java: Jdk, words: Sequence[str]) -> str:
    """Return what javap prints of classes and their byte code; '' if it fails."""
    command = [str(find_tool(java, "javap")), "-J-Xmx256m", "-J-XX:+UseSerialGC"]
    command += ["-p", "-c", "-v", *words]
    ended = run_plainly(command, COMPILE_LIMIT_S, "")
    return ended.stdout if ended.returncode == 0 else ""


def find_fault(java: Jdk, folder: Path, how: str) -> str:
    """Return the fault that two threads ('hammer') or the checker ('exchange') find, or ''."""
    (wrong,) = list_wrong(java, how, [NAME], folder)
    return wrong


def list_wrong(
    java: Jdk, how: str, subjects: Sequence[str], folder: Path | None = None
) -> list[str]:
    """Run a JVM that tries the subjects, and return what is wrong with each, or ''.

    `folder` has a student's classes. Raise Failure if the JVM breaks, or if several subjects were
    to be tried and it timed out. The JVM's lines carry a token that the tried classes do not know,
    so lines that they print are ignored.
    """
    token = secrets.token_hex(16)
    command = [str(java.java), *TRYING_FLAGS, "-cp", CLASS_PATH]
    if folder:
        command[-1] += f":{folder}"
        command.append(f"{YOURS}={NAME}@{hash_classes(folder)}")
    try:
        ended = run_plainly([*command, QUEUES, how, *subjects], TRY_LIMIT_S, token)
    except subprocess.TimeoutExpired:
        late = f"it did not end within {TRY_LIMIT_S} s"
        if len(subjects) > 1:
            raise Failure(f"{late}.") from None
        return [late]
    try:
        lines = [json.loads(line) for line in ended.stdout.splitlines() if token in line]
        faults = [str(line["wrong"] or "") for line in lines if line["token"] == token]
    except (ValueError, KeyError, TypeError):
        faults = []
    if len(faults) != len(subjects):
        raise Failure(f"trying it broke: {find_cause(ended.stderr)}")
    return faults


def find_cause(output: str) -> str:
    """Return the original exception of a stack trace."""
    lines = [line.strip() for line in output.splitlines()]
    causes = [line for line in lines if line.startswith(("Caused by:", "Exception in thread"))]
    return (causes or lines or ["it ended without an answer"])[-1][:300]


TRYING_FLAGS = ("-XX:+UseSerialGC", "-Xmx512m")
"""Default compilers, as in a measurement, but little memory."""
