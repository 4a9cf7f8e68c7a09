"""Run a child process in a session of its own, and end it with all its descendants.

runner ──pipe──> guard of a folder
  └─> child (own session)
        └─> its descendants

The child writes its process group into the pipe before it becomes the command; the runner writes an
empty line when the group has ended. At the end of file, which also comes when the runner dies, the
guard kills the group, if it is still there, and removes the folder. Waiting does not poll.
"""

import contextlib
import os
import secrets
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from handoff.errors import Failure
from handoff.paths import ROOT

GRACE_S = 5
JVM_FLAG_VARIABLES = ("_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
"""Environment variables that add flags to a JVM, some of them after the planned ones."""

NO_GROUP = b"\n"
ANNOUNCE_COMMAND = 'echo $$ >&0; exec "$@" </dev/null'
GUARD = """trap '' HUP INT TERM
group=
while read -r line; do group=$line; done
[ -z "$group" ] || kill -s KILL -- "-$group"
rm -rf -- "$1"
"""


class SurvivingProcess(Failure):
    """A process that survived SIGKILL and would disturb every measurement."""


class Guarded(NamedTuple):
    """A folder for temporary files, and the pipe to its guard."""

    folder: Path
    pipe: int


@contextlib.contextmanager
def guard_folder(prefix: str, parent: Path | None = None) -> Iterator[Guarded]:
    """Make a temporary folder, which the guard removes at the end, however this process ends."""
    folder = Path(parent or tempfile.gettempdir(), f"{prefix}{secrets.token_hex(4)}")
    read_end, write_end = os.pipe()
    # Before the folder, so that there is none without a guard.
    guard = subprocess.Popen(
        ["sh", "-c", GUARD, "handoff-guard", str(folder)],
        stdin=read_end,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
    )
    os.close(read_end)
    try:
        folder.mkdir(0o700)
        yield Guarded(folder, write_end)
    finally:
        os.close(write_end)
        guard.wait()


def run_process(
    command: Sequence[str], guarded: Guarded, limit_s: float, env: dict[str, str] | None = None
) -> int | None:
    """Return the exit code of `command`, or None after `limit_s`; output goes to log.txt.

    The child's session has ended on return. If this process is killed, the guard ends the session.
    Raise SurvivingProcess if a process survives SIGKILL.
    """
    with (guarded.folder / "log.txt").open("wb") as log:
        # A flag may write a file to where the process runs.
        options = {"stdout": log, "stderr": log, "cwd": guarded.folder}
        with start_process(command, guarded, env=env or clean_environment(), **options) as child:
            return wait_for(child, limit_s)


@contextlib.contextmanager
def start_process(
    command: Sequence[str], guarded: Guarded, **options: Any
) -> Iterator[subprocess.Popen]:
    """Start `command`, with the options of Popen, and end it when the block ends."""
    child = subprocess.Popen(
        ["sh", "-c", ANNOUNCE_COMMAND, "sh", *map(str, command)],
        stdin=guarded.pipe,
        start_new_session=True,
        **options,
    )
    try:
        yield child
    finally:
        # If ending the child is interrupted, the guard still knows the group, and ends it.
        end_group(child)
        with contextlib.suppress(BrokenPipeError):
            os.write(guarded.pipe, NO_GROUP)


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in JVM_FLAG_VARIABLES}


def run_plainly(
    command: Sequence[str], limit_s: float, text: str = "", folder: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command that reads a text, without JVM flags in its environment; return its output."""
    return subprocess.run(
        command,
        input=text,
        capture_output=True,
        text=True,
        timeout=limit_s,
        env=clean_environment(),
        cwd=folder,
    )


def wait_for(child: subprocess.Popen, limit_s: float) -> int | None:
    """Wait in the kernel until the child ends, because polling would disturb the measurement."""
    try:
        pidfd = os.pidfd_open(child.pid)
    except OSError:
        # Kernels before 5.3 have no pidfd.
        with contextlib.suppress(subprocess.TimeoutExpired):
            return child.wait(limit_s)
        return None
    try:
        ended, _, _ = select.select([pidfd], [], [], limit_s)
        return child.wait() if ended else None
    finally:
        os.close(pidfd)


def end_group(child: subprocess.Popen) -> None:
    """End the rest of the child's group, with SIGTERM first; raise SurvivingProcess."""
    for sig, within_s in ((signal.SIGTERM, 0), (signal.SIGKILL, GRACE_S)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, sig)
        wait_for(child, GRACE_S)
        deadline = time.monotonic() + within_s
        while (alive := is_alive(child.pid)) and time.monotonic() < deadline:
            time.sleep(0.02)
        if not alive:
            return
    raise SurvivingProcess(
        f"process group {child.pid} survived SIGKILL: this machine cannot measure until it is gone."
    )


def is_alive(group: int) -> bool:
    """Check whether a process of the group runs; zombies do not count."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # After the name, which may hold brackets: state, parent, process group.
            words = stat.read_text(errors="replace").rpartition(")")[2].split()
            if int(words[2]) == group and words[0] not in "ZX":
                return True
    return False


def ask_git(*words: str) -> bytes | None:
    """Return git's output for this checkout, or None without git or a checkout."""
    command = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), *words]
    # A hook's variables, such as GIT_DIR, name another checkout.
    env = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    env["LC_ALL"] = "C"
    try:
        answer = subprocess.run(command, capture_output=True, timeout=60, env=env)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout if answer.returncode == 0 else None
