"""What a node does for the driver: describe itself, plan, measure one fork at a time.

Questions and answers are JSON, so that a node can return nothing but text.
"""

import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from distributed import get_worker

from handoff.errors import BadInput, Busy, HandoffError
from handoff.files import parse_yaml, stat_signature
from handoff.paths import JAR, NOTEBOOKS, ROOT, STUDIES
from handoff.run import fork, planning
from handoff.run.fork import Job
from handoff.run.host import lock, machine, readiness
from handoff.run.java import jar, jdk
from handoff.run.plan.points import Point
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.settings import Jvm
from handoff.run.plan.sweepfile import validate_sweep
from handoff.run.store.identity import make_change_check

SPARE_S = 60
"""Time for which a node keeps its lock after a fork."""

HASH_DIGITS = 16


class Lease:
    """The machine's lock, which a node holds from its first fork until a while after its last.

    No other runner can measure between two forks, and a driver that died does not keep the node.
    The kernel releases the lock when the worker process ends.
    """

    def __init__(self) -> None:
        self.guard = threading.RLock()
        self.held: contextlib.ExitStack | None = None
        self.timer: threading.Timer | None = None

    @contextlib.contextmanager
    def hold(self, what: str) -> Iterator[None]:
        """Hold the lock, and keep it for a while; raise Busy when another runner has it."""
        with self.guard:
            self.stop_timer()
            if self.held is None:
                stack = contextlib.ExitStack()
                stack.enter_context(lock.hold_lock(what, patience_s=0))
                self.held = stack
        try:
            yield
        finally:
            with self.guard:
                self.timer = threading.Timer(SPARE_S, self.expire)
                self.timer.daemon = True
                self.timer.start()

    def expire(self) -> None:
        """Give the lock back, unless the lease was taken again when the timer fired."""
        with self.guard:
            if self.timer is threading.current_thread():
                self.release()

    def release(self) -> None:
        with self.guard:
            self.stop_timer()
            if self.held:
                self.held.close()
            self.held = None

    def stop_timer(self) -> None:
        if self.timer:
            self.timer.cancel()
        self.timer = None


LEASE = Lease()
TURN = threading.Lock()


def answer(verb: str, question: str, content: bytes = b"") -> bytes:
    """Return the JSON answer to a question; {'error': sentence, 'kind': ...} on failure."""
    asked = json.loads(question) | {"content": content}
    try:
        settle(asked)
        with take_turn():
            reply = VERBS[verb](asked) or {}
    except Busy as busy:
        reply = {"error": str(busy), "kind": "busy"}
    except HandoffError as wrong:
        reply = {"error": str(wrong), "kind": "input" if isinstance(wrong, BadInput) else "ours"}
    except OSError as refused:
        reply = {"error": f"{refused.strerror}.", "kind": "input"}
    except Exception as error:
        reply = {"error": f"{type(error).__name__}: {error}", "kind": "ours"}
    return json.dumps(reply).encode()


@contextlib.contextmanager
def take_turn() -> Iterator[None]:
    """Raise Busy while this worker does something else, perhaps for a driver that is gone."""
    if not TURN.acquire(blocking=False):
        raise Busy("this worker is still busy for another driver.")
    try:
        yield
    finally:
        TURN.release()


def settle(asked: dict) -> None:
    """Give a pretended node its own name and lock."""
    if asked["pretend"]:
        fork.HOST = re.sub(r"\W", "-", find_host(asked))
        lock.FILE = Path(f"/tmp/handoff-measuring-{fork.HOST}.lock")


def find_host(asked: dict) -> str:
    if asked["pretend"]:
        return str(get_worker().name).partition("/")[0]
    return os.environ.get("SLURMD_NODENAME") or platform.node()


