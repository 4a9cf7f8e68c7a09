"""The jar: built when its sources changed, and asked the questions that need no measurement."""

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
from handoff.run.host.process import clean_environment
from handoff.run.java.jdk import Jdk, find_maven, list_maven_options

BUILD_LIMIT_S = 1800
ANSWER_LIMIT_S = 120

UNSAFE_SINCE = 23
"""The JDK that began to warn of sun.misc.Unsafe, and knows the flag against it."""

LAUNCHER_FLAGS = ["-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
"""A JVM that only tells: small and quick to start."""


def list_compatibility_flags(jdk: Jdk) -> list[str]:
    """What newer JDKs warn about otherwise."""
    native = ["--enable-native-access=ALL-UNNAMED"]
    unsafe = ["--sun-misc-unsafe-memory-access=allow"]
    return native + (unsafe if jdk.feature >= UNSAFE_SINCE else [])


def hash_sources(jdk: Jdk) -> str:
    """Stands for what the jar is made from; the compiler is part of it, for another one writes
    other bytes.
    """
    files = [
        f
        for f in JAVA_BENCH.rglob("*")
        if f.is_file()
        and f.suffix in (".java", ".xml")
        and "target" not in f.relative_to(JAVA_BENCH).parts
    ]
    digest = hashlib.sha256(jdk.runtime.encode())
    for file in sorted(files):
        if "test" not in file.relative_to(JAVA_BENCH).parts:
            digest.update(str(file.relative_to(JAVA_BENCH)).encode() + file.read_bytes())
    return digest.hexdigest()


def build_jar(jdk: Jdk) -> bool:
    """Builds the jar unless it is there and made from these sources; returns whether it built.

    Failure with Maven's last words.
    """
    stamp, sources = JAR.with_suffix(".stamp"), hash_sources(jdk)
    if (
        JAR.is_file()
        and LABS_JAR.is_file()
        and stamp.is_file()
        and stamp.read_text() == f"{sources} {hash_jar()}"
    ):
        return False
    home = str(jdk.java.resolve().parents[1])
    if not (Path(home) / "bin" / "javac").is_file():
        raise BadInput(
            f"{home} is a Java runtime without a compiler: install a JDK, or set JAVA_HOME to one."
        )
    command = [
        find_maven(),
        *list_maven_options(),
        "-q",
        "-B",
        "-f",
        str(JAVA_BENCH / "pom.xml"),
        "clean",
        "package",
        "-DskipTests",
    ]
    options = f"{' '.join(list_compatibility_flags(jdk))} {os.environ.get('MAVEN_OPTS', '')}"
    env = clean_environment() | {"JAVA_HOME": home, "MAVEN_OPTS": options}
    # Not while a sweep measures: it would lose its jar, and be disturbed.
    with (
        lock.hold_lock("building the jar"),
        tempfile.TemporaryDirectory(prefix="handoff-build-") as folder,
    ):
        code = process.run_process(command, Path(folder), BUILD_LIMIT_S, env)
        said = (Path(folder) / "log.txt").read_text(errors="replace")
    if code != 0:
        raise Failure("Maven could not build java-bench:\n" + "\n".join(said.splitlines()[-20:]))
    stamp.write_text(f"{sources} {hash_jar()}")
    return True


def hash_jar() -> str:
    return hashlib.sha256(JAR.read_bytes()).hexdigest()


def run_jar(
    jdk: Jdk, flags: Sequence[str], words: Sequence[str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """One of the jar's verbs, in a JVM with these flags. Failure when it does not end."""
    try:
        return subprocess.run(
            [str(jdk.java), *list_compatibility_flags(jdk), *flags, "-jar", str(JAR), *words],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=ANSWER_LIMIT_S,
            env=clean_environment(),
        )
    except subprocess.TimeoutExpired:
        raise Failure(
            f"the jar's {words[0]} did not answer within {ANSWER_LIMIT_S} seconds."
        ) from None


def query_jar(jdk: Jdk, *words: str, stdin: str = "") -> Any:
    """The JSON answer of one of the jar's verbs.

    BadInput with the jar's own sentence, Failure when it breaks.
    """
    answer = run_jar(jdk, LAUNCHER_FLAGS, words, stdin)
    if answer.returncode == 2:
        raise BadInput(answer.stderr.strip())
    if answer.returncode != 0:
        raise Failure(f"the jar's {words[0]} failed: {answer.stderr.strip()[-500:]}")
    return json.loads(answer.stdout)


def query_topology(jdk: Jdk) -> dict:
    """Return the CPUs of this machine as the jar sees them, with cores, sockets and nodes."""
    topology: dict = query_jar(jdk, "topology")
    return topology


def check_flags(jdk: Jdk, flags: list[str], source: str) -> None:
    """BadInput, in the JVM's own words, when it does not run the jar under these flags."""
    # The heap is not touched for a question.
    answer = run_jar(jdk, [*flags, "-XX:-AlwaysPreTouch"], ["topology"])
    if answer.returncode != 0 or not answer.stdout.startswith("{"):
        said = [line for line in (answer.stdout + answer.stderr).splitlines() if line.strip()]
        quoted = " ".join(line for line in said if not line.startswith(NOISE))[:300]
        raise BadInput(f"{source}: jvm.flags: Java does not measure under them: {quoted}")


NOISE = ("Error: Could not create", "Error: A fatal exception")
"""What Java says after every bad flag."""


def check_points(jdk: Jdk, points: list) -> list[dict]:
    """For every point its plan, or why it is wrong, or why this machine cannot do it."""
    return query_jar(
        jdk, "check", stdin=json.dumps([{"study": point.study} | point.params for point in points])
    )
