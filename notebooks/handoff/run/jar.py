"""The jar: built when its sources changed, and asked the questions that need no measurement."""

import hashlib
import json
import os
import subprocess
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

from handoff.errors import BadInput, Failure
from handoff.paths import JAR, JAVA_BENCH
from handoff.run import lock, process
from handoff.run.jdk import Jdk, find_maven
from handoff.run.process import clean_environment

BUILD_LIMIT_S = 1800

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
    if JAR.is_file() and stamp.is_file() and stamp.read_text() == f"{sources} {hash_jar()}":
        return False
    home = str(jdk.java.resolve().parents[1])
    if not (Path(home) / "bin" / "javac").is_file():
        raise BadInput(
            f"{home} is a Java runtime without a compiler: install a JDK, or set JAVA_HOME to one."
        )
    command = [
        find_maven(),
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


def query_jar(jdk: Jdk, *words: str, stdin: str = "") -> Any:
    """The JSON answer of one of the jar's verbs.

    BadInput with the jar's own sentence, Failure when it breaks.
    """
    command = [
        str(jdk.java),
        *list_compatibility_flags(jdk),
        *LAUNCHER_FLAGS,
        "-jar",
        str(JAR),
        *words,
    ]
    try:
        answer = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            env=clean_environment(),
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"the jar's {words[0]} did not answer within two minutes.") from None
    if answer.returncode == 2:
        raise BadInput(answer.stderr.strip())
    if answer.returncode != 0:
        raise Failure(f"the jar's {words[0]} failed: {answer.stderr.strip()[-500:]}")
    return json.loads(answer.stdout)


def check_flags(jdk: Jdk, flags: list[str], source: str) -> None:
    """BadInput, in the JVM's own words, when it does not run the jar under these flags."""
    # The heap is not touched for a question.
    command = [str(jdk.java), *list_compatibility_flags(jdk), *flags, "-XX:-AlwaysPreTouch"]
    answer = subprocess.run(
        [*command, "-jar", str(JAR), "topology"],
        capture_output=True,
        text=True,
        timeout=120,
        env=clean_environment(),
    )
    if answer.returncode != 0 or not answer.stdout.startswith("{"):
        said = [line for line in (answer.stdout + answer.stderr).splitlines() if line.strip()]
        quoted = " ".join(line for line in said if not line.startswith(NOISE))[:300]
        raise BadInput(f"{source}: jvm.flags: Java does not measure under them: {quoted}")


NOISE = ("Error: Could not create", "Error: A fatal exception")
"""What Java says after every bad flag."""


@cache
def read_compiler_hints() -> str:
    """What JMH tells the compiler of the JVMs that it forks: of its own classes, and those hints
    that were made with the benchmarks.
    """
    with zipfile.ZipFile(JAR) as opened:
        return JMH_HINTS + opened.read("META-INF/CompilerHints").decode()


JMH_HINTS = """quiet
inline,org/openjdk/jmh/infra/Blackhole.consume
dontinline,org/openjdk/jmh/infra/Blackhole.consumeCPU
blackhole,org/openjdk/jmh/infra/Blackhole.consumeCompiler
"""


def check_points(jdk: Jdk, points: list) -> list[dict]:
    """For every point its plan, or why it is wrong, or why this machine cannot do it."""
    return query_jar(
        jdk, "check", stdin=json.dumps([{"study": point.study} | point.params for point in points])
    )
