"""The fork file, the contract between Java and Python; data/README.md describes it."""

import hashlib
import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt

from handoff.errors import BadInput
from handoff.files import replace_unprintable
from handoff.paths import display_path

SCHEMA = 6

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


def require_zone(text: str) -> str:
    """Return a time that says its zone; raise ValueError for another text."""
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("expected a time with its zone")
    return text


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
    cpuNs: NonNegativeInt
    voluntary: NonNegativeInt
    involuntary: NonNegativeInt
    migrations: NonNegativeInt | None


class Hops(StrictModel):
    """Nanoseconds of a hop of a cache line just before a shot; None over the probe's limit."""

    nearCpu: int
    nearNs: float | None
    farCpu: int
    farNs: float | None


class Shot(StrictModel):
    """One measured execution.

    User, system and GC time are the process's; `compilerNs` is the CPU time of its just-in-time
    compilers. `hops` is None where threads are unpinned or share cores. `measures` are the study's
    own; `curves` are pairs of a quantile and its value in ns; `matrices` have a number per pair of
    threads.
    """

    events: PositiveInt
    checksum: str
    wallNs: PositiveInt
    userNs: NonNegativeInt
    sysNs: NonNegativeInt
    gcNs: NonNegativeInt
    compilerNs: NonNegativeInt | None = None
    threads: Annotated[list[ThreadShot], Field(min_length=1)]
    hops: Hops | None = None
    measures: dict[str, float] | None = None
    curves: dict[str, list[tuple[float, float]]] | None = None
    matrices: dict[str, list[list[float | None]]] | None = None


class Jvm(StrictModel):
    """The JVM that measured; `inForce` has the values of its flags as it reported them."""

    version: str
    vm: str
    flags: list[str]
    inForce: dict[str, str] | None = None
    collectors: list[str]
    maxHeapBytes: int


class Clock(StrictModel):
    """The clock that timed the shots; `readNs` is the cost of one reading."""

    source: str | None
    invariant: bool | None
    readNs: float


class WarmUp(StrictModel):
    """The executions before the shots, the compilers' CPU time during each, and if they settled.

    `events` is the number of events of each; None in older forks, which had those of the shots.
    """

    limitSeconds: float
    settled: bool
    events: PositiveInt | None = None
    wallNs: list[int]
    compilerNs: list[int | None]


class Evidence(StrictModel):
    jvm: Jvm
    clock: Clock | None = None
    nsPerSort: float | None
    nsPerEventCreated: float | None
    heapPagesByNode: dict[str, int] | None
    warmUp: WarmUp | None = None
    shots: Annotated[list[Shot], Field(min_length=1)]


class Snapshot(StrictModel):
    """The result of `machine.take_snapshot`; None for what the kernel does not say."""

    utc: Annotated[str, AfterValidator(require_zone)]
    load: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    cpu_s: dict[str, float | None]
    pressure_s: float | None
    throttled: dict[str, int | None]
    mhz: list[int] | None


class ForkFile(StrictModel):
    """One accepted fork.

    `setup` stands for machine, jar, JDK and flags. `order` is the fork's place in the order of
    execution, `again` the number of earlier, disturbed measurements, `host` a pseudonym on a
    cluster, `arm` that of a sweep with arms. `jmh` is JMH's row, `seconds` the time of the whole
    fork, `used_s` the CPU seconds of its JVM.
    """

    schema_: Literal[6] = Field(alias="schema")
    setup: str
    study: str
    params: dict[str, str]
    fork: NonNegativeInt
    again: NonNegativeInt
    block: NonNegativeInt
    order: NonNegativeInt
    machine: str
    host: str | None = None
    arm: str | None = None
    jmh: dict[str, Any]
    evidence: Evidence
    before: Snapshot
    after: Snapshot
    seconds: Seconds
    used_s: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    sha256: str


def compute_seal(content: dict) -> str:
    """Return the SHA-256 of everything but the hash itself."""
    body = {key: value for key, value in content.items() if key != "sha256"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class CorruptFork(Exception):
    """The reason why a fork file must not be read as data."""


def read_fork(path: Path) -> ForkFile:
    """Load a fork file; raise CorruptFork, or BadInput for one of another version of Handoff."""
    return parse_fork(path.read_bytes(), display_path(path))


def parse_fork(text: bytes, source: str) -> ForkFile:
    """Parse the bytes of a fork file, with the errors of `read_fork`."""
    try:
        content = json.loads(text)
        if b"\\ud" in text.lower():
            # Half of a surrogate pair is text that no file can hold.
            json.dumps(content, ensure_ascii=False).encode()
        other = isinstance(content, dict) and content.get("schema") != SCHEMA
        if other and content.get("sha256") == compute_seal(content):
            raise BadInput(
                f"{source} has schema {content.get('schema')}, but this version of Handoff reads"
                f" schema {SCHEMA}: measure again, or read it with the version that wrote it."
            )
        # What is shown of a stranger's fork is printable; its seal is that of the whole content.
        plain = b"\\u" not in text and text.isascii()
        fork = ForkFile.model_validate(content if plain else replace_unprintable(content))
    except (ValueError, RecursionError) as error:
        raise CorruptFork(f"it is not a valid fork file ({str(error).splitlines()[0]})") from None
    if compute_seal(content) != fork.sha256:
        raise CorruptFork("it was changed after it was measured")
    return fork
