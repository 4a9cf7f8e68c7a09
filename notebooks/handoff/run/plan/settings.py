"""The parts of a sweep other than its studies: JVM and flags, arms, forks, what counts as quiet."""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from handoff.text import require_form

STRICT = ConfigDict(extra="forbid")

FLAG, HEAP = r'^-(X|D|-|e|d)[^\s/"]+$', r"^([1-9][0-9]*g|6[4-9]m|[7-9][0-9]m|[1-9][0-9]{2,}m)$"
FLAG_FORM = "a flag such as -XX:+UseLargePages, without spaces, quotes or folders"
HEAP_FORM = "a size such as 512m or 4g, at least 64m"

Count = Annotated[int, Field(strict=True, ge=1, le=1000)]
NonNegative = Annotated[float, Field(ge=0)]
Heap = Annotated[str, Field(pattern=HEAP), require_form(HEAP, HEAP_FORM)]

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
}
"""Flags by which the runner fixes heap, collector and CPUs: a user's would undo ours."""

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


def refuse_ours(flag: str) -> str:
    """Return the flag; raise ValueError for one that sets what the runner sets."""
    parsed = parse_flag(flag)
    if flag.startswith(OURS_BY_PREFIX) or (parsed and parsed[0] in OURS):
        raise ValueError(
            f"flags may not contain {flag}: set the heap with jvm.heap and the collector"
            " with the parameter collector; flags unknown to the JVM are refused"
        )
    return flag


Flag = Annotated[
    str, Field(pattern=FLAG), require_form(FLAG, FLAG_FORM), AfterValidator(refuse_ours)
]


class Jvm(BaseModel):
    """The JVM of every fork, with a heap of fixed size that is touched before measuring.

    The collector is a parameter of the points.
    """

    model_config = STRICT
    heap: Heap = Field("1g", description="such as 512m or 4g, at least 64m")
    simd_sort: bool = Field(
        False,
        description="lets sorts use SIMD instructions (JDK 22 or newer); off in the reproduction",
    )
    flags: list[Flag] = Field([], description="additional flags, without spaces or folders")
    yours: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*@[0-9a-f]{64}$")] | None = Field(
        None, description="the class behind the mechanism YOURS, and its hash; --class sets it"
    )

    @property
    def heap_mib(self) -> int:
        return int(self.heap[:-1]) * (2**10 if self.heap.endswith("g") else 1)


class Arm(BaseModel):
    """One of several set-ups that a sweep compares: what is not named is as without arms."""

    model_config = STRICT
    jdk: Annotated[int, Field(strict=True, ge=17)] | str | None = Field(
        None, description="feature release of an installed JDK, such as 25, or the JDK's folder"
    )
    jar: str | None = Field(None, description="the path of a benchmarks.jar")
    flags: list[Flag] = Field([], description="flags in addition to those of jvm.flags")


class Forks(BaseModel):
    """Forks per point: where each thread has a core to itself, and where threads share cores."""

    model_config = STRICT
    fitting: Count
    oversubscribed: Annotated[int, Field(strict=True, ge=0, le=1000)] = 1


# Another default changes the hash of every sweep, and which forks of the shipped runs count.
class Quiet(BaseModel):
    """Thresholds above which a fork counts as disturbed.

    A disturbed fork is flagged and measured again at the end of the run, at most `again` times.
    """

    model_config = STRICT
    others: NonNegative = Field(0.15, description="cores used by other processes")
    steal: NonNegative = Field(0.05, description="cores that the hypervisor gave to other guests")
    pressure: NonNegative = Field(
        0.5,
        description=(
            "share of time in which a thread waited for a CPU; ignored where threads share cores"
        ),
    )
    slower: NonNegative | None = Field(
        None,
        description=(
            "share by which a sort, timed after the shots, took longer than usual in the run; off"
            " by default, because it hardly predicts a fork's time"
        ),
    )
    throttled: Annotated[int, Field(strict=True, ge=0)] = Field(
        0, description="times that heat or a quota throttled the machine"
    )
    again: Annotated[int, Field(strict=True, ge=0, le=10)] = 1
