"""The flags of the JVM that measures, and whether they were in force."""

import re
from collections.abc import Iterable, Mapping

from handoff.run.plan.points import Point
from handoff.run.plan.sweep import Jvm

COLLECTORS = {
    "PARALLEL": ["-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy"],
    "PARALLEL_NUMA": ["-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy", "-XX:+UseNUMA"],
    "G1": ["-XX:+UseG1GC"],
    "SERIAL": ["-XX:+UseSerialGC"],
}


YOURS = "-Dhandoff.yours"
TOUCHED, UNTOUCHED = "-XX:+AlwaysPreTouch", "-XX:-AlwaysPreTouch"


def build_flags(jvm: Jvm, collector: str, feature: int) -> list[str]:
    """The measuring JVM's flags: a heap of fixed size, touched beforehand, half of it young; the
    collector that the point names.
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
    """All flags of one point's JVM: `build_flags`, whether its heap is touched beforehand, what it
    is to take for its CPUs, and how long it may warm up.
    """
    own = build_flags(jvm, point.params["collector"], feature)
    if point.params.get("memory") == "FIRST_TOUCH":
        own = [flag for flag in own if flag != TOUCHED] + [UNTOUCHED]
    if point.housekeeping:
        own += [
            f"{ALLOWED}={point.housekeeping.allowed}",
            f"-XX:ActiveProcessorCount={point.housekeeping.processors}",
        ]
    return [*own, f"{WARM_UP}={point.warmup_limit}"] if point.warmup_limit else own


UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
MEMORY_STEP = 32 << 20
"""G1's largest region: sizes of memory are multiples of a region."""

MEMORY = {"-Xms": "InitialHeapSize", "-Xmx": "MaxHeapSize", "-Xmn": "MaxNewSize"}


def list_not_in_force(flags: Iterable[str], in_force: Mapping[str, str]) -> list[str]:
    """'UseLargePages is false' for each flag that the JVM turned to another value; those that it
    does not tell are taken at their word.
    """
    planned = dict(filter(None, map(parse_flag, flags)))
    return [
        f"{name} is {in_force[name]}, planned was {value}"
        for name, value in planned.items()
        if name in in_force and not is_alike(name, in_force[name], value)
    ]


def is_alike(name: str, value: str, planned: str) -> bool:
    """Whether the value is the planned one; of memory, rounded up to the JVM's own steps."""
    found, wanted = parse_amount(value), parse_amount(planned)
    if name in MEMORY.values() and isinstance(found, int) and isinstance(wanted, int):
        return wanted <= found < wanted + MEMORY_STEP
    return found == wanted


def parse_flag(flag: str) -> tuple[str, str] | None:
    """Name and value of a flag that has them; None of others."""
    if flag[:4] in MEMORY:
        return MEMORY[flag[:4]], flag[4:]
    switch = re.fullmatch(r"-XX:([+-])(\w+)", flag)
    if switch:
        return switch[2], "true" if switch[1] == "+" else "false"
    named = re.fullmatch(r"-XX:(\w+)=(.*)", flag)
    return (named[1], named[2]) if named else None


def parse_amount(text: str) -> int | str:
    """A number, with or without a unit of memory, as a number; any other text as it is."""
    found = re.fullmatch(r"(-?\d+)([kmgt]?)", text.lower())
    return int(found[1]) * UNITS[found[2]] if found else text
