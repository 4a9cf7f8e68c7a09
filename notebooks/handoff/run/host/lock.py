"""One measurement at a time on a machine, wherever the results go: a lock that the kernel releases
when its holder dies.
"""

import contextlib
import fcntl
import json
import os
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from handoff.errors import Busy

FILE = Path(os.environ.get("HANDOFF_LOCK", "/tmp/handoff-measuring.lock"))
"""Not TMPDIR: every user and every checkout must meet at the same file. Another one is for tests,
which run while their checkout's lock is held.
"""

HOLDING_THREADS: set[tuple[int, Path]] = set()
"""The threads of this process that hold a lock's file: what one of them does under the lock may ask
for it again.
"""

TIMEOUT_S = 5
"""A runner that was killed needs a moment until its fork is gone."""

WAIT = "HANDOFF_WAIT"
"""The environment variable that makes this process, and those that it starts, queue for the lock.
"""

TOLD_EVERY_S = 60
POLL_S = 0.2

RUN_LOCK = "driver.lock"
"""In a run's folder."""


def queue_for_machine() -> None:
    """From now on this process, and those that it starts, wait for the lock."""
    os.environ[WAIT] = "1"


@contextlib.contextmanager
def hold_lock(
    what: str, patience_s: float | None = None, file: Path | None = None
) -> Iterator[None]:
    """Holds this machine's lock, or that of another `file`, with a note of what for.

    Busy, naming the holder, when another has it for longer than `patience_s`; where `WAIT` is set
    it queues instead, and says for whom.
    """
    file = file or FILE
    own = threading.get_ident(), file
    if own in HOLDING_THREADS:
        yield
        return
    handle = wait_for_lock(file, patience_s)
    HOLDING_THREADS.add(own)
    try:
        write_note(
            handle,
            {
                "pid": os.getpid(),
                "what": what,
                "since": datetime.now(UTC).isoformat(timespec="seconds"),
            },
        )
        yield
    finally:
        HOLDING_THREADS.discard(own)
        write_note(handle, {})
        # Processes that were forked meanwhile share the open file, which closing ours would leave
        # locked.
        fcntl.flock(handle, fcntl.LOCK_UN)
        os.close(handle)


def hold_run(folder: Path) -> contextlib.AbstractContextManager[None]:
    """Nobody else adds to this run meanwhile, on whichever machine; Busy when somebody does."""
    return hold_lock(f"adding to {folder.name}", file=folder / RUN_LOCK)


def wait_for_lock(file: Path, patience_s: float | None) -> int:
    """The locked file's descriptor, once nobody else holds it."""
    if os.environ.get(WAIT):
        # A run's own lock has no queue: who holds the machine's would wait behind who waits for it.
        with stand_in_queue(file) if file == FILE else contextlib.nullcontext() as place:
            return wait_patiently(file, place)
    refused = time.monotonic() + (TIMEOUT_S if patience_s is None else patience_s)
    while (handle := try_lock(file)) is None:
        if time.monotonic() >= refused:
            where = "on this machine" if file == FILE else "here"
            raise Busy(
                f"Another runner is active {where}: {describe_holder(file)}. --wait queues for it."
            )
        time.sleep(POLL_S)
    return handle


def wait_patiently(file: Path, place: Path | None) -> int:
    """The same, after those who came earlier; says for whom it waits, and at which place."""
    began, told = time.monotonic(), 0.0
    while True:
        ahead = count_ahead(place) if place else 0
        handle = None if ahead else try_lock(file)
        if handle is not None:
            return handle
        if time.monotonic() >= told:
            waited = (time.monotonic() - began) / 60
            where = f", place {ahead + 1} in the queue" if place else ""
            print(
                f"Waiting for {describe_holder(file)}: {waited:.0f} min so far{where}.", flush=True
            )
            told = time.monotonic() + TOLD_EVERY_S
        time.sleep(POLL_S)


def try_lock(file: Path) -> int | None:
    """The locked file's descriptor, or None when someone else holds it.

    A file that was removed meanwhile does not count.
    """
    handle = open_lock_file(file)
    with contextlib.suppress(BlockingIOError, FileNotFoundError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(handle).st_ino == file.stat().st_ino:
            return handle
    os.close(handle)
    return None


def open_lock_file(file: Path) -> int:
    """The file, open; made when it is not there, the machine's for all users.

    Some kernels refuse O_CREAT on another user's file in /tmp.
    """
    with contextlib.suppress(FileNotFoundError):
        return os.open(file, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    mode = 0o666 if file == FILE else 0o600
    with contextlib.suppress(FileExistsError):
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        os.fchmod(handle, mode)
        return handle
    return os.open(file, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)


def write_note(handle: int, content: dict) -> None:
    """Who holds it, for the others' sentence; a full disk makes that sentence poorer, no more."""
    with contextlib.suppress(OSError):
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(content).encode(), 0)


def describe_holder(file: Path) -> str:
    """'process 4711, measuring quick-1a2b3c4d, since 2026-11-21T12:00:03+00:00'."""
    try:
        text = json.loads(file.read_text())
        return (
            f"process {int(text['pid'])}, {str(text['what'])[:100]}, since"
            f" {str(text['since'])[:25]}"
        )
    except (OSError, ValueError, KeyError, TypeError):
        return "it has not said who it is"


QUEUE_SUFFIX = ".queue"
QUEUE_MODE = 0o1777
"""Every user may stand in the machine's queue, and remove only what is theirs."""


@contextlib.contextmanager
def stand_in_queue(file: Path) -> Iterator[Path]:
    """A place at the end of the queue for a lock's file, until the block ends."""
    folder = file.with_name(file.name + QUEUE_SUFFIX)
    with contextlib.suppress(FileExistsError):
        folder.mkdir()
        folder.chmod(QUEUE_MODE)
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
