"""Which node measures which block: all forks of a block on one node, so that points are compared
where they were measured under like conditions.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from handoff.run.store.state import Origin, Task

Origins = Mapping[tuple[str, int], Origin]
"""Of each fork that is there, by its point's key and its number."""


@dataclass
class Share:
    """What is left of a block, or of its repetitions; `owner` is the node that it belongs to, None
    while it is nobody's.
    """

    block: int
    owner: str | None
    repeats: bool = False
    tasks: deque[Task] = field(default_factory=deque)


class Assignment:
    """The forks to measure, in their order. A block belongs to the node that measured any fork of
    it, and else to the first that asks; a repetition to the node of what it repeats.
    """

    def __init__(self, tasks: Iterable[Task], origins: Origins) -> None:
        of_block: dict[int, str] = {}
        for origin in origins.values():
            of_block.setdefault(origin.block, origin.host)
        self.shares: list[Share] = []
        found: dict[tuple, Share] = {}
        for task in tasks:
            before = origins.get((task.point.key, task.number))
            owner = before.host if before else of_block.get(task.block)
            key = (task.again > 0, task.block, owner)
            if key not in found:
                found[key] = Share(task.block, owner, task.again > 0)
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
        """A fork whose node was lost: it is that node's next, or goes where its block went."""
        alike = [
            share
            for share in self.shares
            if (share.block, share.repeats) == (task.block, task.again > 0)
        ]
        mine = [share for share in alike if share.owner == node] or alike
        if mine:
            mine[0].tasks.appendleft(task)
        else:
            self.add_block(task.block, [task])

    def list_absent(self, there: Iterable[str]) -> set[str]:
        """The nodes that something waits for."""
        owners = {share.owner for share in self.shares if share.tasks and share.owner is not None}
        return owners - set(there)

    def drop_owner(self, node: str) -> dict[int, list[Task]]:
        """Takes from a node what is left of its blocks: block to tasks. Repetitions that it alone
        could measure are dropped; what they would have repeated stays as it is.
        """
        own = [share for share in self.shares if share.owner == node and share.tasks]
        self.shares = [share for share in self.shares if share not in own]
        return {share.block: list(share.tasks) for share in own if not share.repeats}

    def add_block(self, block: int, tasks: Iterable[Task]) -> None:
        """A block that belongs to nobody."""
        self.shares.append(Share(block, None, tasks=deque(tasks)))

    def clear(self) -> None:
        self.shares.clear()

    def __bool__(self) -> bool:
        return any(share.tasks for share in self.shares)
