"""What a node does when the driver asks: tells what it is, plans, measures one fork at a time.

Questions and answers are JSON, so that nothing but text comes back from a node.
"""

import contextlib
import hashlib
import json
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import yaml

from handoff.cluster.description import describe_node, find_host, find_java, hash_jar
from handoff.cluster.lease import Lease
from handoff.errors import BadInput, Busy, HandoffError
from handoff.files import stat_signature
from handoff.paths import JAR
from handoff.run import fork, nodes, planning
from handoff.run.fork import Job
from handoff.run.host import lock, readiness
from handoff.run.java import jdk
from handoff.run.plan.points import Point
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.sweep import Jvm
from handoff.run.plan.sweepfile import validate_sweep
from handoff.run.store.identity import make_change_check

LEASE = Lease()
TURN = threading.Lock()


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


def describe(asked: dict, _: bytes) -> dict:
    """What this node is, and has."""
    return describe_node(asked)


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
