"""Build the jar when its sources change, and query it for everything but measurements."""

import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from handoff.errors import BadInput, Failure
from handoff.paths import JAR, JAVA_BENCH, LABS_JAR
from handoff.run.host import lock, process
from handoff.run.java.jdk import Jdk, find_maven, find_tool

BUILD_LIMIT_S = 1800
ANSWER_LIMIT_S = 120

STAMP = JAR.with_suffix(".stamp")
UNSAFE_SINCE = 23
"""The first JDK that warns of sun.misc.Unsafe and has the flag against the warning."""


def list_compatibility_flags(jdk: Jdk) -> list[str]:
    """Return the flags that keep newer JDKs from printing warnings."""
    native = ["--enable-native-access=ALL-UNNAMED"]
    unsafe = ["--sun-misc-unsafe-memory-access=allow"]
    return native + (unsafe if jdk.feature >= UNSAFE_SINCE else [])


def hash_sources(jdk: Jdk) -> str:
    """Return a hash over the jar's sources and the compiler, which writes bytes of its own."""
    digest = hashlib.sha256(jdk.runtime.encode())
    for file in sorted(JAVA_BENCH.rglob("*")):
        name = file.relative_to(JAVA_BENCH)
        left_out = not {"target", "test"}.isdisjoint(name.parts)
        if file.suffix in (".java", ".xml") and not left_out and file.is_file():
            digest.update(str(name).encode() + file.read_bytes())
    return digest.hexdigest()


def build_jar(jdk: Jdk) -> bool:
    """Build the jar unless it is up to date; return whether it was built."""
    sources = hash_sources(jdk)
    if is_current(sources):
        return False
    # A build would disturb a running sweep, and remove its jar.
    with lock.hold_lock("building the jar"):
        # Another start may have built it while this one waited.
        if is_current(sources):
            return False
        run_maven(jdk, "clean", "package", "-DskipTests")
        note_built(sources)
    return True


def is_current(sources: str) -> bool:
    complete = JAR.is_file() and LABS_JAR.is_file() and STAMP.is_file()
    return complete and STAMP.read_text() == f"{sources} {hash_jar()}"


def note_built(sources: str) -> None:
    """Note that the jar was built from these sources, hashed before the build."""
    STAMP.write_text(f"{sources} {hash_jar()}")


def run_maven(jdk: Jdk, *goals: str) -> None:
    """Let Maven reach these goals; raise Failure with its last lines."""
    command = [find_maven(), "-q", "-B", "-f", str(JAVA_BENCH / "pom.xml"), *goals]
    env = make_maven_environment(jdk)
    with process.guard_folder("handoff-build-") as guarded:
        code = process.run_process(command, guarded, BUILD_LIMIT_S, env)
        lines = (guarded.folder / "log.txt").read_text(errors="replace").splitlines()
    if code != 0:
        tail = "\n".join(lines[-20:])
        raise Failure(f"Maven could not build java-bench:\n{tail}")


def make_maven_environment(jdk: Jdk) -> dict[str, str]:
    """Return the environment that builds with this JDK; raise BadInput if it has no compiler."""
    home = find_tool(jdk, "javac").parents[1]
    options = f"{' '.join(list_compatibility_flags(jdk))} {os.environ.get('MAVEN_OPTS', '')}"
    own = {"JAVA_HOME": str(home), "MAVEN_OPTS": options, "MAVEN_SKIP_RC": "1"}
    # Else the settings of a project around this checkout would apply, from its folder .mvn.
    return process.clean_environment() | own | {"MAVEN_ARGS": "", "MAVEN_BASEDIR": str(JAVA_BENCH)}


def hash_jar(jar: Path = JAR) -> str:
    return hashlib.sha256(jar.read_bytes()).hexdigest()


def run_jar(
    jdk: Jdk, flags: Sequence[str], words: Sequence[str], stdin: str = "", folder: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of the jar in a JVM with these flags; raise Failure after the time limit."""
    java = [str(jdk.java), *list_compatibility_flags(jdk), *flags, "-jar", str(jdk.jar)]
    try:
        return process.run_plainly([*java, *words], ANSWER_LIMIT_S, stdin, folder)
    except subprocess.TimeoutExpired:
        reason = f"did not answer within {ANSWER_LIMIT_S} seconds"
        raise Failure(f"the jar's {words[0]} {reason}.") from None


def query_jar(jdk: Jdk, *words: str, stdin: str = "") -> Any:
    """Return the jar's answer in JSON; raise BadInput with its message, or Failure."""
    small_and_quick = ["-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    answer = run_jar(jdk, small_and_quick, words, stdin)
    if answer.returncode == 2:
        raise BadInput(answer.stderr.strip())
    if answer.returncode != 0:
        reason = answer.stderr.strip()[-500:] or f"it ended with {answer.returncode}"
        killed = "; was it killed for want of memory?" if answer.returncode == -9 else ""
        raise Failure(f"the jar's {words[0]} failed: {reason}{killed}")
    return json.loads(answer.stdout)


HERE = Path("/")
"""The folder of this machine's sys and proc; another one describes another machine."""


def query_topology(jdk: Jdk, root: Path = HERE) -> dict:
    """Return the CPUs of a machine as the jar sees them, with cores, sockets and nodes."""
    return query_jar(jdk, "check", stdin=json.dumps([{"root": str(root)}]))[0]


NOISE = ("Error: Could not create", "Error: A fatal exception")
"""Lines that Java prints after every refused flag."""


def check_flags(jdk: Jdk, flags: list[str], place: str) -> None:
    """Raise BadInput, with the JVM's message, unless the jar runs with the flags of this place."""
    # A query does not need a touched heap, and a flag may write a file to where it runs.
    with tempfile.TemporaryDirectory(prefix="handoff-flags-") as folder:
        answer = run_jar(jdk, [*flags, "-XX:-AlwaysPreTouch"], ["topology"], folder=folder)
    if answer.returncode != 0 or not answer.stdout.startswith("{"):
        # A JVM that only warns prints the jar's answer after it.
        said = answer.stdout.partition("\n{")[0] + answer.stderr
        lines = [line for line in said.splitlines() if line.strip()]
        quoted = " ".join(line for line in lines if not line.startswith(NOISE))[:300]
        raise BadInput(f"{place}: Java does not run with these flags: {quoted}")


AT_ONCE = 10_000
"""Points that a JVM with little memory checks in some seconds."""


def check_points(jdk: Jdk, points: list, root: Path = HERE) -> list[dict]:
    """Return a plan for each point, or why it is invalid, or why the machine cannot run it."""
    where = {} if root == HERE else {"root": str(root)}
    asked = [{"study": point.study} | point.params | where for point in points]
    parts = [asked[first : first + AT_ONCE] for first in range(0, len(asked), AT_ONCE)]
    return [each for part in parts for each in query_jar(jdk, "check", stdin=json.dumps(part))]
