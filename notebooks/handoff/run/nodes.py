"""The nodes that measure forks: this machine, or those of an annex."""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from handoff.run import fork, planning
from handoff.run.fork import Job, Outcome
from handoff.run.host import lock, readiness
from handoff.run.host.cpu_settings import Finding
from handoff.run.java import arms, jdk
from handoff.run.java.jdk import Jdk
from handoff.run.plan.sweep import Sweep
from handoff.run.store.identity import make_change_check
from handoff.run.store.run import Run

HERE = ""
"""The name of this machine as a node."""


class NodeLost(Exception):
    """The node of a fork, or its worker, is gone, and the fork's end is unknown."""


class NodeBusy(NodeLost):
    """Another runner holds the machine, so the fork did not start."""


class Nodes(Protocol):
    """Machines of one kind, each of which measures one fork at a time.

    `poll_s` is the interval for finding other nodes, None if none can appear. `patience_s` is the
    time for which a block waits for a lost node. `refusals` has a sentence per node of another
    kind.
    """

    poll_s: float | None
    refusals: list[str]
    patience_s: float

    def hold(self, run: Run) -> AbstractContextManager[None]:
        """Keep other runners from this run; raise Busy if one measures it already."""

    def prepare(self, run: Run, forks: int) -> None:
        """Prepare for this many forks; raise BadInput unless the set-up is the run's."""

    def list_names(self) -> list[str]:
        """Return the nodes that are available now."""

    def submit(self, node: str, job: Job) -> "Future[Outcome]":
        """Start a fork on a node; the future raises NodeLost if the node disappears."""

    def check(self) -> None:
        """Raise BadInput when Java or the jar has changed since `prepare`."""

    def list_findings(self) -> list[Finding]:
        """Return the readiness of the nodes when each of them started."""


class ThisMachine:
    """The machine that this process runs on, which measures in the calling thread."""

    poll_s: float | None = None
    patience_s: float = 0.0
    javas: dict[str, Jdk]
    findings: list[Finding]
    check: Callable[[], None]

    def __init__(self) -> None:
        self.refusals: list[str] = []

    @contextlib.contextmanager
    def hold(self, run: Run) -> Iterator[None]:
        with lock.hold_lock(f"measuring {run.folder.name}"), lock.hold_run(run.folder):
            yield

    def prepare(self, run: Run, forks: int) -> None:
        ambient = jdk.find_jdk()
        planning.require_same_setup(run, ambient)
        self.javas = arms.resolve_arms(run.sweep, ambient)
        fork.remove_left_over()
        self.findings = readiness.list_findings(run.sweep)
        self.check = make_change_check(self.javas.values())

    def list_names(self) -> list[str]:
        return [HERE]

    def submit(self, node: str, job: Job) -> "Future[Outcome]":
        future: Future[Outcome] = Future()
        try:
            future.set_result(fork.measure_fork(self.javas[job.point.arm], job))
        except Exception as error:
            future.set_exception(error)
        return future

    def list_findings(self) -> list[Finding]:
        return self.findings


@dataclass(frozen=True)
class Backend:
    """The site that measures a sweep: this machine, or the nodes of an annex.

    `provider` is '' for this machine, or else the argument of `open_nodes`. `hold` keeps other
    runners away while a run is prepared, with a note of what for. `list_findings` reports the
    readiness before the first fork.
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
    return import_module(module).open_nodes(group)
