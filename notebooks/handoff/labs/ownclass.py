"""A student's own class: compiled as a user's, and tried against the rules of the lab."""

import json
import secrets
import subprocess
from collections.abc import Sequence
from pathlib import Path

from handoff.errors import BadInput, Failure
from handoff.labs import bytecode
from handoff.labs.bytecode import NAME
from handoff.labs.lab import Tried
from handoff.paths import JAR, LABS_JAR
from handoff.run.host.process import run_plainly
from handoff.run.java import jar, jdk, ownclass
from handoff.run.java.command import YOURS, locate_classes
from handoff.run.java.jdk import Jdk, find_tool
from handoff.run.java.ownclass import COMPILE_LIMIT_S, hash_classes

TRY_LIMIT_S = 120
CLASS_PATH = f"{JAR}:{LABS_JAR}"
QUEUES = "handoff.queues.Main"


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


def provide_own(java: Jdk) -> str:
    """Compile and judge the student's class, and return its name and hash."""
    word = ownclass.provide_class(java, read_source(NAME), NAME)
    _, fault = judge_class(java, locate_classes(word))
    if fault:
        raise BadInput(f"It is not measured yet, because {fault}.")
    return word


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
    if fault := find_faults(java, "hammer", [NAME], folder)[NAME]:
        return 2 / 6, f"hammering finds: {fault}"
    if fault := find_faults(java, "exchange", [NAME], folder)[NAME]:
        return 4 / 6, f"the model checker finds an order that goes wrong:\n{fault}"
    return 1.0, ""


def disassemble(java: Jdk, folder: Path) -> str:
    return run_javap(java, [str(file) for file in sorted(folder.glob("*.class"))])


def run_javap(java: Jdk, words: Sequence[str]) -> str:
    """Return what javap prints of classes and their byte code."""
    command = [str(find_tool(java, "javap")), "-J-Xmx256m", "-J-XX:+UseSerialGC"]
    ended = run_plainly([*command, "-p", "-c", "-v", *words], COMPILE_LIMIT_S, "")
    if ended.returncode != 0:
        raise Failure(f"javap failed: {find_cause(ended.stderr)}")
    return ended.stdout


def find_faults(
    java: Jdk, how: str, subjects: Sequence[str], folder: Path | None = None
) -> dict[str, str]:
    """Return the fault of each subject that a JVM finds, or ''.

    `how` is 'hammer' with two threads, the checker's 'exchange', or 'check' by a student's model.
    `folder` has a student's classes. Raise Failure if the JVM breaks. Its lines carry a token that
    the tried classes do not know, so lines that they print are ignored.
    """
    token = secrets.token_hex(16)
    flags = TRYING_FLAGS if how == "hammer" else CHECKING_FLAGS
    command = [str(java.java), *flags, "-cp", CLASS_PATH]
    if folder:
        command[-1] += f":{folder}"
        command.append(f"{YOURS}={NAME}@{hash_classes(folder)}")
    try:
        ended = run_plainly([*command, QUEUES, how, *subjects], TRY_LIMIT_S, token)
    except subprocess.TimeoutExpired:
        return dict.fromkeys(subjects, f"it did not end within {TRY_LIMIT_S} s")
    lines = [json.loads(line) for line in ended.stdout.splitlines() if token in line]
    if len(lines) != len(subjects):
        raise Failure(f"trying it broke: {find_cause(ended.stderr)}")
    return {name: line["wrong"] or "" for name, line in zip(subjects, lines, strict=True)}


def find_cause(output: str) -> str:
    """Return the original exception of a stack trace."""
    lines = [line.strip() for line in output.splitlines()]
    causes = [line for line in lines if line.startswith(("Caused by:", "Exception in thread"))]
    return (causes or lines or ["it ended without an answer"])[-1][:300]


TRYING_FLAGS = ("-XX:+UseSerialGC", "-Xmx512m")
"""Default compilers, as in a measurement, but little memory."""

CHECKING_FLAGS = (*TRYING_FLAGS, "-XX:TieredStopAtLevel=1")
"""The model checker decides what a read returns, whatever compiler there is; this one is quick."""
