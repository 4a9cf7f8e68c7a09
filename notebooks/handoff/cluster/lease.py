"""The machine's lock on a node: from its first fork until a while after its last, so that no other
runner comes between two forks, and a driver that died does not keep the node.
"""

import contextlib
import threading

from handoff.run.host import lock

SPARE_S = 60


class Lease:
    """Held by the worker process; the kernel gives the lock back when that ends."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.held: contextlib.ExitStack | None = None
        self.timer: threading.Timer | None = None
        self.kept = 0

    def take(self, what: str) -> None:
        """Busy when another runner has the machine."""
        with self.guard:
            self.kept += 1
            if self.timer:
                self.timer.cancel()
            if self.held is None:
                stack = contextlib.ExitStack()
                stack.enter_context(lock.hold_lock(what, patience_s=0))
                self.held = stack

    def keep(self) -> None:
        """For a while; `take` prolongs it."""
        with self.guard:
            self.kept += 1
            self.timer = threading.Timer(SPARE_S, self.expire, [self.kept])
            self.timer.daemon = True
            self.timer.start()

    def expire(self, kept: int) -> None:
        """What a timer does, unless the lease was taken again just when it fired."""
        with self.guard:
            if kept == self.kept:
                self.give_back()

    def release(self) -> None:
        with self.guard:
            self.give_back()

    def give_back(self) -> None:
        if self.timer:
            self.timer.cancel()
        if self.held:
            self.held.close()
        self.held = None
