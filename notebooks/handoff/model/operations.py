"""What a thread of the model can do: each is yielded by its program, and answered by the engine
when it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from typing import TYPE_CHECKING, Any

from handoff.model.lines import Line

if TYPE_CHECKING:
    from handoff.model.engine import Thread

Operation = tuple[Any, ...]
Program = Generator[Operation, Any, Any]


def compute(ps: int) -> Operation:
    """Works on what is its own."""
    return ("compute", ps)


def read(line: Line, field: Hashable) -> Operation:
    """Its value; the line is fetched where this core has no copy."""
    return ("read", line, field)


def write(line: Line, field: Hashable, value: Any) -> Operation:
    """Into the store buffer, which others see later."""
    return ("write", line, field, value)


def fence() -> Operation:
    """Waits until the store buffer is empty: what follows a volatile write."""
    return ("fence",)


def update(line: Line, field: Hashable, change: Callable[[Any], Any]) -> Operation:
    """In one step that nobody can divide; its result is the value before. `change` may return
    the value as it is.
    """
    return ("update", line, field, change)


def swap(line: Line, field: Hashable, old: Any, new: Any) -> Operation:
    """Compare and set; its result is the value before, which is `old` where it succeeded."""
    return update(line, field, lambda value: new if value is old or value == old else value)


def spin(
    line: Line, field: Hashable, enough: Callable[[Any], bool], naps: int = 0, most: int = 0
) -> Operation:
    """Looks until the value is enough, or for `most` ps where that is not 0. `naps`: between two
    looks, after the first few, the thread yields for so long.
    """
    return ("spin", line, field, enough, naps, most)


def park() -> Operation:
    """Sleeps until it is unparked, or not at all where it was already."""
    return ("park",)


def nap() -> Operation:
    """Parks for the shortest time there is."""
    return ("nap",)


def unpark(thread: Thread) -> Operation:
    """Wakes a thread, or gives it a permit."""
    return ("unpark", thread)
