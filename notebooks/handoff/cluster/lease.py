"""The machine's lock on a node: from its first fork until a while after its last, so that no other
runner comes between two forks, and a driver that died does not keep the node.
"""

import contextlib
import threading

from handoff.run import lock

SPARE_S = 60


class Lease:
    """Held by the worker process; the kernel gives the lock back when that ends."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.held: contextlib.ExitStack | None = None
        self.timer: threading.Timer | None = None

    def take(self, what: str) -> None:
        """Busy when another runner has the machine."""
        with self.guard:
            if self.timer:
                self.timer.cancel()
            if self.held is None:
                stack = contextlib.ExitStack()
                stack.enter_context(lock.hold_lock(what, patience_s=0))
                self.held = stack

    def keep(self) -> None:
        """For a while; `take` prolongs it."""
        with self.guard:
            self.timer = threading.Timer(SPARE_S, self.release)
            self.timer.daemon = True
            self.timer.start()

    def release(self) -> None:
        with self.guard:
            if self.timer:
                self.timer.cancel()
            if self.held:
                self.held.close()
            self.held = None
