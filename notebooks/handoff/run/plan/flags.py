"""JVM flags by name: what a flag sets, and which ones the runner sets itself."""

import re

MEMORY = {"-Xms": "InitialHeapSize", "-Xmx": "MaxHeapSize", "-Xmn": "MaxNewSize"}

OURS = {
    *MEMORY.values(),
    "MinHeapSize",
    "NewSize",
    "NewRatio",
    "AlwaysPreTouch",
    "UseAdaptiveSizePolicy",
    "UseParallelGC",
    "UseG1GC",
    "UseSerialGC",
    "UseZGC",
    "UseShenandoahGC",
    "UseEpsilonGC",
    "UseNUMA",
    "DisableIntrinsic",
    "ActiveProcessorCount",
    "IgnoreUnrecognizedVMOptions",
    "CompileCommandFile",
    "SharedArchiveFile",
}
"""Flags by which the runner fixes heap, collector, CPUs and classes: a user's would undo ours."""

OURS_BY_PREFIX = ("-Xms", "-Xmx", "-Xmn", "-Dhandoff.", "-Djava.io.tmpdir", "-Djna.tmpdir")


def parse_flag(flag: str) -> tuple[str, str] | None:
    """Return the name and value that a flag sets, or None if it sets none."""
    if flag[:4] in MEMORY:
        return MEMORY[flag[:4]], flag[4:]
    switch = re.fullmatch(r"-XX:([+-])(\w+)", flag)
    if switch:
        return switch[2], "true" if switch[1] == "+" else "false"
    named = re.fullmatch(r"-XX:(\w+)=(.*)", flag)
    return (named[1], named[2]) if named else None


def is_ours(flag: str) -> bool:
    """Return whether a flag sets what the runner sets."""
    parsed = parse_flag(flag)
    return flag.startswith(OURS_BY_PREFIX) or bool(parsed and parsed[0] in OURS)
