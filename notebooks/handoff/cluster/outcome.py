"""What a node says of a fork, believed as little as a file from elsewhere."""

import json

from handoff.errors import BadInput
from handoff.run.fork import Job, Outcome
from handoff.run.store import state
from handoff.run.store.forkfile import CorruptFork, parse_fork
from handoff.run.store.forks import require_fork_of
from handoff.run.store.run import Run

MAX_LOG = 1_000_000
NODE_STATES = ("forks", *state.FAILURE_FOLDERS)
"""How a node may say that a fork ended."""


def check_outcome(run: Run, job: Job, answer: dict) -> Outcome:
    """The outcome that an answer tells; a failure, with the reason, where it is none."""
    try:
        content = answer["content"]
        if answer["state"] not in NODE_STATES or (content is None) == (answer["state"] == "forks"):
            raise CorruptFork(f"{answer['state']} is no way to end")
        if content is not None:
            fork = parse_fork(json.dumps(content).encode(), "a node's answer")
            own = job.identity
            require_fork_of(run, job.point, own["fork"], own["again"], fork)
            if (fork.host, fork.block, fork.order) != (own["host"], own["block"], own["order"]):
                raise CorruptFork("it is of another node, block or place")
        return Outcome(answer["state"], content, clean(answer["log"]), clean(answer["wrong"]))
    except (CorruptFork, BadInput, KeyError, TypeError, AttributeError, ValueError) as why:
        return Outcome("failed", None, "", f"its node sent what is no fork of this run: {why}")


def clean(text: object) -> str:
    """What a file can hold of it."""
    return str(text)[:MAX_LOG].encode(errors="replace").decode()
