"""A student's own class: compiled outside the jar, told by its hash, and tried."""

import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from handoff.errors import BadInput, Failure
from handoff.labs import bytecode
from handoff.labs.bytecode import NAME
from handoff.paths import JAR
from handoff.run import jar
from handoff.run.command import MAIN, locate_classes
from handoff.run.jdk import Jdk
from handoff.run.jvm import YOURS
from handoff.run.process import clean_environment

COMPILE_LIMIT_S, HAMMER_LIMIT_S = 60, 120

Run = Callable[[Sequence[str], float], subprocess.CompletedProcess[str]]
"""Runs a command with a limit in seconds; a grader's is a sandbox's."""


def run_plainly(command: Sequence[str], limit_s: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=limit_s, env=clean_environment()
    )


def compile_class(java: Jdk, source: str, folder: Path) -> None:
    """Compiles MyExchange.java into a folder. BadInput with the compiler's first words."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="handoff-javac-") as name:
        file = Path(name) / f"{NAME}.java"
        file.write_text(source, encoding="utf-8")
        command = [str(find_tool(java, "javac")), "-J-Xmx512m", "-g:none", "-encoding", "UTF-8"]
        command += ["-proc:none", "--release", "17"]
        command += ["-cp", str(JAR), "-d", str(folder), str(file)]
        try:
            ended = run_plainly(command, COMPILE_LIMIT_S)
        except subprocess.TimeoutExpired:
            raise BadInput(f"{NAME}.java was not compiled in {COMPILE_LIMIT_S} s.") from None
        if ended.returncode != 0:
            said = ended.stderr.replace(str(file), f"{NAME}.java").strip().splitlines()
            raise BadInput(f"Java cannot compile it: {' '.join(said[:3])}")
    if not (folder / f"{NAME}.class").is_file():
        raise BadInput(f"It defines no class {NAME}, outside of any package.")


def find_tool(java: Jdk, name: str) -> Path:
    """A tool of the JDK. BadInput where Java is only a runtime."""
    tool = java.java.resolve().with_name(name)
    if not tool.is_file():
        raise BadInput(f"{tool.parent} has no {name}: install a JDK, or set JAVA_HOME to one.")
    return tool


def hash_classes(folder: Path) -> str:
    """Over each class file's name and bytes, by name: as the jar does it."""
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.class")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def provide_class(java: Jdk, source: str) -> str:
    """Compiles it, keeps its classes where forks find them, and returns 'MyExchange@hash'."""
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
    """The first rule that the classes break, in one sentence; '' if none. In this order: what they
    are made of, their fields, and what hammering finds.
    """
    listed = disassemble(java, folder)
    return (
        bytecode.describe_strangers(listed)
        or bytecode.describe_fields(listed)
        or hammer(java, folder, run)
    )


def disassemble(java: Jdk, folder: Path) -> str:
    """What javap says of all classes. Failure where it does not tell all."""
    files = [str(file) for file in sorted(folder.glob("*.class"))]
    command = [str(find_tool(java, "javap")), "-J-Xmx256m", "-p", "-c", "-v", *files]
    ended = run_plainly(command, COMPILE_LIMIT_S)
    if ended.returncode != 0 or len(bytecode.split_classes(ended.stdout)) != len(files):
        raise Failure("javap cannot read what javac wrote.")
    return ended.stdout


def hammer(java: Jdk, folder: Path, run: Run = run_plainly) -> str:
    """What two real threads find, in one sentence; '' if nothing."""
    command = [
        str(java.java),
        *jar.LAUNCHER_FLAGS[1:],
        "-Xmx256m",
        f"{YOURS}={NAME}@{hash_classes(folder)}",
        *("-cp", f"{JAR}:{folder}", MAIN, "hammer"),
    ]
    try:
        ended = run(command, HAMMER_LIMIT_S)
    except subprocess.TimeoutExpired:
        return f"hammering it did not end within {HAMMER_LIMIT_S} s"
    try:
        wrong = json.loads(ended.stdout)["wrong"]
    except (ValueError, KeyError, TypeError):
        raise Failure(f"the jar's hammer failed: {ended.stderr.strip()[-300:]}") from None
    return f"hammering finds: {wrong}" if wrong else ""
