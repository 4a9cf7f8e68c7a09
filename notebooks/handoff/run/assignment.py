"""Which node measures which block: all forks of a block on one node, so that points are compared
where they were measured under like conditions.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from handoff.run.state import Task

Owners = Mapping[tuple[str, int], str]
"""The node of each fork that is there, by its point's key and its number."""


@dataclass
class Share:
    """What is left of a block; `owner` is the node that it belongs to, None while it is nobody's.
    Repetitions are a share of their own.
    """

    block: int
    owner: str | None
    tasks: deque[Task] = field(default_factory=deque)


class Assignment:
    """The forks to measure, in their order. A block belongs to the node that measured any fork of
    it, and else to the first that asks.
    """

    def __init__(self, tasks: Iterable[Task], planned: Iterable[Task], owners: Owners) -> None:
        of_block: dict[int, str] = {}
        for task in planned:
            if (owner := owners.get((task.point.key, task.number))) is not None:
                of_block.setdefault(task.block, owner)
        self.shares: list[Share] = []
        found: dict[tuple, Share] = {}
        for task in tasks:
            owner = owners.get((task.point.key, task.number), of_block.get(task.block))
            key = (task.again > 0, task.block, owner)
            if key not in found:
                found[key] = Share(task.block, owner)
                self.shares.append(found[key])
            found[key].tasks.append(task)

    def take(self, node: str) -> Task | None:
        """The next fork for a node; None when nothing is left that it may measure."""
        for share in self.shares:
            if share.tasks and share.owner in (None, node):
                share.owner = node
                return share.tasks.popleft()
        return None

    def give_back(self, task: Task, node: str) -> None:
        """A fork whose node was lost: it is that node's next."""
        mine = [share for share in self.shares if share.owner == node and share.block == task.block]
        mine[0].tasks.appendleft(task)

    def list_absent(self, there: Iterable[str]) -> set[str]:
        """The nodes that something waits for."""
        owners = {share.owner for share in self.shares if share.tasks and share.owner is not None}
        return owners - set(there)

    def drop_owner(self, node: str) -> set[int]:
        """Takes from a node what is left of its blocks, which are these."""
        own = [share for share in self.shares if share.owner == node and share.tasks]
        self.shares = [share for share in self.shares if share not in own]
        return {share.block for share in own}

    def add_block(self, block: int, tasks: Iterable[Task]) -> None:
        """A whole block that belongs to nobody."""
        self.shares.append(Share(block, None, deque(tasks)))

    def clear(self) -> None:
        self.shares.clear()

    def __bool__(self) -> bool:
        return any(share.tasks for share in self.shares)
