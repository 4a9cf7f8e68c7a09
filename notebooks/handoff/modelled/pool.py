"""Many simulations on all cores that this process may use, with the time left."""

import os
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from typing import TypeVar

from rich.progress import track

Task = TypeVar("Task")
Row = TypeVar("Row")


def compute_all(
    compute: Callable[[Task], Row], tasks: Sequence[Task], told: str, chunk: int = 1
) -> list[Row]:
    """One row a task, in their order; `told` stands before the bar."""
    with get_context("spawn").Pool(len(os.sched_getaffinity(0))) as pool:
        return list(track(pool.imap(compute, tasks, chunk), told, total=len(tasks)))
