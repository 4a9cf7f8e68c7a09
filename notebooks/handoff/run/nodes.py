"""Where forks are measured: this machine, or the nodes of a cluster in its place."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol

from handoff.run import class_archive, fork, planning
from handoff.run.fork import Job, Outcome
from handoff.run.host import lock, readiness
from handoff.run.host.cpu_settings import Finding
from handoff.run.java import jdk
from handoff.run.java.jdk import Jdk
from handoff.run.plan.sweep import Sweep
from handoff.run.store.identity import make_change_check
from handoff.run.store.run import Run

HERE = ""
"""The name of the one node that this machine is."""


class NodeLost(Exception):
    """The node of a fork is gone, or what measured on it; nobody knows how the fork ended."""


class NodeBusy(NodeLost):
    """Another runner has the machine: the fork was not begun."""


class Nodes(Protocol):
    """Machines alike, each of which measures one fork at a time.

    `poll_s`: how often to look for others, None where there are never any. `patience_s`: for how
    long a block waits for a node that is gone. `refusals`: a sentence for each that is of another
    kind.
    """

    poll_s: float | None
    refusals: list[str]
    patience_s: float

    def hold(self, run: Run) -> AbstractContextManager[None]:
        """Nobody else measures this run meanwhile. Busy when somebody does."""

    def begin(self, run: Run, forks: int) -> None:
        """Before that many forks. BadInput unless these are the run's machine, jar, JDK and
        flags.
        """

    def list_names(self) -> list[str]:
        """Of those that are there now."""

    def submit(self, node: str, job: Job) -> "Future[Outcome]":
        """Has a node measure a fork; NodeLost when the node is gone before it tells."""

    def check(self) -> None:
        """BadInput when Java or the jar are not those that were there at the beginning."""

    def list_findings(self) -> list[Finding]:
        """Whether they were ready when each began."""


class ThisMachine:
    """The machine that this process runs on, which measures in this thread."""

    refusals: list[str]
    poll_s: float | None = None
    patience_s: float = 0.0
    jdk: Jdk
    findings: list[Finding]
    require_unchanged: Callable[[], None]

    def __init__(self) -> None:
        self.refusals = []

    @contextlib.contextmanager
    def hold(self, run: Run) -> Iterator[None]:
        with lock.hold_lock(f"measuring {run.folder.name}"), lock.hold_run(run.folder):
            yield

    def begin(self, run: Run, forks: int) -> None:
        self.jdk = jdk.find_jdk()
        planning.require_same_setup(run, self.jdk)
        prepare_machine(self.jdk, forks)
        self.findings = readiness.list_findings(run.sweep)
        self.require_unchanged = make_change_check(self.jdk)

    def check(self) -> None:
        self.require_unchanged()

    def list_names(self) -> list[str]:
        return [HERE]

    def submit(self, node: str, job: Job) -> "Future[Outcome]":
        future: Future[Outcome] = Future()
        try:
            future.set_result(fork.measure_fork(self.jdk, job))
        except Exception as error:
            future.set_exception(error)
        return future

    def list_findings(self) -> list[Finding]:
        return self.findings


def prepare_machine(java: Jdk, forks: int) -> None:
    """What precedes so many forks on this machine, whose lock is held: what a killed runner left of
    its forks goes, and an archive of classes is made.
    """
    for left in Path(tempfile.gettempdir()).glob(f"{fork.TEMPORARY_PREFIX}*"):
        with contextlib.suppress(FileNotFoundError):
            if left.stat().st_uid == os.geteuid():
                shutil.rmtree(left, ignore_errors=True)
    class_archive.provide_archive(java, forks)


@dataclass(frozen=True)
class Backend:
    """What measures a sweep: this machine, or the nodes of an annex.

    `provider` is '' for this machine, else what `open_nodes` takes. `hold` keeps others away while
    a run is prepared, and names what for; `list_findings` is what is known of the readiness before
    the first fork.
    """

    planner: planning.Planner
    provider: str = ""
    hold: Callable[[str], AbstractContextManager[None]] = lock.hold_lock
    list_findings: Callable[[Sweep], list[Finding]] = readiness.list_findings


def open_nodes(provider: str) -> Nodes:
    """Return this machine for '', else what an annex provides for 'module:group'."""
    if not provider:
        return ThisMachine()
    module, _, group = provider.partition(":")
    nodes: Nodes = import_module(module).open_nodes(group)
    return nodes
