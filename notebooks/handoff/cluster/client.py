"""The driver's side of a group of nodes: gives each node its forks, one at a time."""

import contextlib
import json
import time
from collections.abc import Iterator
from concurrent.futures import Future, InvalidStateError, wait
from pathlib import Path
from typing import Any

from distributed import Client

from handoff.cluster.connection import FILE, Basics, read_connection
from handoff.cluster.roster import LOOK_S, Roster
from handoff.errors import BadInput
from handoff.run.fork import Job, Outcome
from handoff.run.host import kind, lock
from handoff.run.host.cpu_settings import Finding
from handoff.run.java.jdk import Jdk
from handoff.run.nodes import NodeBusy, NodeLost
from handoff.run.planning import list_differences
from handoff.run.store import state
from handoff.run.store.forkfile import CorruptFork, parse_fork
from handoff.run.store.forks import require_fork_of
from handoff.run.store.identity import compute_identity
from handoff.run.store.run import Run

RELEASE_S = 5
MAX_LOG = 1_000_000
NODE_STATES = ("forks", *state.FAILURE_FOLDERS)
"""The states that a node may report for a fork."""


def connect(folder: Path) -> Client:
    """Return a client that accepts nothing but text and bytes from others.

    Raise BadInput when no scheduler answers with our certificate.
    """
    connection = read_connection(folder / FILE)
    try:
        return Client(
            connection.address,
            security=connection.make_security(folder),
            serializers=["msgpack", "pickle"],
            deserializers=["msgpack", "error"],
            set_as_default=False,
            timeout="30s",
        )
    except (OSError, TypeError, ValueError) as refused:
        why = refused.__cause__ or refused
        raise BadInput(f"the scheduler does not answer at {connection.address}: {why}.") from None


class ClusterNodes:
    """The nodes of one group, for the measuring loop."""

    poll_s: float | None = 0.5

    def __init__(self, client: Client, basics: Basics) -> None:
        self.client, self.patience_s = client, basics.patience_s
        self.arrival_s, self.served = basics.arrival_s, time.monotonic()
        self.roster = Roster(client, basics, self.judge, self.ask_to_begin)
        self.refusals = self.roster.refusals
        self.run: Run
        self.forks = 0

    @contextlib.contextmanager
    def hold(self, run: Run) -> Iterator[None]:
        """Hold the run against other drivers, and give the nodes' locks back at the end."""
        with lock.hold_run(run.folder):
            try:
                yield
            finally:
                self.release()

    def prepare(self, run: Run, forks: int) -> None:
        """Wait for the first node."""
        self.run, self.forks = run, forks
        while not self.list_names():
            time.sleep(LOOK_S)

    def judge(self, description: dict) -> str:
        """Return why a node may not add to this run, or ''."""
        unlike = kind.list_unlike(self.run.machine, description["machine"])
        if unlike:
            return f"its {'; its '.join(unlike)}"
        java = Jdk(Path("java"), description["feature"], description["jdk"])
        now = compute_identity(self.run.sweep, self.run.machine, java)
        other = list_differences(self.run, now)
        return f"its {' and '.join(other)} differs" if other else ""

    def ask_to_begin(self) -> dict[str, Any]:
        return {
            "run": self.run.folder.name,
            "forks": self.forks,
            "source": "sweep.yml",
            "sweep": self.run.sweep_file.read_text(encoding="utf-8"),
        }

    def list_names(self) -> list[str]:
        self.roster.look()
        names = sorted(self.roster.list_nodes())
        if names:
            self.served = time.monotonic()
        elif time.monotonic() - self.served > self.arrival_s:
            raise BadInput(
                f"{self.run.folder.name}: no node of its kind for {self.arrival_s / 60:.0f} min."
                + "".join(f" {sentence}" for sentence in self.refusals)
                + " What is measured is kept; the same command continues."
            )
        return names

    def submit(self, node: str, job: Job) -> "Future[Outcome]":
        address = self.roster.list_nodes()[node]
        question = job._asdict() | {"jvm": job.jvm.model_dump(), "point": job.point.model_dump()}
        future: Future[Outcome] = Future()
        asked = self.roster.submit(address, "measure", question)
        asked.add_done_callback(lambda done: self.hear(future, address, job, done.result()))
        return future

    def hear(self, future: "Future[Outcome]", address: str, job: Job, answer: dict) -> None:
        """Handle the answer of a node, or its loss."""
        # The loop has cancelled what it no longer waits for.
        with contextlib.suppress(InvalidStateError):
            if "error" in answer:
                self.roster.drop(address, answer)
                busy = answer.get("kind") == "busy"
                future.set_exception(NodeBusy() if busy else NodeLost("its node was lost"))
            else:
                future.set_result(check_outcome(self.run, job, answer))

    def check(self) -> None:
        """Do nothing: nodes check their Java and jar themselves."""

    def list_findings(self) -> list[Finding]:
        """Return the findings of every node that has started, with the node's name."""
        return [
            finding._replace(sentence=f"{node}: {finding.sentence}")
            for node, findings in sorted(self.roster.findings.items())
            for finding in findings
        ]

    def release(self) -> None:
        """Give the nodes' locks back; a node that does not answer gives its own back in time."""
        with contextlib.suppress(Exception):
            asked = [
                self.roster.submit(address, "release", {})
                for address in self.roster.list_nodes().values()
            ]
            wait(asked, timeout=RELEASE_S)
        with contextlib.suppress(Exception):
            self.client.close(timeout=2)


def check_outcome(run: Run, job: Job, answer: dict) -> Outcome:
    """Return the outcome in a node's answer; a failure with the reason where it is invalid.

    The answer is trusted as little as a file of unknown origin.
    """
    try:
        content = answer["content"]
        if answer["state"] not in NODE_STATES or (content is None) == (answer["state"] == "forks"):
            raise CorruptFork(f"unknown state {answer['state']}")
        if content is not None:
            fork = parse_fork(json.dumps(content).encode(), "a node's answer")
            planned = job.identity
            require_fork_of(run, job.point, planned["fork"], planned["again"], fork)
            position = planned["host"], planned["block"], planned["order"]
            if (fork.host, fork.block, fork.order) != position:
                raise CorruptFork("it belongs to another node, block or position")
        return Outcome(answer["state"], content, clean(answer["log"]), clean(answer["wrong"]))
    except (CorruptFork, BadInput, KeyError, TypeError, AttributeError, ValueError) as why:
        return Outcome(
            "failed", None, "", f"its node sent a fork that does not belong to this run: {why}"
        )


def clean(text: object) -> str:
    """Return the text as a file can hold it."""
    return str(text)[:MAX_LOG].encode(errors="replace").decode()
