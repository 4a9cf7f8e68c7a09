"""Which workers are nodes of a group: they are asked what they are, and refused by name where they
differ from the rest.
"""

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from distributed import Client, Future

from handoff.cluster import node
from handoff.cluster.connection import Basics, name_host, note_host
from handoff.errors import BadInput
from handoff.paths import JAR
from handoff.run.host.cpu_settings import Finding

FOR_NODES = {"jar", "package", "pretend"}
UNNAMED = "(not yet named)"
ANSWER_S = 30
AGAIN_S = 20
"""After which a machine that another runner, or another worker, had is asked again."""


@dataclass
class Candidate:
    """A worker on its way to be a node: `next` is what it will be asked, `asked` the answer that it
    owes. `told`: what it said of itself.
    """

    address: str
    next: str = "describe"
    asked: Future | None = None
    after: float = 0.0
    told: dict[str, Any] | None = None
    refused: str = ""
    admitted: bool = False


class Roster:
    """The workers of a scheduler; looks at them when it is asked to.

    `judge` says why a node is refused, or ''; `begin` makes the question that precedes its first
    fork, or None where none will be measured.
    """

    def __init__(
        self,
        client: Client,
        basics: Basics,
        judge: Callable[[dict], str],
        begin: Callable[[], dict] | None = None,
        report: Callable[[str], None] = print,
    ) -> None:
        self.client, self.basics, self.judge, self.begin = client, basics, judge, begin
        self.report = report
        self.candidates: dict[str, Candidate] = {}
        self.findings: dict[str, list[Finding]] = {}
        self.looked = -1.0

    def look(self, every_s: float = 0.5) -> None:
        """Finds workers that came and went, and takes a step with each, but not more often."""
        if time.monotonic() - self.looked < every_s:
            return
        self.looked = time.monotonic()
        try:
            there = self.client.nthreads()
        except OSError as gone:
            raise BadInput(
                f"the cluster's scheduler does not answer any more ({type(gone).__name__}): what is"
                " measured is kept, and the same command goes on."
            ) from None
        self.candidates = {
            address: self.candidates.get(address) or Candidate(address) for address in there
        }
        for candidate in self.candidates.values():
            if there[candidate.address] != 1 and not candidate.refused:
                self.refuse(candidate, "its worker has more than one thread: --nthreads 1")
            self.step(candidate)

    def list_nodes(self) -> dict[str, str]:
        """Name to address of those that may be given work."""
        return {
            self.name(candidate): candidate.address
            for candidate in self.candidates.values()
            if candidate.admitted
        }

    def step(self, candidate: Candidate) -> None:
        if candidate.refused or candidate.admitted:
            return
        if candidate.asked is None:
            if time.monotonic() >= candidate.after:
                candidate.asked = self.ask(candidate)
            return
        if not candidate.asked.done():
            return
        told, candidate.asked = read_answer(candidate.asked), None
        if told.get("kind") == "busy":
            candidate.after = time.monotonic() + AGAIN_S
        elif "error" in told:
            self.refuse(candidate, told["error"])
        else:
            try:
                self.hear(candidate, told)
            except (KeyError, TypeError, AttributeError, ValueError) as wrong:
                self.refuse(candidate, f"its answer is none ({type(wrong).__name__})")

    def ask(self, candidate: Candidate) -> Future:
        match candidate.next:
            case "receive":
                content = JAR.read_bytes()
                return self.submit(candidate.address, "receive", {}, content)
            case "begin" if self.begin:
                return self.submit(candidate.address, "begin", self.begin())
        return self.submit(candidate.address, "describe", {})

    def hear(self, candidate: Candidate, told: dict) -> None:
        """What follows from an answer."""
        match candidate.next:
            case "receive":
                candidate.next = "describe"
            case "begin":
                self.findings[self.name(candidate)] = [Finding(**each) for each in told["ready"]]
                candidate.admitted = True
            case _:
                candidate.told = told
                self.hear_description(candidate, told)

    def hear_description(self, candidate: Candidate, told: dict) -> None:
        if told["package"] != self.basics.package:
            self.refuse(candidate, "its checkout of Handoff is another version than this one")
        elif told["jar"] != self.basics.jar:
            candidate.next = "receive"
        elif why := self.judge(told):
            self.refuse(candidate, why)
        elif any(self.name(candidate) == self.name(other) for other in self.list_others(candidate)):
            # Of two workers on one machine one waits until the other is gone.
            candidate.after = time.monotonic() + AGAIN_S
        else:
            note_host(self.name(candidate), str(told["host"]))
            candidate.next, candidate.admitted = "begin", self.begin is None

    def list_others(self, candidate: Candidate) -> list[Candidate]:
        """Those that are nodes, or are about to be."""
        return [
            other
            for other in self.candidates.values()
            if other is not candidate
            and not other.refused
            and (other.admitted or other.next == "begin")
        ]

    def name(self, candidate: Candidate) -> str:
        """Its pseudonym, once it has told what it is called."""
        host = (candidate.told or {}).get("host")
        return name_host(self.basics.salt, str(host)) if host else UNNAMED

    def refuse(self, candidate: Candidate, why: str) -> None:
        candidate.refused = f"{self.name(candidate)} was refused: {hide_folders(why).rstrip('.')}."
        candidate.admitted = False
        self.report(f"Node {candidate.refused}")
        if self.basics.ours:
            # Its job ends, and another's may begin.
            self.client.retire_workers([candidate.address])

    def drop(self, address: str, answer: dict) -> None:
        """A node that did not measure gets no more forks: it is gone, or says what is wrong; one
        that another runner took in between may begin anew.
        """
        candidate = self.candidates.get(address)
        if candidate and answer.get("kind") == "busy":
            candidate.next, candidate.admitted = "begin", False
            candidate.after = time.monotonic() + AGAIN_S
        elif candidate and answer.get("kind") == "lost":
            candidate.refused, candidate.admitted = answer["error"], False
        elif candidate:
            self.refuse(candidate, answer["error"])

    def submit(self, address: str, verb: str, question: dict, content: bytes = b"") -> Future:
        """Asks one worker, and no other."""
        asked = json.dumps(self.basics.model_dump(include=FOR_NODES) | question)
        return self.client.submit(
            node.answer,
            verb,
            asked,
            content,
            workers=[address],
            allow_other_workers=False,
            pure=False,
            retries=0,
        )


def read_answer(future: Future) -> dict:
    """A node's answer; of one that is gone, or says what is none, the sentence."""
    try:
        told = json.loads(future.result(timeout=ANSWER_S))
        return told if isinstance(told, dict) else {"error": "its answer is none"}
    except Exception as lost:
        return {"error": f"it did not answer ({type(lost).__name__})", "kind": "lost"}


def hide_folders(sentence: str) -> str:
    """Of every path only its last name: what a node says is kept with the run."""
    return re.sub(r"(?<![\w.])/(?:[^\s/:;,'\"]+/)+", "", sentence)