def describe_node(asked: dict) -> dict:
    """Return name and versions, and the machine where the jar is the driver's."""
    versions = {
        "host": find_host(asked),
        "package": hash_package(),
        "jar": hash_jar(stat_signature(JAR)),
    }
    if versions["jar"] != asked["jar"] or versions["package"] != asked["package"]:
        return versions
    java = find_java()
    return versions | {
        "jdk": java.runtime,
        "feature": java.feature,
        "machine": describe_machine(java, asked["pretend"]),
    }


@cache
def find_java() -> jdk.Jdk:
    """Return the JDK; raise BadInput where a driver would install one."""
    if not os.environ.get("JAVA_HOME") and not shutil.which("java"):
        raise BadInput("no Java was found: set java: FOLDER in the cluster's file")
    return jdk.find_jdk()


@cache
def hash_jar(_: object) -> str | None:
    """Return the jar's hash, computed once per signature of the file."""
    return jar.hash_jar() if JAR.is_file() else None


@cache
def describe_machine(java: jdk.Jdk, pretended: str) -> dict:
    """Describe the machine once: it takes a JVM, and another worker may measure here."""
    here = machine.describe_machine(jar.query_topology(java))
    if pretended:
        here = machine.identify_machine(here | {"cpu": f"{pretended} (pretended)"})
    return here


@cache
def hash_package() -> str:
    """Return a hash of the package's code and of its description of the jar."""
    digest = hashlib.sha256()
    for file in [*sorted((NOTEBOOKS / "handoff").rglob("*.py")), STUDIES]:
        digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return digest.hexdigest()[:HASH_DIGITS]


def receive(asked: dict) -> None:
    """Store the driver's jar, where this node's checkout has none or another one."""
    if hashlib.sha256(asked["content"]).hexdigest() != asked["jar"]:
        raise BadInput("the jar arrived broken.")
    if hash_jar(stat_signature(JAR)) == asked["jar"]:
        # Another node of this file system was faster.
        return
    with lock.hold_lock("receiving the jar"):
        JAR.parent.mkdir(parents=True, exist_ok=True)
        temporary = JAR.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_bytes(asked["content"])
        temporary.replace(JAR)


def plan(asked: dict) -> dict:
    """Plan the sweep's points on this node, and calibrate work such as NS_2225."""
    source, text = asked["source"], asked["sweep"]
    sweep = validate_sweep(parse_yaml(text), source)
    request = SweepRequest(asked["profile"], source, text, sweep)
    with LEASE.hold(f"planning {asked['profile']}"):
        points, amounts = planning.LocalPlanner(find_java()).plan(request)
    return {"points": [point.model_dump() for point in points], "amounts": amounts}


def prepare(asked: dict) -> dict:
    """Take the machine's lock, prepare it for forks, and report its readiness."""
    sweep = validate_sweep(parse_yaml(asked["sweep"]), asked["source"])
    with LEASE.hold(f"measuring {asked['run']}"):
        fork.remove_left_over()
        find_unchanged_jdk.cache_clear()
        find_unchanged_jdk()
    return {"ready": [finding._asdict() for finding in readiness.list_findings(sweep)]}


@cache
def find_unchanged_jdk() -> tuple[jdk.Jdk, Callable[[], None]]:
    """Return the JDK for forks, and a check that it and the jar have not changed."""
    java = find_java()
    return java, make_change_check([java])


def measure(asked: dict) -> dict:
    """Measure one fork and report how it ended."""
    jvm, point = Jvm.model_validate(asked["jvm"]), Point.model_validate(asked["point"])
    job = Job(jvm, point, asked["identity"], asked["limit_s"])
    java, check = find_unchanged_jdk()
    with LEASE.hold("measuring a fork"):
        check()
        outcome = fork.measure_fork(java, job)
        check()
    return outcome._asdict()


VERBS: dict[str, Callable[[dict], dict | None]] = {
    "describe": describe_node,
    "receive": receive,
    "plan": plan,
    "prepare": prepare,
    "measure": measure,
    "release": lambda asked: LEASE.release(),
}
