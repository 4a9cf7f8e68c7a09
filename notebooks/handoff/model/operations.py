"""Operations of a simulated thread: its program yields them, and the engine sends the result."""

from collections.abc import Callable, Hashable
from typing import Any

from handoff.model.lines import Line
from handoff.model.thread import Operation, Thread


def compute(ps: int) -> Operation:
    """Work on data that no other thread uses."""
    return ("compute", ps)


def read(line: Line, field: Hashable) -> Operation:
    """Read a field; the core fetches the line if it has no copy. The result is the value."""
    return ("read", line, field)


def write(line: Line, field: Hashable, value: Any) -> Operation:
    """Write into the store buffer; other threads see the value later."""
    return ("write", line, field, value)


def fence() -> Operation:
    """Wait until the store buffer is empty, as after a volatile write."""
    return ("fence",)


def update(line: Line, field: Hashable, change: Callable[[Any], Any]) -> Operation:
    """Change a field atomically. The result is the value before."""
    return ("update", line, field, change)


def swap(line: Line, field: Hashable, old: Any, new: Any) -> Operation:
    """Compare and set. The result is the value before: `old` after a success."""
    return update(line, field, lambda value: new if value is old or value == old else value)


def spin(line: Line, field: Hashable, enough: Callable[[Any], bool], naps: int = 0) -> Operation:
    """Read a field until its value is enough.

    After the first reads the thread yields between two of them, for `naps` ps.
    """
    return ("spin", line, field, enough, naps)


def park() -> Operation:
    """Sleep until another thread unparks this one; return at once if it has a permit."""
    return ("park",)


def nap() -> Operation:
    """Park for the shortest time that the kernel allows."""
    return ("nap",)


def unpark(thread: Thread) -> Operation:
    """Wake a thread, or give it a permit if it is awake."""
    return ("unpark", thread)
