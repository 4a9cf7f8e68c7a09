"""What a node does when the driver asks: tells what it is, plans, measures one fork at a time.

Questions and answers are JSON, so that nothing but text comes back from a node.
"""

import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import yaml
from distributed import get_worker

from handoff.cluster.lease import Lease
from handoff.errors import BadInput, Busy, HandoffError
from handoff.paths import JAR, NOTEBOOKS, ROOT, STUDIES
from handoff.run import fork, jar, jdk, lock, machine, nodes, planning, readiness
from handoff.run.fork import Job
from handoff.run.identity import make_change_check, stat_signature
from handoff.run.points import Point
from handoff.run.selection import SweepRequest
from handoff.run.sweep import Jvm
from handoff.run.sweepfile import validate_sweep

LEASE = Lease()
TURN = threading.Lock()
HASH_DIGITS = 16


def answer(verb: str, question: str, content: bytes = b"") -> bytes:
    """The JSON answer to a question; {'error': sentence, 'kind': ...} where there is none."""
    asked = json.loads(question)
    try:
        settle(asked)
        with take_turn():
            told = VERBS[verb](asked, content)
    except Busy as busy:
        told = {"error": str(busy), "kind": "busy"}
    except HandoffError as wrong:
        told = {"error": str(wrong), "kind": "input" if isinstance(wrong, BadInput) else "ours"}
    except OSError as refused:
        told = {"error": f"{refused.strerror}.", "kind": "input"}
    except Exception as error:
        told = {"error": f"{type(error).__name__}: {error}", "kind": "ours"}
    return json.dumps(told).encode()


@contextlib.contextmanager
def take_turn() -> Iterator[None]:
    """Busy while this worker does something else, perhaps for a driver that is gone."""
    if not TURN.acquire(blocking=False):
        raise Busy("this worker is still at work for another driver.")
    try:
        yield
    finally:
        TURN.release()


def settle(asked: dict) -> None:
    """A pretended node has a name, a lock and a folder for temporary files of its own."""
    if asked["pretend"]:
        own = re.sub(r"\W", "-", find_host(asked))
        lock.FILE = Path(f"/tmp/handoff-measuring-{own}.lock")
        tempfile.tempdir = f"/tmp/handoff-{own}"
        Path(tempfile.tempdir).mkdir(exist_ok=True)


def find_host(asked: dict) -> str:
    if asked["pretend"]:
        return str(get_worker().name).partition("/")[0]
    return os.environ.get("SLURMD_NODENAME") or platform.node()


def describe(asked: dict, _: bytes) -> dict:
    """Versions first; the machine as well, where the jar is the driver's."""
    told = {
        "host": find_host(asked),
        "package": hash_package(),
        "jar": hash_jar(stat_signature(JAR)),
    }
    if told["jar"] != asked["jar"] or told["package"] != asked["package"]:
        return told
    java = find_java()
    return told | {
        "jdk": java.runtime,
        "feature": java.feature,
        "machine": describe_machine(java, asked["pretend"]),
    }


@cache
def find_java() -> jdk.Jdk:
    """BadInput where a driver on its own machine would install what is missing."""
    if not os.environ.get("JAVA_HOME") and not shutil.which("java"):
        raise BadInput("no Java was found: say java: FOLDER in the cluster's file")
    return jdk.find_jdk()


@cache
def hash_jar(_: object) -> str | None:
    """Of the jar as it is, which its signature tells."""
    return jar.hash_jar() if JAR.is_file() else None


@cache
def describe_machine(java: jdk.Jdk, pretended: str) -> dict:
    """Once, for it takes a JVM, and another worker may measure here."""
    here = machine.describe_machine(java)
    if pretended:
        here = machine.identify_machine(here | {"cpu": f"{pretended} (pretended)"})
    return here


@cache
def hash_package() -> str:
    """Stands for Handoff's code and for what it knows of the jar."""
    digest = hashlib.sha256()
    for file in [*sorted((NOTEBOOKS / "handoff").rglob("*.py")), STUDIES]:
        digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return digest.hexdigest()[:HASH_DIGITS]


def receive(asked: dict, content: bytes) -> dict:
    """Keeps the driver's jar, where this node's checkout has none or another one."""
    if hashlib.sha256(content).hexdigest() != asked["jar"]:
        raise BadInput("the jar arrived broken.")
    if hash_jar(stat_signature(JAR)) == asked["jar"]:
        # Another node of this file system was quicker.
        return {}
    with lock.hold_lock("receiving the jar"):
        JAR.parent.mkdir(parents=True, exist_ok=True)
        temporary = JAR.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_bytes(content)
        temporary.replace(JAR)
    return {}


def plan(asked: dict, _: bytes) -> dict:
    """The sweep's points on this node; what words such as NS_2225 stand for is measured."""
    source = asked["source"]
    sweep = validate_sweep(yaml.safe_load(asked["sweep"]), source)
    request = SweepRequest(asked["profile"], source, asked["sweep"], sweep)
    LEASE.take(f"planning {asked['profile']}")
    try:
        points, amounts = planning.LocalPlanner(find_java()).plan(request)
    finally:
        LEASE.keep()
    return {"points": [point.model_dump() for point in points], "amounts": amounts}


def begin(asked: dict, _: bytes) -> dict:
    """Takes the machine's lock and prepares it for forks; whether it is ready."""
    sweep = validate_sweep(yaml.safe_load(asked["sweep"]), asked["source"])
    LEASE.take(f"measuring {asked['run']}")
    try:
        nodes.prepare_machine(find_java(), asked["forks"])
        find_unchanged_jdk.cache_clear()
        find_unchanged_jdk()
    finally:
        LEASE.keep()
    return {"ready": [finding._asdict() for finding in readiness.list_findings(sweep)]}


@cache
def find_unchanged_jdk() -> tuple[jdk.Jdk, Callable[[], None]]:
    """The JDK that forks are measured with, and a check that it and the jar are still the same."""
    java = find_java()
    return java, make_change_check(java)


def measure(asked: dict, _: bytes) -> dict:
    """One fork, and how it ended."""
    job = Job(
        Jvm.model_validate(asked["jvm"]),
        Point.model_validate(asked["point"]),
        asked["identity"],
        asked["limit_s"],
    )
    java, check = find_unchanged_jdk()
    LEASE.take("measuring a fork")
    try:
        check()
        outcome = fork.measure_fork(java, job)
        check()
    finally:
        LEASE.keep()
    return outcome._asdict()


def release(asked: dict, _: bytes) -> dict:
    """Gives the machine's lock back."""
    LEASE.release()
    return {}


VERBS: dict[str, Callable[[dict, bytes], dict]] = {
    "describe": describe,
    "receive": receive,
    "plan": plan,
    "begin": begin,
    "measure": measure,
    "release": release,
}
