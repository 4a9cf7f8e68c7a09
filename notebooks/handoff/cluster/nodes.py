"""The workers of a Dask scheduler, as the driver sees them: described, asked, and refused."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from handoff.cluster import node
from handoff.errors import BadInput
from handoff.files import hash_content
from handoff.run.cost import format_duration
from handoff.text import console

if TYPE_CHECKING:
    from distributed import Client, Future

LOOK_S = 1
"""Time between two looks at the nodes."""

ANSWER_S = 300
"""Time that a node has to describe itself, or to plan."""


@dataclass
class Node:
    """A worker, by its pseudonym; `refused` says why it gets no block."""

    address: str
    name: str
    description: dict[str, Any] = field(default_factory=dict)
    refused: str = ""

    def refuse(self, why: str) -> None:
        """Give it no more blocks."""
        self.refused = why.rstrip(".")
        console.print(f"  Node {self.name} was refused: {self.refused}.")


class Nodes:
    """The workers of a scheduler, each described once."""

    def __init__(self, client: "Client", arrival_s: float) -> None:
        self.client, self.arrival_s = client, arrival_s
        self.known: dict[str, Node] = {}
        self.checkout = node.hash_checkout()
        self.served = time.monotonic()

    def list_present(self) -> list[Node]:
        """Return the nodes that may get work; raise BadInput if none came for too long."""
        try:
            addresses = self.client.nthreads()
        except OSError as gone:
            raise BadInput(
                f"the cluster's scheduler no longer answers ({type(gone).__name__}): what is"
                " measured is kept, and the same command continues."
            ) from None
        for address in addresses:
            if address not in self.known:
                self.known[address] = self.describe(address)
        usable = [self.known[address] for address in addresses if not self.known[address].refused]
        if usable:
            self.served = time.monotonic()
        elif time.monotonic() - self.served > self.arrival_s:
            reasons = dict.fromkeys(each.refused for each in self.known.values() if each.refused)
            raise BadInput(
                f"no node came for {format_duration(self.arrival_s)}."
                + "".join(f" One was refused: {reason}." for reason in reasons)
                + " What is measured is kept; the same command continues."
            )
        return usable

    def find_first(self) -> Node:
        while not (present := self.list_present()):
            time.sleep(LOOK_S)
        return present[0]

    def describe(self, address: str) -> Node:
        """Ask a worker for its description."""
        new = Node(address, address)
        try:
            new.description = self.ask(address, node.describe_node, self.checkout)
            new.name = hash_content(new.description["host"])
            console.print(f"  Node {new.name} is {new.description['host']}.")
        except BadInput as wrong:
            new.refuse(str(wrong))
        return new

    def ask(self, address: str, function: Callable, *words: Any) -> Any:
        """Return a node's answer; raise BadInput where it refuses, or does not answer."""
        kind, answer = take_answer(self.submit(address, function, *words))
        if kind != node.VALUE:
            raise BadInput(answer)
        return answer

    def submit(self, address: str, function: Callable, *words: Any) -> "Future":
        return self.client.submit(
            node.answer,
            function,
            *words,
            workers=[address],
            allow_other_workers=False,
            pure=False,
            retries=0,
        )


def take_answer(asked: "Future") -> tuple[str, Any]:
    """Return what `node.answer` returned, or LOST and a sentence."""
    try:
        return asked.result(timeout=ANSWER_S)
    except Exception as lost:
        asked.cancel()
        return node.LOST, f"it does not answer ({type(lost).__name__})"
