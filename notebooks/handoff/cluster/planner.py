"""Plans a sweep on the first node of a group."""

import time
from collections.abc import Callable
from pathlib import Path

from distributed import Client

from handoff.cluster import kind
from handoff.cluster.connection import Basics
from handoff.cluster.roster import Candidate, Roster, read_answer
from handoff.errors import BadInput, Busy, Failure
from handoff.run.identity import compute_identity
from handoff.run.jdk import Jdk
from handoff.run.points import Amounts, Point
from handoff.run.selection import SweepRequest

LOOK_S = 0.2


class ClusterPlanner:
    """The first node of a group, whose kind is the group's; `known` are the machines of earlier
    runs. `await_node` is called while no node is there, and raises when none will come.
    """

    def __init__(
        self, client: Client, basics: Basics, known: list[dict], await_node: Callable[[], None]
    ) -> None:
        self.roster = Roster(client, basics, judge=lambda told: "")
        self.known, self.await_node = known, await_node
        self.machine: dict = {}
        self.jdk = Jdk(Path("java"), 0, "")

    def find_first(self) -> Candidate:
        """The first node that answers."""
        while True:
            self.roster.look()
            for candidate in self.roster.candidates.values():
                if candidate.admitted:
                    return candidate
            self.await_node()
            time.sleep(LOOK_S)

    def identify(self, asked: SweepRequest) -> tuple[dict, dict[str, str]]:
        if not self.machine:
            told = self.find_first().told or {}
            self.machine = kind.adopt(told["machine"], self.known)
            self.jdk = Jdk(Path("java"), told["feature"], told["jdk"])
        return self.machine, compute_identity(asked.sweep, self.machine, self.jdk)

    def plan(self, asked: SweepRequest) -> tuple[list[Point], Amounts]:
        question = {"profile": asked.profile, "source": asked.source, "sweep": asked.text}
        node = self.find_first()
        answer = read_answer(self.roster.submit(node.address, "plan", question))
        if "error" in answer:
            kinds: dict[str, type[Exception]] = {"busy": Busy, "input": BadInput}
            raise kinds.get(answer.get("kind", ""), Failure)(answer["error"])
        return [Point.model_validate(point) for point in answer["points"]], answer["amounts"]
