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

OPTIONAL = ("memory.swap.max", "memory.memsw.limit_in_bytes")
"""Settings that keep a group from swapping, in kernels with swap."""

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


def list_settings(limits: Limits, root: Path) -> dict[Path, str]:
    """Return the files of a new group, of either version of control groups, and their values."""
    name = f"handoff-{secrets.token_hex(4)}"
    threads, memory = str(THREADS_PER_PROCESS * limits.processes), str(limits.memory)
    if (root / "cgroup.controllers").is_file():
        values = {"pids.max": threads, "memory.max": memory, "memory.swap.max": "0"}
        return {root / name / setting: value for setting, value in values.items()}
    return {
        root / "pids" / name / "pids.max": threads,
        # The second setting of memory must follow the first.
        root / "memory" / name / "memory.limit_in_bytes": memory,
        root / "memory" / name / "memory.memsw.limit_in_bytes": memory,
    }


def make_folders(limits: Limits, root: Path) -> list[Path]:
    """Make the group's folders; return [] where that fails."""
    settings = list_settings(limits, root)
    folders = list(dict.fromkeys(file.parent for file in settings))
    try:
        for folder in folders:
            folder.mkdir()
        for file, value in settings.items():
            if file.name not in OPTIONAL or file.is_file():
                file.write_text(value)
    except OSError:
        for folder in folders:
            remove(folder)
        return []
    return folders


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
