"""A student's own class: compiled outside the jar, told by its hash, and held to rules that its
byte code shows.
"""

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from handoff.errors import BadInput, Failure
from handoff.paths import JAR
from handoff.run import jar
from handoff.run.command import MAIN, locate_classes
from handoff.run.jdk import Jdk
from handoff.run.jvm import YOURS
from handoff.run.process import clean_environment

NAME = "MyExchange"
PUT, TAKE = "put", "take"
COMPILE_LIMIT_S, HAMMER_LIMIT_S = 60, 120

ALLOWED = re.compile(
    r"""\[* L? (
        java/lang/(Object|String|Integer|Long|Math|Class|Thread|Throwable|Record|Enum|Error
            |(Illegal\w+|Interrupted|Runtime|NoSuchField|IllegalAccess|ReflectiveOperation
            |IndexOutOfBounds|Arithmetic|NullPointer)?Exception|AssertionError
            |ExceptionInInitializerError|MatchException)
        |java/lang/invoke/(VarHandle|MethodHandles)(\$Lookup)?
        |java/util/concurrent/atomic/\w+
        |java/util/concurrent/locks/LockSupport
        |java/util/Objects|java/util/Arrays
        |handoff/mechanism/Exchange
        |MyExchange(\$\w+)?
        |[BCDFIJSZ]
    ) ;?""",
    re.VERBOSE,
)
"""What a ring of one's own is made of. Queues, locks and executors of the JDK are not among it."""

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
    return list_strangers(listed) or describe_fields(listed) or hammer(java, folder, run)


def disassemble(java: Jdk, folder: Path) -> str:
    """What javap says of all classes. Failure where it does not tell all."""
    files = [str(file) for file in sorted(folder.glob("*.class"))]
    command = [str(find_tool(java, "javap")), "-J-Xmx256m", "-p", "-c", "-v", *files]
    ended = run_plainly(command, COMPILE_LIMIT_S)
    if ended.returncode != 0 or len(split_classes(ended.stdout)) != len(files):
        raise Failure("javap cannot read what javac wrote.")
    return ended.stdout


def split_classes(listed: str) -> dict[str, str]:
    """What is said of each class, by its name."""
    found = {}
    for part in re.split(r"^Classfile ", listed, flags=re.MULTILINE)[1:]:
        name = re.search(r"^  this_class: #\d+ +// (\S+)$", part, re.MULTILINE)
        found[name[1] if name else part[:80]] = part
    return found


def list_strangers(listed: str) -> str:
    """Classes that it may not use, or native methods; '' if none."""
    named = re.findall(r"= Class +#\d+ +// \"?([^\"\s]+)\"?$", listed, re.MULTILINE)
    strange = sorted({name for name in named if not ALLOWED.fullmatch(name)})
    if strange:
        return f"it uses {strange[0].replace('/', '.')}, which is not allowed"
    return (
        "it has a native method" if re.search(r"^  .*\bnative\b.*;$", listed, re.MULTILINE) else ""
    )


FIELD = re.compile(r"^  ([a-zA-Z ]*?)([\w.$\[\]<>?]+) (\w+);$\n    descriptor: (\S+)", re.MULTILINE)
METHOD = re.compile(r"^  [^\n(]*?(\w+)\([^\n]*;$\n    descriptor:", re.MULTILINE)
ACCESS = re.compile(r"((?:get|put)(?:field|static)) +#\d+ +// Field (?:([\w$]+)\.)?(\w+):")
CALL = re.compile(r"invoke\w+ +#\d+(?:, +\d+)? +// (?:Interface)?Method (?:([\w$]+)\.)?(\w+):")

Member = tuple[str, str]
"""A class, and a field or method of it."""


def describe_fields(listed: str) -> str:
    """A field that the two sides share in a way that cannot be right: its name, and why; '' if
    none. Fields that only put touches, or only take, are that side's own.
    """
    classes = split_classes(listed)
    bodies = {
        (owner, name): body
        for owner, part in classes.items()
        for name, body in split_methods(part).items()
    }
    used = {side: list_accesses(side, bodies) for side in (PUT, TAKE)}
    for owner, part in classes.items():
        for words, _, name, descriptor in FIELD.findall(part):
            kinds = set(words.split())
            ways = [own.get((owner, name), set()) for own in used.values()]
            if not {"final", "volatile"} & kinds and all(ways):
                return (
                    f"the field {name} is neither final nor volatile, and both put and take use it:"
                    " one thread may never see what the other wrote"
                )
            if descriptor in NUMBERS and all(way & WRITES for way in ways):
                return (
                    f"both put and take write the number {name}: what one writes may undo what the"
                    " other wrote a moment before"
                )
    return ""


NUMBERS = ("I", "J", "S", "B")
"""Descriptors of whole numbers."""

WRITES = {"putfield", "putstatic"}


def list_accesses(side: str, bodies: dict[Member, str]) -> dict[Member, set[str]]:
    """The fields that one side uses, with how: getfield, putfield, getstatic, putstatic."""
    used: dict[Member, set[str]] = {}
    for member in reach(side, bodies):
        for how, owner, field in ACCESS.findall(bodies[member]):
            used.setdefault((owner or member[0], field), set()).add(how)
    return used


def split_methods(part: str) -> dict[str, str]:
    """The byte code of each method of a class, by name; of several of one name all of it."""
    found: dict[str, str] = {}
    starts = list(METHOD.finditer(part))
    for i, start in enumerate(starts):
        end = starts[i + 1].start() if i + 1 < len(starts) else len(part)
        found[start[1]] = found.get(start[1], "") + part[start.end() : end]
    return found


def reach(side: str, bodies: dict[Member, str]) -> set[Member]:
    """The methods that one side calls, itself among them; not constructors, whose object no other
    thread has yet.
    """
    seen: set[Member] = set()
    waiting = [(NAME, side)]
    while waiting:
        member = waiting.pop()
        if member in bodies and member not in seen:
            seen.add(member)
            called = CALL.findall(bodies[member])
            waiting += [(owner or member[0], name) for owner, name in called]
    return seen


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
