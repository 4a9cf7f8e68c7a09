"""The flags of the JVM that measures."""

from handoff.run.points import Point
from handoff.run.sweep import Jvm

COLLECTORS = {
    "PARALLEL": ["-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy"],
    "PARALLEL_NUMA": ["-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy", "-XX:+UseNUMA"],
    "G1": ["-XX:+UseG1GC"],
    "SERIAL": ["-XX:+UseSerialGC"],
}


def build_flags(jvm: Jvm, collector: str, feature: int) -> list[str]:
    """The measuring JVM's flags: a heap of fixed size, touched beforehand, half of it young; the
    collector that the point names.
    """
    size, unit = int(jvm.heap[:-1]), jvm.heap[-1]
    young = f"{size * 1024 // 2}m" if unit == "g" else f"{size // 2}m"
    memory = [f"-Xms{jvm.heap}", f"-Xmx{jvm.heap}", f"-Xmn{young}", "-XX:+AlwaysPreTouch"]
    scalar = ["-XX:+UnlockDiagnosticVMOptions", "-XX:DisableIntrinsic=_arraySort,_arrayPartition"]
    # JDK 17 does not know these intrinsics and would refuse to start.
    return (
        memory
        + COLLECTORS[collector]
        + (scalar if feature >= 22 and not jvm.simd_sort else [])
        + jvm.flags
    )


WARM_UP = "-Dhandoff.warmup.seconds"


def plan_flags(jvm: Jvm, point: Point, feature: int) -> list[str]:
    """All flags of one point's JVM: `build_flags`, and how long it may warm up."""
    own = build_flags(jvm, point.params["collector"], feature)
    return [*own, f"{WARM_UP}={point.warmup_limit:g}"] if point.warmup_limit else own
