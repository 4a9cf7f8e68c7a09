"""Simulated time: actions in the order of their instants."""

import heapq
from collections.abc import Callable
from itertools import count

Action = Callable[[], None]


class Clock:
    """Picoseconds since the start, `now`, and the actions that are still to come.

    Actions of the same instant run in the order in which they were scheduled.
    """

    def __init__(self) -> None:
        self.now = 0
        self.heap: list[tuple[int, int, Action]] = []
        self.order = count()

    def after(self, ps: int, action: Action) -> None:
        """Schedule an action `ps` from now."""
        heapq.heappush(self.heap, (self.now + ps, next(self.order), action))

    def advance(self) -> bool:
        """Run the next action at its instant; return False when none is left."""
        if not self.heap:
            return False
        self.now, _, action = heapq.heappop(self.heap)
        action()
        return True
