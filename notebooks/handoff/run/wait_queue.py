"""Those who wait for a machine, in the order in which they came: each has a file that it keeps
locked, so that one whose process is gone is no longer counted.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

SUFFIX = ".queue"
MODE = 0o1777
"""Every user may stand in the machine's queue, and remove only what is theirs."""


@contextlib.contextmanager
def stand_in_queue(file: Path) -> Iterator[Path]:
    """A place at the end of the queue for a lock's file, until the block ends."""
    folder = file.with_name(file.name + SUFFIX)
    with contextlib.suppress(FileExistsError):
        folder.mkdir()
        folder.chmod(MODE)
    place = folder / f"{time.time_ns():020}-{os.getpid()}"
    handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield place
    finally:
        place.unlink(missing_ok=True)
        os.close(handle)


def count_ahead(place: Path) -> int:
    """How many came earlier and still wait."""
    return sum(is_waiting(other) for other in place.parent.iterdir() if other.name < place.name)


def is_waiting(place: Path) -> bool:
    """Whether its process is alive; the file of one that was killed is removed."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        with contextlib.suppress(OSError):
            place.unlink()
        return False
    finally:
        os.close(handle)
