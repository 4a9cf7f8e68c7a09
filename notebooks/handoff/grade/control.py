"""A control group for one sandbox: as root, exact limits of its memory and its processes."""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from handoff.labs.apart import Limits

ROOT = Path("/sys/fs/cgroup")
THREADS_PER_PROCESS = 8
"""A control group counts threads, of which a JVM has dozens."""

PATIENCE_S = 5.0


@contextmanager
def open_group(limits: Limits, root: Path = ROOT) -> Iterator[Callable[[], None]]:
    """Yield a function by which a new process enters the group; it does nothing without one.

    What is left of the group's processes is killed at the end.
    """
    folders = make_folders(limits, root) if os.geteuid() == 0 else []

    def enter() -> None:
        for folder in folders:
            (folder / "cgroup.procs").write_text(str(os.getpid()))

    try:
        yield enter
    finally:
        for folder in folders:
            remove(folder)


def make_folders(limits: Limits, root: Path) -> list[Path]:
    """Make the group's folders, of either version of control groups; [] where that fails."""
    name = f"handoff-{secrets.token_hex(4)}"
    number, memory = str(THREADS_PER_PROCESS * limits.processes), str(limits.memory)
    unified = (root / "cgroup.controllers").is_file()
    places = {
        root / name if unified else root / "pids" / name: {"pids.max": number},
        root / name if unified else root / "memory" / name: (
            {"pids.max": number, "memory.max": memory}
            if unified
            else {"memory.limit_in_bytes": memory}
        ),
    }
    made: list[Path] = []
    try:
        for folder, settings in places.items():
            folder.mkdir()
            made.append(folder)
            for setting, value in settings.items():
                (folder / setting).write_text(value)
            forbid_swap(folder, memory)
    except OSError:
        for folder in made:
            remove(folder)
        return []
    return made


def forbid_swap(folder: Path, memory: str) -> None:
    """Keep a group that reaches its memory from swapping instead, where the kernel has swap."""
    for name, value in (("memory.swap.max", "0"), ("memory.memsw.limit_in_bytes", memory)):
        if (folder / name).is_file():
            (folder / name).write_text(value)


def remove(folder: Path) -> None:
    """Kill what is left in a group, and remove its folder."""
    end = time.monotonic() + PATIENCE_S
    while folder.is_dir() and time.monotonic() < end:
        with suppress(OSError, ValueError):
            for word in (folder / "cgroup.procs").read_text().split():
                os.kill(int(word), 9)
        with suppress(OSError):
            folder.rmdir()
            return
        time.sleep(0.02)
