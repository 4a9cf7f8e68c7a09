"""The fork file: the contract between Java and Python, as data/README.md describes it."""

import hashlib
import json
from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from handoff.errors import BadInput
from handoff.paths import display_path

SCHEMA = 6
READABLE = (2, 3, 4, 5, 6)
"""Before 6 it named its run, sweep and all; before 5 it knew nothing of hops, nor of its threads'
sockets, caches and kinds of core; before 4 it did not warm up before its shots, nor read its
compilers' time; before 3 it knew nothing of its clock, and no study found more than time and CPU.
"""


class StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ThreadShot(StrictModel):
    """One thread during one shot; times in nanoseconds."""

    role: str
    asked: int | None
    mask: str
    lastCpu: int
    socket: int | None = None
    node: int | None
    cache: int | None = None
    kind: str | None = None
    oversubscribed: bool
    cpuNs: int
    voluntary: int
    involuntary: int
    migrations: int | None


class Hops(StrictModel):
    """What a hop of a cache line cost just before a shot, between the first thread's CPU and those
    of its nearest and its farthest one.
    """

    nearCpu: int
    nearNs: float
    farCpu: int
    farNs: float


class Shot(StrictModel):
    """One measured execution; user, system and GC time are the process's, `compilerNs` is the CPU
    time of its just-in-time compilers. `hops` is None where threads are unpinned or share cores.

    `measures` are what its study finds beyond time and CPU; `curves` are pairs of a quantile and
    its value in ns; `matrices` have a number for each pair of threads.
    """

    events: int
    checksum: str
    wallNs: int
    userNs: int
    sysNs: int
    gcNs: int
    compilerNs: int | None = None
    threads: list[ThreadShot]
    hops: Hops | None = None
    measures: dict[str, float] | None = None
    curves: dict[str, list[tuple[float, float]]] | None = None
    matrices: dict[str, list[list[float | None]]] | None = None


class Jvm(StrictModel):
    """The JVM that measured; `inForce` are the values of its flags, read back from it."""

    version: str
    vm: str
    flags: list[str]
    inForce: dict[str, str] | None = None
    collectors: list[str]
    maxHeapBytes: int


class Clock(StrictModel):
    """What timed the shots; `readNs` is what reading it costs."""

    source: str | None
    invariant: bool | None
    readNs: float


class WarmUp(StrictModel):
    """What went before the shots: the time of each execution, and its compilers' CPU time; whether
    they had settled when it ended.
    """

    limitSeconds: float
    settled: bool
    wallNs: list[int]
    compilerNs: list[int | None]


class Evidence(StrictModel):
    jvm: Jvm
    clock: Clock | None = None
    nsPerSort: float | None
    nsPerEventCreated: float | None
    heapPagesByNode: dict[str, int] | None
    warmUp: WarmUp | None = None
    shots: list[Shot]


class Snapshot(StrictModel):
    """What the machine was doing: see `machine.snapshot`; None where the kernel does not tell."""

    utc: str
    load: float
    cpu_s: dict[str, float | None]
    pressure_s: float | None
    throttled: dict[str, int | None]
    mhz: list[int] | None


class ForkFile(StrictModel):
    """One accepted fork.

    `setup` stands for machine, jar, JDK and flags, before schema 6 for the run; `order` is the
    fork's place in the order of execution, `again` how often it was measured before because of a
    disturbance, `host` a pseudonym on a cluster, `jmh` JMH's own row, `seconds` what it took in
    all, `used_s` the CPU seconds of its JVMs.
    """

    model_config = ConfigDict(extra="forbid")
    schema_: Literal[2, 3, 4, 5, 6] = Field(alias="schema")
    setup: str = Field(validation_alias=AliasChoices("setup", "run"))
    study: str
    params: dict[str, str]
    fork: int
    again: int
    block: int
    order: int
    machine: str
    host: str | None = None
    jmh: dict[str, Any]
    evidence: Evidence
    before: Snapshot
    after: Snapshot
    seconds: float
    used_s: float
    sha256: str


def compute_seal(content: dict) -> str:
    """SHA-256 over everything but the hash itself."""
    body = {key: value for key, value in content.items() if key != "sha256"}
    return hashlib.sha256(
        json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    ).hexdigest()


class CorruptFork(Exception):
    """A fork file that must not be read as data, and why."""


def read_fork(path: Path) -> ForkFile:
    """A fork file, whole and unchanged since it was written.

    CorruptFork otherwise; BadInput when another version of Handoff wrote it.
    """
    return parse_fork(path.read_bytes(), display_path(path))


def parse_fork(text: bytes, source: str) -> ForkFile:
    """The same of its bytes."""
    try:
        content = json.loads(text)
        if (
            isinstance(content, dict)
            and content.get("schema") not in READABLE
            and content.get("sha256") == compute_seal(content)
        ):
            said = (
                f"{source} has schema {content.get('schema')}, and this version of Handoff reads"
                f" {READABLE[0]} to {SCHEMA}"
            )
            raise BadInput(f"{said}: measure anew.")
        read = ForkFile.model_validate(content)
    except (ValueError, RecursionError, ValidationError) as error:
        raise CorruptFork(f"it is not a whole fork file ({str(error).splitlines()[0]})") from None
    if compute_seal(content) != read.sha256:
        raise CorruptFork("it was changed after it was measured")
    return read
