"""The call of the jar that measures one point: what it tells the kernel, Java and JMH."""

import sys
import zipfile
from functools import cache
from pathlib import Path

from handoff.paths import JAR
from handoff.run import launcher
from handoff.run.identity import hash_content, stat_signature
from handoff.run.jar import hash_jar, list_compatibility_flags
from handoff.run.jdk import Jdk
from handoff.run.jvm import plan_flags
from handoff.run.points import Point
from handoff.run.sweep import Jvm

HINTS = "compiler-hints"

JMH_FLAGS = [
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+UnlockExperimentalVMOptions",
    "-DcompilerBlackholesEnabled=true",
]
"""What JMH gives the JVMs that it forks."""

DETECT_NOTHING = "-Djmh.blackhole.autoDetect=false"
"""So that JMH starts no JVM of its own to find out what these flags say."""

JMH_HINTS = """quiet
inline,org/openjdk/jmh/infra/Blackhole.consume
dontinline,org/openjdk/jmh/infra/Blackhole.consumeCPU
blackhole,org/openjdk/jmh/infra/Blackhole.consumeCompiler
"""


def build_command(jdk: Jdk, jvm: Jvm, point: Point, folder: Path) -> list[str]:
    """The call of the jar: one JVM, which is the fork, so JMH makes none of its own (`-f 0`) and
    gets the options and compiler hints that it gives its forks.

    It keeps its temporary files, JMH's lock among them, in `folder`.
    """
    params = [word for name, value in point.params.items() for word in ("-p", f"{name}={value}")]
    jmh = ["-f", "0", "-wi", "0", "-i", str(point.shots), "-to", "12hr", "-foe", "true"]
    return [
        *launch(point),
        str(jdk.java),
        f"-Djava.io.tmpdir={folder}",
        f"-Djna.tmpdir={folder}",
        *list_compatibility_flags(jdk),
        *share_classes(jdk),
        *JMH_FLAGS,
        DETECT_NOTHING,
        f"-XX:CompileCommandFile={folder / HINTS}",
        *plan_flags(jvm, point, jdk.feature),
        "-jar",
        str(JAR),
        point.study,
        *params,
        *jmh,
        "-rf",
        "json",
        "-rff",
        str(folder / "jmh.json"),
    ]


def share_classes(jdk: Jdk) -> list[str]:
    """The flag that has a JVM take its classes from the archive, where there is one. A JVM that it
    does not fit loads them from the jar.
    """
    archive = locate_archive(jdk.runtime, stat_signature(JAR))
    return [f"-XX:SharedArchiveFile={archive}"] if archive.is_file() else []


@cache
def locate_archive(runtime: str, jar: tuple | None) -> Path:
    """The archive of this JDK and the jar that has this signature."""
    return JAR.with_name(f"classes-{hash_content([runtime, hash_jar()])}.jsa")


def launch(point: Point) -> list[str]:
    """The words before Java's that have its memory and its own threads placed; none where nothing
    is to be placed.
    """
    words = []
    if point.heap:
        words += ["--interleave" if point.heap.interleaved else "--bind", join(point.heap.nodes)]
    if point.housekeeping:
        words += ["--cpus", join(point.housekeeping.cpus)]
    return [sys.executable, "-I", launcher.__file__, *words] if words else []


def join(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


@cache
def read_compiler_hints() -> str:
    """What JMH tells the compiler of the JVMs that it forks: of its own classes, and those hints
    that were made with the benchmarks.
    """
    with zipfile.ZipFile(JAR) as opened:
        return JMH_HINTS + opened.read("META-INF/CompilerHints").decode()
