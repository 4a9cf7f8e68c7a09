"""The flags of the measuring JVM, and the check that they were in force."""

import re
from collections.abc import Iterable, Mapping

from handoff.run.plan.flags import MEMORY, parse_flag
from handoff.run.plan.points import Point
from handoff.run.plan.settings import Jvm

COLLECTORS = {
    "PARALLEL": ["-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy"],
    "PARALLEL_NUMA": ["-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy", "-XX:+UseNUMA"],
    "G1": ["-XX:+UseG1GC"],
    "SERIAL": ["-XX:+UseSerialGC"],
}


YOURS = "-Dhandoff.yours"
TOUCHED, UNTOUCHED = "-XX:+AlwaysPreTouch", "-XX:-AlwaysPreTouch"


def build_flags(jvm: Jvm, collector: str, feature: int) -> list[str]:
    """Return the flags for a fixed, touched heap, half of it young, and the collector.

    The sweep's own flags come last.
    """
    size, unit = int(jvm.heap[:-1]), jvm.heap[-1]
    young = f"{size * 1024 // 2}m" if unit == "g" else f"{size // 2}m"
    memory = [f"-Xms{jvm.heap}", f"-Xmx{jvm.heap}", f"-Xmn{young}", TOUCHED]
    scalar = ["-XX:+UnlockDiagnosticVMOptions", "-XX:DisableIntrinsic=_arraySort,_arrayPartition"]
    # JDK 17 does not know these intrinsics and would refuse to start.
    return (
        memory
        + COLLECTORS[collector]
        + (scalar if feature >= 22 and not jvm.simd_sort else [])
        + ([f"{YOURS}={jvm.yours}"] if jvm.yours else [])
        + jvm.flags
    )


WARM_UP, ALLOWED = "-Dhandoff.warmup.seconds", "-Dhandoff.allowed"


def plan_flags(jvm: Jvm, point: Point, feature: int) -> list[str]:
    """Return all flags of one point's JVM.

    They extend `build_flags` with heap touching, the JVM's own CPUs and the warm-up limit.
    """
    flags = build_flags(jvm, point.params["collector"], feature)
    if point.params.get("memory") == "FIRST_TOUCH":
        flags = [flag for flag in flags if flag != TOUCHED] + [UNTOUCHED]
    if point.housekeeping:
        flags += [
            f"{ALLOWED}={point.housekeeping.allowed}",
            f"-XX:ActiveProcessorCount={point.housekeeping.processors}",
        ]
    return [*flags, f"{WARM_UP}={point.warmup_limit}"] if point.warmup_limit else flags


UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
MEMORY_STEP = 32 << 20
"""G1's largest region; G1 rounds sizes of memory to whole regions."""


def list_not_in_force(flags: Iterable[str], in_force: Mapping[str, str]) -> list[str]:
    """Return 'UseLargePages is false, expected true' for each flag that the JVM changed.

    A flag that the JVM does not report counts as in force.
    """
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


def parse_amount(text: str) -> int | str:
    """Return a number, with or without a unit of memory, as an integer; other text unchanged."""
    amount = re.fullmatch(r"(-?\d+)([kmgt]?)", text.lower())
    return int(amount[1]) * UNITS[amount[2]] if amount else text
