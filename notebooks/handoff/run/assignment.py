"""Assign each block to one node: its points are compared, and need the same conditions."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from handoff.run.store.state import Origin, Task


@dataclass
class Share:
    """The remaining forks of a block, or its repetitions, and the node that owns it, if any."""

    block: int
    owner: str | None
    repeats: bool = False
    tasks: deque[Task] = field(default_factory=deque)


class Assignment:
    """The forks to measure, in their order; `origins` are those of measured forks.

    A block belongs to the node that measured any fork of it, or else to the first node that asks. A
    repetition belongs to the node of the fork that it repeats.
    """

    def __init__(self, tasks: Iterable[Task], origins: Mapping[tuple[str, int], Origin]) -> None:
        owners: dict[int, str] = {}
        for origin in origins.values():
            owners.setdefault(origin.block, origin.host)
        shares: dict[tuple, Share] = {}
        for task in tasks:
            measured = origins.get((task.point.key, task.number))
            owner = measured.host if measured else owners.get(task.block)
            key = (task.again > 0, task.block, owner)
            shares.setdefault(key, Share(task.block, owner, task.again > 0)).tasks.append(task)
        self.shares = list(shares.values())

    def take(self, node: str) -> Task | None:
        """Return the next fork for a node, or None if it may measure no other."""
        for share in self.shares:
            if share.tasks and share.owner in (None, node):
                share.owner = node
                return share.tasks.popleft()
        return None

    def give_back(self, task: Task, node: str) -> None:
        """Take back a lost fork: its node gets it next, or the node that now has its block."""
        shares = [
            share
            for share in self.shares
            if (share.block, share.repeats) == (task.block, task.again > 0)
        ]
        owned = [share for share in shares if share.owner == node] or shares
        if owned:
            owned[0].tasks.appendleft(task)
        else:
            self.add_block(task.block, [task])

    def list_absent(self, present: Iterable[str]) -> set[str]:
        """Return the nodes that own remaining forks but are not in `present`."""
        owners = {share.owner for share in self.shares if share.tasks and share.owner is not None}
        return owners - set(present)

    def drop_owner(self, node: str) -> dict[int, list[Task]]:
        """Take a node's blocks from it, and return their remaining tasks by block."""
        # Repetitions that only this node could measure end here; the forks that they repeat stay.
        dropped = [share for share in self.shares if share.owner == node and share.tasks]
        self.shares = [share for share in self.shares if share not in dropped]
        return {share.block: list(share.tasks) for share in dropped if not share.repeats}

    def add_block(self, block: int, tasks: Iterable[Task]) -> None:
        self.shares.append(Share(block, None, tasks=deque(tasks)))

    def __bool__(self) -> bool:
        return any(share.tasks for share in self.shares)
