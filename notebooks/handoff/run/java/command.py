"""The call of the jar that measures one point: what it tells the kernel, Java and JMH."""

import sys
import zipfile
from functools import cache
from pathlib import Path

from handoff.files import hash_content, stat_signature
from handoff.paths import JAR
from handoff.run.java import launcher
from handoff.run.java.jar import list_compatibility_flags
from handoff.run.java.jdk import Jdk
from handoff.run.java.jvm import parse_amount, plan_flags
from handoff.run.plan.points import Point
from handoff.run.plan.sweep import Jvm

HINTS = "compiler-hints"
MAIN = "handoff.cli.Main"
ARCHIVE = "classes"

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
        *share_classes(jdk, jvm),
        *JMH_FLAGS,
        DETECT_NOTHING,
        f"-XX:CompileCommandFile={folder / HINTS}",
        *plan_flags(jvm, point, jdk.feature),
        *(["-cp", f"{JAR}:{locate_classes(jvm.yours)}", MAIN] if jvm.yours else ["-jar", str(JAR)]),
        point.study,
        *params,
        *jmh,
        "-rf",
        "json",
        "-rff",
        str(folder / "jmh.json"),
    ]


def locate_classes(yours: str) -> Path:
    """The folder of a class of one's own, by its hash: the fork refuses any other."""
    return JAR.with_name("yours") / yours.partition("@")[2]


LEAST_WIDE_HEAP = 32 << 30
"""From this size on references take eight bytes, which the archive's do not."""


def share_classes(jdk: Jdk, jvm: Jvm) -> list[str]:
    """The flag that has a JVM take its classes from the archive; none where there is none that
    fits.
    """
    archive, heap = locate_archive(jdk), parse_amount(jvm.heap)
    fits = archive.is_file() and isinstance(heap, int) and heap < LEAST_WIDE_HEAP
    return [f"-XX:SharedArchiveFile={archive}"] if fits else []


def locate_archive(jdk: Jdk) -> Path:
    """The archive for this jar and this JDK, as they are now: Java takes no class from that of
    another file, though it held the same.
    """
    modules = jdk.java.resolve().parents[1] / "lib" / "modules"
    known = [jdk.runtime, str(JAR), stat_signature(JAR), stat_signature(modules)]
    return JAR.with_name(f"{ARCHIVE}-{hash_content(known)}.jsa")


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
