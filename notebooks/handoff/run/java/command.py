"""Build the command that measures one point: the launcher's, the JVM's and JMH's arguments."""

import subprocess
import sys
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from handoff.errors import BadInput
from handoff.paths import JAR
from handoff.run.host.kernel_settings import find_remote_hits
from handoff.run.java import launcher
from handoff.run.java.jar import list_compatibility_flags
from handoff.run.java.jdk import Jdk
from handoff.run.plan.points import Point
from handoff.run.plan.settings import MEMORY, Jvm, parse_flag
from handoff.text import parse_amount

HINTS = "compiler-hints"
OLDER_RELEASE = "3.2.0"
OLDER_JAR = f"disruptor-{OLDER_RELEASE}.jar"
"""A release of the Disruptor in a jar inside the jar, unpacked for a fork that measures it."""

MAIN = "handoff.cli.Main"

JMH_FLAGS = [
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+UnlockExperimentalVMOptions",
    "-DcompilerBlackholesEnabled=true",
]
"""Flags that JMH passes to the JVMs that it forks."""

JMH_HINTS = """quiet
inline,org/openjdk/jmh/infra/Blackhole.consume
dontinline,org/openjdk/jmh/infra/Blackhole.consumeCPU
blackhole,org/openjdk/jmh/infra/Blackhole.consumeCompiler
"""


def build_command(jdk: Jdk, jvm: Jvm, point: Point, folder: Path) -> list[str]:
    """Return the call of the jar for one fork, with its temporary files in `folder`.

    The JVM is the fork, so JMH starts none (`-f 0`), and this JVM gets the options and compiler
    hints that JMH would pass to its forks.
    """
    params = [word for name, value in point.params.items() for word in ("-p", f"{name}={value}")]
    jmh = ["-f", "0", "-wi", "0", "-i", str(point.shots), "-to", "12hr", "-foe", "true"]
    jmh += ["-rf", "json", "-rff", str(folder / "jmh.json")]
    return [
        *list_launcher_words(point),
        str(jdk.java),
        f"-Djava.io.tmpdir={folder}",
        f"-Djna.tmpdir={folder}",
        *list_compatibility_flags(jdk),
        *JMH_FLAGS,
        # Keeps JMH from starting a JVM to probe for compiler blackholes.
        "-Djmh.blackhole.autoDetect=false",
        f"-XX:CompileCommandFile={folder / HINTS}",
        *plan_flags(jvm, point, jdk.feature),
        *list_counter_flags(),
        *list_classes(jdk.jar, jvm, point, folder),
        point.study,
        *params,
        *jmh,
    ]


def list_classes(jar: Path, jvm: Jvm, point: Point, folder: Path) -> list[str]:
    """Return the class path and the main class; of two classes of a name, the first counts."""
    first = [locate_classes(jvm.yours)] if jvm.yours else []
    first += [folder / OLDER_JAR] if needs_older_release(point) else []
    return ["-cp", ":".join(map(str, [*first, jar])), MAIN] if first else ["-jar", str(jar)]


def needs_older_release(point: Point) -> bool:
    return point.params.get("release") == OLDER_RELEASE


@cache
def list_counter_flags() -> list[str]:
    """Return the jar's option for the event that P14 speaks of, or none without the event."""
    number = find_remote_hits().get("number")
    return [f"-Dhandoff.remote.hits={number}"] if number else []


def locate_classes(yours: str) -> Path:
    """Return the folder of a user's class, named by the hash that the fork verifies."""
    return JAR.with_name("yours") / yours.partition("@")[2]


def require_classes(jvm: Jvm, source: str) -> None:
    """Raise BadInput where the sweep needs a class that is not here."""
    if jvm.yours and not locate_classes(jvm.yours).is_dir():
        name = jvm.yours.partition("@")[0]
        how = f"add --class {name}.java, unchanged"
        raise BadInput(f"{source}: the class {name} of this sweep is not compiled here: {how}.")


def list_launcher_words(point: Point) -> list[str]:
    """Return the launcher's words that place the JVM's memory and its own threads, if any."""
    words = []
    if point.heap:
        words += ["--interleave" if point.heap.interleaved else "--bind", join(point.heap.nodes)]
    if point.housekeeping:
        words += ["--cpus", join(point.housekeeping.cpus)]
    return [sys.executable, "-I", launcher.__file__, *words] if words else []


