"""Locks of `java.util.concurrent`, with their queue of waiting threads and their conditions.

A lock is a word and a list. A thread that finds the word 0 takes the lock, even if others have
waited longer. Any other thread appends a node to the list and parks; the thread that releases the
lock wakes the first in the list, which must then find the word 0 as well.
"""

from handoff.model.lines import Line
from handoff.model.machine import Machine
from handoff.model.thread import Steps, Thread, fence, park, read, swap, unpark, update, work, write

REWRITTEN = 14
"""JDK release that rewrote AbstractQueuedSynchronizer."""


class Node:
    """A thread's place in a list, on a line of its own."""

    def __init__(self, thread: Thread | None, status: int = 0) -> None:
        core = thread.core if thread else None
        self.thread = thread
        self.line = Line(f"node {thread.name if thread else 0}", core, status=status, next=None)
        self.before: Node | None = None


class QueuedLock:
    """Base of both versions, which differ in how a thread waits for the lock and releases it.

    Each has `on_condition`, the status of a node until its condition is signalled; `acquire` and
    `release`; `acquire_queued`, to wait with a node that is in the list already; and `transfer`, by
    which the thread that has the lock moves a condition's node into the list.
    """

    def __init__(self) -> None:
        first = Node(None)
        self.line = Line("lock", None, state=0, head=first, tail=first)

    def try_acquire(self) -> Steps:
        if (yield read(self.line, "state")) != 0:
            return False
        return (yield swap(self.line, "state", 0, 1)) == 0

    def append(self, node: Node) -> Steps:
        while not (yield from self.try_append(node)):
            pass

    def try_append(self, node: Node) -> Steps:
        """Make a node the last, unless another thread is quicker; return whether it is."""
        last: Node = yield read(self.line, "tail")
        node.before = last
        if (yield swap(self.line, "tail", last, node)) is not last:
            node.before = None
            return False
        yield write(last.line, "next", node)
        return True

    def become_head(self, node: Node) -> Steps:
        before, node.before, node.thread = node.before, None, None
        assert before is not None
        yield write(self.line, "head", node)
        yield fence()
        yield write(before.line, "next", None)


class Lock8(QueuedLock):
    """Lock of the JDKs before 14.

    It follows Doug Lea's paper "The java.util.concurrent synchronizer framework".
    """

    WAKE_ME, on_condition = -1, -2

    def acquire(self, thread: Thread) -> Steps:
        if not (yield from self.try_acquire()):
            node = Node(thread)
            yield from self.append(node)
            yield from self.acquire_queued(node)

    def acquire_queued(self, node: Node) -> Steps:
        while True:
            before = node.before
            assert before is not None
            if (yield read(self.line, "head")) is before and (yield from self.try_acquire()):
                yield from self.become_head(node)
                return
            if (yield read(before.line, "status")) == self.WAKE_ME:
                yield park()
            else:
                yield swap(before.line, "status", 0, self.WAKE_ME)

    def release(self) -> Steps:
        yield write(self.line, "state", 0)
        yield fence()
        first: Node = yield read(self.line, "head")
        if (yield read(first.line, "status")) == self.WAKE_ME:
            yield swap(first.line, "status", self.WAKE_ME, 0)
            following = yield from self.find_next(first)
            if following is not None and following.thread is not None:
                yield unpark(following.thread)

    def find_next(self, first: Node) -> Steps:
        """Return the node after the first; if that is not written yet, search from the tail."""
        following: Node | None = yield read(first.line, "next")
        if following is None:
            node: Node | None = yield read(self.line, "tail")
            while node is not None and node is not first:
                following, node = node, node.before
        return following

    def transfer(self, node: Node) -> Steps:
        yield from self.append(node)
        assert node.before is not None
        yield swap(node.line, "status", self.on_condition, 0)
        yield swap(node.before.line, "status", 0, self.WAKE_ME)


class Lock17(QueuedLock):
    """Lock of JDK 17.

    Compare and set comes first. A thread that was woken in vain tries again with pauses, each time
    longer, before it parks.
    """

    WAITING, on_condition = 1, 3
    MOST_TRIES = 255

    def __init__(self, pause: int) -> None:
        super().__init__()
        self.pause = pause

    def acquire(self, thread: Thread) -> Steps:
        if (yield swap(self.line, "state", 0, 1)) == 0:
            return
        # Before and after the node is allocated, and then before each attempt to append it.
        for _ in range(2):
            if (yield from self.try_acquire()):
                return
        node = Node(thread)
        while not (yield from self.try_acquire()):
            if (yield from self.try_append(node)):
                yield from self.acquire_queued(node)
                return

    def acquire_queued(self, node: Node) -> Steps:
        first, tries, after_park = False, 0, 0
        while True:
            first = first or (yield read(self.line, "head")) is node.before
            if first and (yield from self.try_acquire()):
                yield from self.become_head(node)
                return
            if first and tries:
                tries -= 1
                yield work(self.pause)
            elif (yield read(node.line, "status")) == 0:
                yield write(node.line, "status", self.WAITING)
                yield fence()
            else:
                tries = after_park = min(2 * after_park + 1, self.MOST_TRIES)
                yield park()
                yield write(node.line, "status", 0)

    def release(self) -> Steps:
        yield write(self.line, "state", 0)
        yield fence()
        first: Node = yield read(self.line, "head")
        following: Node | None = yield read(first.line, "next")
        if following is not None and (yield read(following.line, "status")) != 0:
            yield update(following.line, "status", lambda status: status & ~self.WAITING)
            if following.thread is not None:
                yield unpark(following.thread)

    def transfer(self, node: Node) -> Steps:
        yield update(node.line, "status", lambda status: self.WAITING)
        yield from self.append(node)


Lock = Lock8 | Lock17


def make_lock(machine: Machine) -> Lock:
    """Make the lock of the machine's JDK."""
    return Lock17(machine.pause) if machine.jdk >= REWRITTEN else Lock8()


class Condition:
    """Threads that sleep until a condition is signalled; its list belongs to the lock's owner."""

    def __init__(self, lock: Lock, name: str) -> None:
        self.lock = lock
        self.line = Line(name, None, first=())

    def wait(self, thread: Thread) -> Steps:
        """Release the lock, sleep until signalled, and acquire the lock again."""
        node = Node(thread, self.lock.on_condition)
        waiting: tuple[Node, ...] = yield read(self.line, "first")
        yield write(self.line, "first", (*waiting, node))
        yield from self.lock.release()
        while (yield read(node.line, "status")) == self.lock.on_condition:
            yield park()
        yield from self.lock.acquire_queued(node)

    def signal(self) -> Steps:
        """Move the thread that has waited longest into the lock's list; a release wakes it."""
        waiting: tuple[Node, ...] = yield read(self.line, "first")
        if waiting:
            yield write(self.line, "first", waiting[1:])
            yield from self.lock.transfer(waiting[0])
