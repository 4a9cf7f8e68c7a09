"""One child process in a session of its own: waited for without polling, ended with all its
descendants, however we end.

runner ──pipe──> guard
  └─> child (own session)
        └─> its descendants

The child writes its process group into the pipe before it becomes the command. End of file without
a last word means that the runner died: the guard kills the group.
"""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from handoff.errors import Failure

GRACE_S = 5
JVM_FLAG_VARIABLES = ("_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
"""Variables by which a JVM takes flags that nobody planned, some of them after ours."""

LAST_WORD = b"over\n"

ANNOUNCE_COMMAND = 'echo $$ >&0; exec "$@" </dev/null'
GUARD = """trap '' HUP INT TERM
group=
while read -r line; do
  case $line in over) exit 0 ;; [0-9]*) group=$line ;; esac
done
[ -z "$group" ] || kill -s KILL -- "-$group"
rm -rf -- "$1"
"""


class SurvivingProcess(Failure):
    """A process that cannot be ended, and would disturb whatever is measured beside it."""


def run_process(
    command: Sequence[str], folder: Path, limit_s: float, env: dict[str, str] | None = None
) -> int | None:
    """Exit code of `command`, its output in `folder`/log.txt; None when `limit_s` ran out.

    However this ends, the session is gone.

    When we are killed, the guard ends the session and removes `folder`. Failure when a process
    survives even that it is killed.
    """
    options: dict[str, Any] = {"stderr": subprocess.STDOUT, "env": env or clean_environment()}
    with (
        (folder / "log.txt").open("wb") as output,
        guard_process(command, folder, stdout=output, **options) as child,
    ):
        return wait_for(child, limit_s)


@contextlib.contextmanager
def guard_process(
    command: Sequence[str], folder: Path, **options: Any
) -> Iterator[subprocess.Popen]:
    """The running child of `command`, with flags for JVMs taken out of its environment; ended when
    the block ends.
    """
    options = {"env": clean_environment(), **options}
    read_end, write_end = os.pipe()
    guard = subprocess.Popen(
        ["sh", "-c", GUARD, "handoff-guard", str(folder)],
        stdin=read_end,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
    )
    os.close(read_end)
    child = None
    try:
        child = subprocess.Popen(
            ["sh", "-c", ANNOUNCE_COMMAND, "sh", *map(str, command)],
            stdin=write_end,
            start_new_session=True,
            **options,
        )
        yield child
    finally:
        try:
            if child:
                end_group(child)
            with contextlib.suppress(BrokenPipeError):
                os.write(write_end, LAST_WORD)
        finally:
            # Without the last word, when ending the child was itself interrupted, the guard ends
            # it.
            os.close(write_end)
            guard.wait()


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in JVM_FLAG_VARIABLES}


def wait_for(child: subprocess.Popen, limit_s: float) -> int | None:
    """Sleeps in the kernel until the child ends: the machine is measuring, and a poll would disturb
    it.
    """
    try:
        pidfd = os.pidfd_open(child.pid)
    except OSError:
        return wait_polling(child, limit_s)
    try:
        ended, _, _ = select.select([pidfd], [], [], limit_s)
        return child.wait() if ended else None
    finally:
        os.close(pidfd)


def wait_polling(child: subprocess.Popen, limit_s: float) -> int | None:
    """The same on kernels before 5.3, which know no pidfd."""
    try:
        return child.wait(limit_s)
    except subprocess.TimeoutExpired:
        return None


def end_group(child: subprocess.Popen) -> None:
    """Ends whatever is left of the child's process group, first politely.

    SurvivingProcess when something is left even then.
    """
    for sig in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, sig)
        wait_for(child, GRACE_S)
        if wait_until_gone(child.pid, GRACE_S if sig == signal.SIGKILL else 0):
            return
    raise SurvivingProcess(
        f"process group {child.pid} survived SIGKILL: this machine is not fit to measure until it"
        " is gone."
    )


def wait_until_gone(group: int, within_s: float) -> bool:
    """Whether no process of the group is left, now or before the time is over."""
    deadline = time.monotonic() + within_s
    while is_alive(group):
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.02)
    return True


def is_alive(group: int) -> bool:
    """Whether any process of the group is left; the dead that nobody has waited
    for do not count.
    """
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return any(state not in "ZX" for state in read_states(group))


def read_states(group: int) -> list[str]:
    """The kernel's letter for each process of the group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # After the name, which may hold brackets: state, parent, process group.
            words = stat.read_text(errors="replace").rpartition(")")[2].split()
            if int(words[2]) == group:
                found.append(words[0])
    return found
