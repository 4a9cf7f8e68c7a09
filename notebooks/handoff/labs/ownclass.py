"""A student's own class: compiled outside the jar, identified by its hash, and tried."""

import hashlib
import json
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from handoff.errors import BadInput, Failure
from handoff.labs import bytecode
from handoff.labs.bytecode import NAME
from handoff.paths import JAR, LABS_JAR
from handoff.run.host.process import clean_environment
from handoff.run.java.command import locate_classes
from handoff.run.java.jdk import Jdk
from handoff.run.java.jvm import YOURS

COMPILE_LIMIT_S, TRY_LIMIT_S, MOST_LINES = 60, 120, 6
CLASS_PATH = f"{JAR}:{LABS_JAR}"
QUEUES = "handoff.queues.Main"

Run = Callable[[Sequence[str], float, str], subprocess.CompletedProcess[str]]
"""Runs a command with a time limit in seconds and a line of input; the grader uses a sandbox."""


def run_plainly(
    command: Sequence[str], limit_s: float, line: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        input=f"{line}\n",
        capture_output=True,
        text=True,
        timeout=limit_s,
        env=clean_environment(),
    )


def compile_class(
    java: Jdk, source: str, folder: Path, name: str = NAME, run: Run = run_plainly
) -> None:
    """Compile NAME.java into a folder; raise BadInput with the start of the compiler's message."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.java"
    file.write_text(source, encoding="utf-8")
    command = [str(find_tool(java, "javac")), "-J-Xmx512m", "-g:none", "-encoding", "UTF-8"]
    command += ["-proc:none", "--release", "17"]
    command += ["-cp", CLASS_PATH, "-d", str(folder), str(file)]
    try:
        ended = run(command, COMPILE_LIMIT_S, "")
    except subprocess.TimeoutExpired:
        raise BadInput(f"{name}.java was not compiled in {COMPILE_LIMIT_S} s.") from None
    finally:
        file.unlink()
    if ended.returncode != 0:
        # The third line of a message is a caret below the second.
        lines = ended.stderr.replace(str(file), f"{name}.java").rstrip().splitlines()
        raise BadInput("\n".join(["Java cannot compile it:", *lines[:MOST_LINES]]))
    if not (folder / f"{name}.class").is_file():
        raise BadInput(f"It does not define a class {name} outside of any package.")


def find_tool(java: Jdk, name: str) -> Path:
    """Return the path of a tool of the JDK; raise BadInput if Java is only a runtime."""
    tool = java.java.resolve().with_name(name)
    if not tool.is_file():
        raise BadInput(f"{tool.parent} has no {name}: install a JDK, or set JAVA_HOME to one.")
    return tool


def hash_classes(folder: Path) -> str:
    """Hash the names and bytes of class files in order of name, as the jar does."""
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.class")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def provide_class(java: Jdk, source: str) -> str:
    """Compile a class, keep it where forks find it, and return 'MyExchange@hash'."""
    with tempfile.TemporaryDirectory(prefix="handoff-yours-") as name:
        made = Path(name) / "classes"
        compile_class(java, source, made)
        word = f"{NAME}@{hash_classes(made)}"
        kept = locate_classes(word)
        if not kept.is_dir():
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(made, kept)
    return word


def find_fault(java: Jdk, folder: Path, run: Run = run_plainly) -> str:
    """Return the first rule that the classes break, or ''."""
    return judge_class(java, folder, run)[1]


def judge_class(java: Jdk, folder: Path, run: Run = run_plainly) -> tuple[float, str]:
    """Return the share of the points that the classes earn, and the first rule that they break.

    The rules are, in this order: what the classes use, their fields, what hammering finds, and
    what the model checker finds.
    """
    listed = disassemble(java, folder, run)
    rules: tuple[tuple[float, Callable[[], str]], ...] = (
        (0, lambda: bytecode.describe_strangers(listed)),
        (1 / 6, lambda: bytecode.describe_fields(listed)),
        (2 / 6, lambda: hammer(java, folder, run)),
        (4 / 6, lambda: explore(java, folder, run)),
    )
    for share, find in rules:
        if fault := find():
            return share, fault
    return 1.0, ""


def disassemble(java: Jdk, folder: Path, run: Run) -> str:
    """Return javap's output for all classes."""
    files = [str(file) for file in sorted(folder.glob("*.class"))]
    command = [str(find_tool(java, "javap")), "-J-Xmx256m", "-p", "-c", "-v", *files]
    ended = run(command, COMPILE_LIMIT_S, "")
    if ended.returncode != 0 or len(bytecode.split_classes(ended.stdout)) != len(files):
        raise Failure("javap cannot read what javac wrote.")
    return ended.stdout


def hammer(java: Jdk, folder: Path, run: Run = run_plainly) -> str:
    """Return what two real threads find, or ''."""
    wrong = try_class(java, folder, "hammer", run)
    return f"hammering finds: {wrong}" if wrong else ""


def explore(java: Jdk, folder: Path, run: Run = run_plainly) -> str:
    """Return what the model checker finds in small scenarios, with its schedule, or ''."""
    wrong = try_class(java, folder, "exchange", run)
    return f"the model checker finds an order that goes wrong:\n{wrong}" if wrong else ""


def try_class(java: Jdk, folder: Path, how: str, run: Run) -> str:
    words = [f"{YOURS}={NAME}@{hash_classes(folder)}", "-cp", f"{CLASS_PATH}:{folder}"]
    (wrong,) = list_wrong(java, [*words, QUEUES, how, NAME], 1, run)
    return wrong


def list_wrong(java: Jdk, words: Sequence[str], number: int, run: Run) -> list[str]:
    """Run a JVM that tries `number` classes, and return what is wrong with each, or ''.

    Raise Failure if the JVM breaks, or if several classes were to be tried and it timed out.
    The JVM's lines carry a token that the tried classes do not know, so lines that they print
    are ignored.
    """
    token = secrets.token_hex(16)
    try:
        ended = run([str(java.java), *TRYING_FLAGS, *words], TRY_LIMIT_S, token)
    except subprocess.TimeoutExpired:
        if number > 1:
            raise Failure(f"it did not end within {TRY_LIMIT_S} s.") from None
        return [f"it did not end within {TRY_LIMIT_S} s"]
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
