"""One child process in a session of its own: waited for without polling, ended with all its descendants."""

import contextlib
import os
import select
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

GRACE_S = 5
MEDDLING = ("_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
"""Variables by which a JVM takes flags that nobody planned, some of them after ours."""


def run(command: Sequence[str], log: Path, limit_s: float) -> int | None:
    """Exit code of `command`, its output in `log`; None when `limit_s` ran out. However this ends, the session is gone."""
    with log.open("wb") as output:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True, env=clean_environment()
        )
    try:
        return wait(child, limit_s)
    finally:
        end(child)


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in MEDDLING}


def wait(child: subprocess.Popen, limit_s: float) -> int | None:
    """Sleeps in the kernel until the child ends: the machine is measuring, and a poll would disturb it."""
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


def end(child: subprocess.Popen) -> None:
    """Ends whatever is left of the child's process group, first politely."""
    for sig in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, sig)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(GRACE_S)
            if sig == signal.SIGTERM and not alive(child.pid):
                return


def alive(group: int) -> bool:
    """Whether any process of the group is left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, 0)
        return True
    return False
