"""The workers that are nodes of a group: each describes itself, and is refused where it differs."""

import contextlib
import json
import re
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any

from distributed import Client
from distributed import Future as Asked

from handoff.cluster import node
from handoff.cluster.connection import Basics, name_host, note_host
from handoff.errors import BadInput
from handoff.paths import JAR
from handoff.run.host.cpu_settings import Finding

ANSWER_S, LOOK_S = 30, 0.2
AGAIN_S = 20
"""Time to wait before a busy machine is asked again."""


@dataclass
class Candidate:
    """A worker that may become a node: `next` is its next question, `asked` the pending answer."""

    address: str
    name: str = "(not yet named)"
    next: str = "describe"
    asked: Future[dict] | None = None
    after: float = 0.0
    description: dict[str, Any] = field(default_factory=dict)
    refused: str = ""
    admitted: bool = False


class Roster:
    """The workers of a scheduler, as of the last call of `look`; `refusals` has a sentence each.

    `judge` returns why a node is refused, or ''; `prepare` makes the question before a node's first
    fork; it is None where no fork will be measured.
    """

    def __init__(
        self,
        client: Client,
        basics: Basics,
        judge: Callable[[dict], str],
        prepare: Callable[[], dict] | None = None,
    ) -> None:
        self.client, self.basics, self.judge, self.prepare = client, basics, judge, prepare
        self.refusals: list[str] = []
        self.candidates: dict[str, Candidate] = {}
        self.findings: dict[str, list[Finding]] = {}
        self.pending: dict[Future[dict], tuple[str, Asked]] = {}
        self.looked = -1.0

    def look(self, every_s: float = 0.5) -> None:
        """Update the list of workers and advance each one, at most every `every_s` seconds.

        Questions to workers that are gone are answered by an error.
        """
        if time.monotonic() - self.looked < every_s:
            return
        self.looked = time.monotonic()
        try:
            threads = self.client.nthreads()
        except OSError as gone:
            raise BadInput(
                f"the cluster's scheduler no longer answers ({type(gone).__name__}): what is"
                " measured is kept, and the same command continues."
            ) from None
        self.candidates = {
            address: self.candidates.get(address) or Candidate(address) for address in threads
        }
        for future, (address, asked) in list(self.pending.items()):
            if address not in threads:
                asked.cancel()
                self.settle(future, {"error": "the node is gone", "kind": "lost"})
        for candidate in self.candidates.values():
            if threads[candidate.address] != 1 and not candidate.refused:
                self.refuse(candidate, "its worker has more than one thread: --nthreads 1")
            if not (candidate.refused or candidate.admitted):
                self.advance(candidate)

    def list_nodes(self) -> dict[str, str]:
        """Return the addresses of the nodes that may get work, by name."""
        return {
            candidate.name: candidate.address
            for candidate in self.candidates.values()
            if candidate.admitted
        }

    def advance(self, candidate: Candidate) -> None:
        """Ask a candidate its next question, or draw the consequence of its answer."""
        if candidate.asked is None:
            if time.monotonic() >= candidate.after:
                candidate.asked = self.ask(candidate)
            return
        if not candidate.asked.done():
            return
        answer, candidate.asked = candidate.asked.result(), None
        if answer.get("kind") == "busy":
            candidate.after = time.monotonic() + AGAIN_S
        elif "error" in answer:
            self.refuse(candidate, answer["error"])
        else:
            try:
                self.hear(candidate, answer)
            except (KeyError, TypeError, AttributeError, ValueError) as wrong:
                self.refuse(candidate, f"it sent an invalid reply ({type(wrong).__name__})")

    def ask(self, candidate: Candidate) -> Future[dict]:
        question = self.prepare() if candidate.next == "prepare" and self.prepare else {}
        content = JAR.read_bytes() if candidate.next == "receive" else b""
        return self.submit(candidate.address, candidate.next, question, content)

    def hear(self, candidate: Candidate, answer: dict) -> None:
        match candidate.next:
            case "receive":
                candidate.next = "describe"
            case "prepare":
                findings = [Finding(**finding) for finding in answer["ready"]]
                self.findings[candidate.name] = findings
                candidate.admitted = True
            case _:
                candidate.description = answer
                candidate.name = name_host(self.basics.salt, str(answer["host"]))
                self.hear_description(candidate, answer)

    def hear_description(self, candidate: Candidate, description: dict) -> None:
        if description["package"] != self.basics.package:
            self.refuse(candidate, "its checkout of Handoff is another version than this one")
        elif description["jar"] != self.basics.jar:
            candidate.next = "receive"
        elif why := self.judge(description):
            self.refuse(candidate, why)
        elif self.has_twin(candidate):
            # Of two workers on one machine, one waits until the other is gone.
            candidate.after = time.monotonic() + AGAIN_S
        else:
            note_host(candidate.name, str(description["host"]))
            candidate.next, candidate.admitted = "prepare", self.prepare is None

    def has_twin(self, candidate: Candidate) -> bool:
        """Check whether another worker of the same machine is a node, or is about to be."""
        return any(
            other is not candidate
            and not other.refused
            and (other.admitted or other.next == "prepare")
            and other.name == candidate.name
            for other in self.candidates.values()
        )

    def refuse(self, candidate: Candidate, why: str) -> None:
        candidate.refused = f"{candidate.name} was refused: {hide_folders(why).rstrip('.')}."
        candidate.admitted = False
        self.refusals.append(f"Node {candidate.refused}")
        print(self.refusals[-1], flush=True)
        if self.basics.ours:
            # Its job ends, and another's may start.
            self.client.retire_workers([candidate.address])

    def drop(self, address: str, answer: dict) -> None:
        """Give no more forks to a node that did not measure: it is gone, or reports an error.

        A node that another runner took in the meantime may start again.
        """
        candidate = self.candidates.get(address)
        if candidate and answer.get("kind") == "busy":
            candidate.next, candidate.admitted = "prepare", False
            candidate.after = time.monotonic() + AGAIN_S
        elif candidate and answer.get("kind") == "lost":
            candidate.refused, candidate.admitted = answer["error"], False
        elif candidate:
            self.refuse(candidate, answer["error"])

    def submit(self, address: str, verb: str, question: dict, content: bytes = b"") -> Future[dict]:
        """Send a question to one worker, and no other; the future never raises."""
        future: Future[dict] = Future()
        asked = self.client.submit(
            node.answer,
            verb,
            json.dumps(self.basics.model_dump(include={"jar", "package", "pretend"}) | question),
            content,
            workers=[address],
            allow_other_workers=False,
            pure=False,
            retries=0,
        )
        self.pending[future] = address, asked
        asked.add_done_callback(lambda done: self.settle(future, read_answer(done)))
        return future

    def settle(self, future: Future[dict], answer: dict) -> None:
        """Note an answer, or a loss; Dask calls this in a separate thread."""
        self.pending.pop(future, None)
        with contextlib.suppress(InvalidStateError):
            future.set_result(answer)


def read_answer(asked: Asked) -> dict:
    """Return a node's answer, or an error where the node is lost or the answer is invalid."""
    try:
        answer = json.loads(asked.result(timeout=ANSWER_S))
        return answer if isinstance(answer, dict) else {"error": "it sent an invalid reply"}
    except Exception as lost:
        return {"error": f"it did not answer ({type(lost).__name__})", "kind": "lost"}


def hide_folders(sentence: str) -> str:
    """Shorten every path to its last component: what a node reports is kept with the run."""
    return re.sub(r"(?<![\w.])/(?:[^\s/:;,'\"]+/)+", "", sentence)
