"""A lock and its conditions as the JDK of the paper's time has them: a word, and a list of those
who wait. From the description in Doug Lea's paper, "The java.util.concurrent synchronizer
framework".

Whoever finds the word 0 takes it, whether others wait or not. Who does not, becomes the last of the
list, tells the one before to wake it, and parks; it is woken when that one gives the lock back, and
must then find the word 0 like anybody else.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from handoff.model.engine import Thread
from handoff.model.lines import Line
from handoff.model.operations import Operation, fence, park, read, spin, swap, unpark, write

Steps = Generator[Operation, Any, Any]

WAKE_ME, ON_CONDITION = -1, -2


class Node:
    """One thread's place in a list; its line is its own."""

    def __init__(self, thread: Thread | None, status: int = 0) -> None:
        core = thread.core if thread else None
        self.thread = thread
        self.line = Line(f"node {thread.name if thread else 0}", core, status=status, next=None)
        self.before: Node | None = None


class Lock:
    """`spins` ps: how long a thread that was woken, and is the first of the list, looks at most
    before it parks again: 0 in old JDKs.
    """

    def __init__(self, spins: int = 0) -> None:
        first = Node(None)
        self.line = Line("lock", None, state=0, head=first, tail=first)
        self.spins = spins

    def acquire(self, thread: Thread) -> Steps:
        if not (yield from self.try_acquire()):
            node = Node(thread)
            yield from self.append(node)
            yield from self.acquire_queued(thread, node)

    def try_acquire(self) -> Steps:
        if (yield read(self.line, "state")) != 0:
            return False
        return (yield swap(self.line, "state", 0, 1)) == 0

    def append(self, node: Node) -> Steps:
        """Its place is the last; returns the node before it."""
        while True:
            last: Node = yield read(self.line, "tail")
            node.before = last
            if (yield swap(self.line, "tail", last, node)) is last:
                yield write(last.line, "next", node)
                return last

    def acquire_queued(self, thread: Thread, node: Node) -> Steps:
        woken = False
        while True:
            before = node.before
            assert before is not None
            if (yield read(self.line, "head")) is before:
                if (yield from self.try_acquire()):
                    yield write(self.line, "head", node)
                    yield fence()
                    return
                if woken and self.spins:
                    yield spin(self.line, "state", lambda state: state == 0, most=self.spins)
                    woken = False
                    continue
            if (yield read(before.line, "status")) == WAKE_ME:
                yield park()
                woken = True
            else:
                yield swap(before.line, "status", 0, WAKE_ME)

    def release(self) -> Steps:
        yield write(self.line, "state", 0)
        yield fence()
        first: Node = yield read(self.line, "head")
        if (yield read(first.line, "status")) == WAKE_ME:
            yield swap(first.line, "status", WAKE_ME, 0)
            following = yield from self.find_next(first)
            if following is not None and following.thread is not None:
                yield unpark(following.thread)

    def find_next(self, first: Node) -> Steps:
        """The node after the first: where that is not written yet, from the end of the list."""
        following: Node | None = yield read(first.line, "next")
        if following is None:
            node: Node | None = yield read(self.line, "tail")
            while node is not None and node is not first:
                following, node = node, node.before
        return following


class Condition:
    """Threads that wait until somebody says that it is worth looking; only who has the lock
    touches its list.
    """

    def __init__(self, lock: Lock, name: str) -> None:
        self.lock = lock
        self.line = Line(name, None, first=())

    def wait(self, thread: Thread) -> Steps:
        """Gives the lock back, sleeps, and has it again."""
        node = Node(thread, ON_CONDITION)
        waiting: tuple[Node, ...] = yield read(self.line, "first")
        yield write(self.line, "first", (*waiting, node))
        yield from self.lock.release()
        while (yield read(node.line, "status")) == ON_CONDITION:
            yield park()
        yield from self.lock.acquire_queued(thread, node)

    def signal(self) -> Steps:
        """The first of those who wait becomes the last of those who want the lock; it is woken
        when the lock is given back to it.
        """
        waiting: tuple[Node, ...] = yield read(self.line, "first")
        if not waiting:
            return
        node = waiting[0]
        yield write(self.line, "first", waiting[1:])
        before = yield from self.lock.append(node)
        yield swap(node.line, "status", ON_CONDITION, 0)
        yield swap(before.line, "status", 0, WAKE_ME)