def find_refusal(points: Iterable[Point]) -> str:
    """Return what the kernel refuses of these points' memory and JVM threads, or ''."""
    # The launcher asks for each place once, for a program that does nothing.
    for words in dict.fromkeys(tuple(list_launcher_words(point)) for point in points):
        if words:
            asked = [*words, sys.executable, "-I", "-c", ""]
            tried = subprocess.run(asked, capture_output=True, text=True)
            if tried.returncode != 0:
                return tried.stderr.strip().removeprefix("OSError: ")
    return ""


def join(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


@cache
def read_entry(jar: Path, name: str) -> bytes:
    with zipfile.ZipFile(jar) as opened:
        return opened.read(name)


def write_inputs(jar: Path, point: Point, folder: Path) -> None:
    """Write a fork's compiler hints, and the jar of its release of the Disruptor if it is older."""
    (folder / HINTS).write_text(JMH_HINTS + read_entry(jar, "META-INF/CompilerHints").decode())
    if needs_older_release(point):
        (folder / OLDER_JAR).write_bytes(read_entry(jar, OLDER_JAR))


COLLECTORS = {
    "PARALLEL": ["-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy"],
    "PARALLEL_NUMA": ["-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy", "-XX:+UseNUMA"],
    "G1": ["-XX:+UseG1GC"],
    "SERIAL": ["-XX:+UseSerialGC"],
    # It would turn UseNUMA on by itself, against the heap's planned place.
    "ZGC": ["-XX:+UseZGC", "-XX:-UseNUMA"],
}

YOURS = "-Dhandoff.yours"
TOUCHED, UNTOUCHED = "-XX:+AlwaysPreTouch", "-XX:-AlwaysPreTouch"


def build_flags(jvm: Jvm, collector: str, feature: int) -> list[str]:
    """Return the flags for a fixed, touched heap, half of it young, the collector, the sweep's."""
    flags = [f"-Xms{jvm.heap}", f"-Xmx{jvm.heap}", f"-Xmn{jvm.heap_mib // 2}m", TOUCHED]
    flags += COLLECTORS[collector]
    if feature >= 22 and not jvm.simd_sort:
        # JDK 17 does not know these intrinsics and would refuse to start.
        intrinsics = "-XX:DisableIntrinsic=_arraySort,_arrayPartition"
        flags += ["-XX:+UnlockDiagnosticVMOptions", intrinsics]
    if jvm.yours:
        flags.append(f"{YOURS}={jvm.yours}")
    return flags + jvm.flags


def plan_flags(jvm: Jvm, point: Point, feature: int) -> list[str]:
    """Return all flags of one point's JVM: those of the set-up, and what the point needs."""
    flags = build_flags(jvm, point.params["collector"], feature)
    if point.params.get("memory") == "FIRST_TOUCH":
        flags = [flag for flag in flags if flag != TOUCHED] + [UNTOUCHED]
    if point.housekeeping:
        flags.append(f"-Dhandoff.allowed={point.housekeeping.allowed}")
        flags.append(f"-XX:ActiveProcessorCount={point.housekeeping.processors}")
    if point.warmup_limit:
        flags.append(f"-Dhandoff.warmup.seconds={point.warmup_limit}")
    if point.warmup_events:
        flags.append(f"-Dhandoff.warmup.events={point.warmup_events}")
    return flags


MEMORY_STEP = 32 << 20
"""G1's largest region; G1 rounds sizes of memory to whole regions."""


def list_not_in_force(flags: Iterable[str], in_force: Mapping[str, str]) -> list[str]:
    """Return 'UseLargePages is false, expected true' for each flag reported as changed."""
    planned = dict(filter(None, map(parse_flag, flags)))
    return [
        f"{name} is {in_force[name]}, expected {value}"
        for name, value in planned.items()
        if name in in_force and not is_in_force(name, in_force[name], value)
    ]


def is_in_force(name: str, value: str, planned: str) -> bool:
    """Compare a value with the planned one; the JVM may round memory up to its own steps."""
    actual, expected = parse_amount(value), parse_amount(planned)
    if name in MEMORY.values() and isinstance(actual, int) and isinstance(expected, int):
        return expected <= actual < expected + MEMORY_STEP
    return actual == expected
