"""A student's own class: compiled as a user's, and tried against the rules of the lab."""

import json
import secrets
import subprocess
from collections.abc import Sequence
from pathlib import Path

from handoff.errors import Failure
from handoff.labs import bytecode
from handoff.labs.apart import OverLimit
from handoff.labs.bytecode import NAME
from handoff.paths import JAR, LABS_JAR
from handoff.run.java import jar, jdk, ownclass
from handoff.run.java.jdk import Jdk
from handoff.run.java.jvm import YOURS
from handoff.run.java.ownclass import COMPILE_LIMIT_S, Run, find_tool, hash_classes, run_plainly

TRY_LIMIT_S = 120
CLASS_PATH = f"{JAR}:{LABS_JAR}"
QUEUES = "handoff.queues.Main"


def prepare_java() -> Jdk:
    """Return a JDK with a compiler, once the jar is built; raise BadInput where there is none."""
    java = jdk.find_jdk()
    for tool in ("javac", "javap"):
        find_tool(java, tool)
    jar.build_jar(java)
    return java


def compile_class(
    java: Jdk, source: str, folder: Path, name: str = NAME, run: Run = run_plainly
) -> None:
    """Compile a student's class, with the labs' classes known to it."""
    ownclass.compile_class(java, source, folder, name, run, CLASS_PATH)


def judge_class(java: Jdk, folder: Path, run: Run = run_plainly) -> tuple[float, str]:
    """Return the share of the points that the classes earn, and the first rule that they break.

    The rules are, in this order: what the classes use, their fields, what hammering finds, and
    what the model checker finds.
    """
    listed = disassemble(java, folder, run)
    if fault := bytecode.describe_strangers(listed):
        return 0.0, fault
    if fault := bytecode.describe_fields(listed):
        return 1 / 6, fault
    if fault := find_fault(java, folder, "hammer", run):
        return 2 / 6, f"hammering finds: {fault}"
    if fault := find_fault(java, folder, "exchange", run):
        return 4 / 6, f"the model checker finds an order that goes wrong:\n{fault}"
    return 1.0, ""


def disassemble(java: Jdk, folder: Path, run: Run) -> str:
    files = [str(file) for file in sorted(folder.glob("*.class"))]
    listed = run_javap(java, files, run)
    if len(bytecode.split_classes(listed)) != len(files):
        raise Failure("javap cannot read what javac wrote.")
    return listed


def run_javap(java: Jdk, words: Sequence[str], run: Run = run_plainly) -> str:
    """Return what javap prints of classes, with their byte code; '' if it fails."""
    command = [str(find_tool(java, "javap")), "-J-Xmx256m", "-J-XX:+UseSerialGC"]
    command += ["-p", "-c", "-v", *words]
    ended = run(command, COMPILE_LIMIT_S, "")
    return ended.stdout if ended.returncode == 0 else ""


def find_fault(java: Jdk, folder: Path, how: str, run: Run = run_plainly) -> str:
    """Return the fault that two real threads or the model checker find in a class, or ''.

    `how` is 'hammer' for threads, 'exchange' for the model checker.
    """
    words = [f"{YOURS}={NAME}@{hash_classes(folder)}", "-cp", f"{CLASS_PATH}:{folder}"]
    (wrong,) = list_wrong(java, [*words, QUEUES, how, NAME], 1, run)
    return wrong


def list_wrong(java: Jdk, words: Sequence[str], number: int, run: Run) -> list[str]:
    """Run a JVM that tries `number` classes, and return what is wrong with each, or ''.

    Raise Failure if the JVM breaks, or if several classes were to be tried and it timed out, and
    OverLimit if several used too much. The JVM's lines carry a token that the tried classes do not
    know, so lines that they print are ignored.
    """
    token = secrets.token_hex(16)
    try:
        ended = run([str(java.java), *TRYING_FLAGS, *words], TRY_LIMIT_S, token)
    except subprocess.TimeoutExpired:
        late = f"it did not end within {TRY_LIMIT_S} s"
        if number > 1:
            raise Failure(f"{late}.") from None
        return [late]
    except OverLimit as why:
        if number > 1:
            raise
        return [str(why)]
    try:
        lines = [json.loads(line) for line in ended.stdout.splitlines() if token in line]
        faults = [str(line["wrong"] or "") for line in lines if line["token"] == token]
    except (ValueError, KeyError, TypeError):
        faults = []
    if len(faults) != number:
        raise Failure(f"trying it broke: {find_cause(ended.stderr)}")
    return faults


def find_cause(output: str) -> str:
    """Return the original exception of a stack trace."""
    lines = [line.strip() for line in output.splitlines()]
    causes = [line for line in lines if line.startswith(("Caused by:", "Exception in thread"))]
    return (causes or lines or ["it ended without an answer"])[-1][:300]


TRYING_FLAGS = ("-XX:+UseSerialGC", "-Xmx512m")
"""Default compilers, as in a measurement, but little memory."""
