"""Allow one measurement at a time per machine; the kernel frees the lock of a dead holder."""

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
"""Not below TMPDIR: all users and checkouts share one file; only tests set another."""

HOLDING_THREADS: set[tuple[int, Path]] = set()
"""Threads of this process that hold a lock's file, so that a holder can enter its lock again."""

TIMEOUT_S = 5
"""Time for the fork of a killed runner to disappear."""

WAIT = "HANDOFF_WAIT"
"""Environment variable that makes this process and its children queue for the lock."""

POLL_S = 0.2


def queue_for_machine() -> None:
    """Make this process and its children wait for the lock from now on."""
    os.environ[WAIT] = "1"


@contextlib.contextmanager
def hold_lock(
    what: str, patience_s: float | None = None, file: Path | None = None
) -> Iterator[None]:
    """Hold this machine's lock, or the one in `file`, with a note that says what for.

    If another process holds it for longer than `patience_s`, raise Busy with its note, or queue
    where `WAIT` is set.
    """
    file = file or FILE
    holder = threading.get_ident(), file
    if holder in HOLDING_THREADS:
        yield
        return
    handle = wait_for_lock(file, TIMEOUT_S if patience_s is None else patience_s)
    HOLDING_THREADS.add(holder)
    since = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        write_note(handle, {"pid": os.getpid(), "what": what, "since": since})
        yield
    finally:
        HOLDING_THREADS.discard(holder)
        write_note(handle, {})
        # Child processes share the open file: closing it here would leave it locked.
        fcntl.flock(handle, fcntl.LOCK_UN)
        os.close(handle)


def hold_run(folder: Path) -> contextlib.AbstractContextManager[None]:
    """Keep other runners from adding to this run; raise Busy if one on any machine does so."""
    return hold_lock(f"adding to {folder.name}", file=folder / "driver.lock")


def wait_for_lock(file: Path, patience_s: float) -> int:
    """Return the descriptor of the locked file as soon as it is free."""
    handle, deadline = try_lock(file), time.monotonic() + patience_s
    if handle is None and os.environ.get(WAIT):
        print(f"Waiting for {describe_holder(file)} ...", flush=True)
        while handle is None:
            # The kernel keeps the waiters in their order.
            handle = try_lock(file, wait=True)
    while handle is None:
        if time.monotonic() >= deadline:
            where = "on this machine" if file == FILE else "here"
            raise Busy(
                f"Another runner is active {where}: {describe_holder(file)}. --wait queues for it."
            )
        time.sleep(POLL_S)
        handle = try_lock(file)
    return handle


def try_lock(file: Path, wait: bool = False) -> int | None:
    """Return the descriptor of the locked file, or None if another process holds it."""
    handle = open_lock_file(file)
    with contextlib.suppress(BlockingIOError, FileNotFoundError):
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        # A lock on a file that was removed meanwhile does not count.
        if os.fstat(handle).st_ino == file.stat().st_ino:
            return handle
    os.close(handle)
    return None


def open_lock_file(file: Path) -> int:
    """Open the file, creating it if needed; that of the machine is writable by every user."""
    # Some kernels refuse O_CREAT on another user's file in /tmp.
    with contextlib.suppress(FileNotFoundError):
        return os.open(file, os.O_RDWR | os.O_NOFOLLOW)
    mode = 0o666 if file == FILE else 0o600
    with contextlib.suppress(FileExistsError):
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
        os.fchmod(handle, mode)
        return handle
    return os.open(file, os.O_RDWR | os.O_NOFOLLOW)


def write_note(handle: int, content: dict) -> None:
    """Write who holds the lock, for other runners' messages; a full disk loses only the note."""
    with contextlib.suppress(OSError):
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(content).encode(), 0)


def describe_holder(file: Path) -> str:
    """Return 'process 4711, measuring quick-1a2b3c4d, since 2026-11-21T12:00:03+00:00'."""
    try:
        note = json.loads(file.read_text())
        what, since = str(note["what"])[:100], str(note["since"])[:25]
        return f"process {int(note['pid'])}, {what}, since {since}"
    except (OSError, ValueError, KeyError, TypeError):
        return "a process that left no note"
