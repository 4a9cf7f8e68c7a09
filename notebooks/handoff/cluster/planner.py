"""The planner that asks the first node of a group."""

import time
from collections.abc import Callable
from pathlib import Path

from distributed import Client

from handoff.cluster.connection import Basics
from handoff.cluster.roster import LOOK_S, Candidate, Roster
from handoff.errors import BadInput, Failure
from handoff.run.host import kind
from handoff.run.java.jdk import Jdk
from handoff.run.plan.points import Amounts, Point
from handoff.run.plan.selection import SweepRequest
from handoff.run.store.identity import compute_identity


def find_gap(description: dict) -> str:
    """Return why a node cannot plan, or ''."""
    complete = {"machine", "jdk", "feature"} <= description.keys()
    return "" if complete else "it sent an invalid reply"


class ClusterPlanner:
    """Plans on the first node of a group, whose kind becomes the group's.

    `known` are the machines of earlier runs. `await_node` is called while no node is available,
    and raises when none will arrive.
    """

    def __init__(
        self, client: Client, basics: Basics, known: list[dict], await_node: Callable[[], None]
    ) -> None:
        self.roster = Roster(client, basics, judge=find_gap)
        self.known, self.await_node = known, await_node
        self.machine: dict = {}
        self.jdk = Jdk(Path("java"), 0, "")

    def find_first(self) -> Candidate:
        """Return the first node that answers, of the group's kind once that is known."""
        while True:
            self.roster.look()
            for candidate in self.roster.candidates.values():
                if candidate.admitted and self.is_alike(candidate):
                    return candidate
            self.await_node()
            time.sleep(LOOK_S)

    def is_alike(self, candidate: Candidate) -> bool:
        if not self.machine:
            return True
        node = candidate.description
        same_jdk = node["jdk"] == self.jdk.runtime
        return same_jdk and not kind.list_unlike(self.machine, node["machine"])

    def identify(self, asked: SweepRequest) -> tuple[dict, dict[str, str]]:
        if not self.machine:
            node = self.find_first().description
            self.machine = kind.adopt(node["machine"], self.known)
            self.jdk = Jdk(Path("java"), node["feature"], node["jdk"])
        return self.machine, compute_identity(asked.sweep, self.machine, self.jdk)

    def plan(self, asked: SweepRequest) -> tuple[list[Point], Amounts]:
        question = {"profile": asked.profile, "source": asked.source, "sweep": asked.text}
        while True:
            planned = self.roster.submit(self.find_first().address, "plan", question)
            while not planned.done():
                self.roster.look()
                time.sleep(LOOK_S)
            answer = planned.result()
            match answer.get("kind"):
                case None:
                    break
                case "input":
                    raise BadInput(answer["error"])
                case "ours":
                    raise Failure(answer["error"])
            # Busy or gone: ask another node, or the same one later.
            self.await_node()
            time.sleep(LOOK_S)
        try:
            points = [Point.model_validate(point) for point in answer["points"]]
            return points, dict(answer["amounts"])
        except (ValueError, KeyError, TypeError):
            raise Failure("a node returned an invalid plan.") from None
