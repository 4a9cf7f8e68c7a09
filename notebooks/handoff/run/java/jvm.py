"""The flags of the measuring JVM, and the check that they were in force."""

from collections.abc import Iterable, Mapping

from handoff.run.plan.points import Point
from handoff.run.plan.settings import MEMORY, Jvm, parse_flag
from handoff.text import parse_amount

COLLECTORS = {
    "PARALLEL": ["-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy"],
    "PARALLEL_NUMA": ["-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy", "-XX:+UseNUMA"],
    "G1": ["-XX:+UseG1GC"],
    "SERIAL": ["-XX:+UseSerialGC"],
}

YOURS = "-Dhandoff.yours"
TOUCHED, UNTOUCHED = "-XX:+AlwaysPreTouch", "-XX:-AlwaysPreTouch"


def build_flags(jvm: Jvm, collector: str, feature: int) -> list[str]:
    """Return the flags for a fixed, touched heap, half of it young, the collector, the sweep's."""
    size, unit = int(jvm.heap[:-1]), jvm.heap[-1]
    young = size * 1024 // 2 if unit == "g" else size // 2
    flags = [f"-Xms{jvm.heap}", f"-Xmx{jvm.heap}", f"-Xmn{young}m", TOUCHED]
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
    return flags


MEMORY_STEP = 32 << 20
"""G1's largest region; G1 rounds sizes of memory to whole regions."""


def list_not_in_force(flags: Iterable[str], in_force: Mapping[str, str]) -> list[str]:
    """Return 'UseLargePages is false, expected true' for each flag reported as changed."""
    planned = dict(filter(None, map(parse_flag, flags)))
    return [
        f"{name} is {in_force[name]}, expected {value}"
        for name, value in planned.items()
        if name in in_force and not is_alike(name, in_force[name], value)
    ]


def is_alike(name: str, value: str, planned: str) -> bool:
    """Compare a value with the planned one; the JVM may round memory up to its own steps."""
    actual, expected = parse_amount(value), parse_amount(planned)
    if name in MEMORY.values() and isinstance(actual, int) and isinstance(expected, int):
        return expected <= actual < expected + MEMORY_STEP
    return actual == expected
