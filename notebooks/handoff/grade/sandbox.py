"""Isolation of what students made: their code in a sandbox, each pack in a process of its own.

The sandbox is bubblewrap: no network, only Python's or Java's files, little time, memory and room,
few processes. Without it, students' code runs only for a teacher who trusts it.

As root, a control group limits memory and processes exactly. Otherwise memory, CPU time and the
number of processes of the whole tree are looked at ten times per second, and the kernel limits
the processes of the user; in between, a tree may exceed its memory for a tenth of a second.
"""

import multiprocessing
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from handoff.errors import BadInput
from handoff.grade.control import open_group
from handoff.labs.apart import (
    CHILD,
    Ended,
    Limits,
    NotRun,
    format_request,
    read_results,
    run_limited,
)

T = TypeVar("T")
CODE_LIMITS = Limits(processes=32)
JAVA_LIMITS = Limits(cpu_s=240, processes=32, output=10 * 2**20, wall_s=1200)
ROOM, SHARED_ROOM = 64 * 2**20, 2**20
"""Bytes in the sandbox's /tmp and /dev/shm."""

PACK_CPU_S, PACK_WALL_S, PACK_MEMORY = 120, 3600.0, 8 * 2**30
GRACE_S = 10
"""Seconds that a pack's process has to remove what it made."""

SPARE_S = 5
"""CPU seconds after which the kernel ends a process that is not looked at in time."""

THREADS = 256
"""Threads that a sandbox may start in addition to those of the user."""

STARTING = b"bwrap: "
"""Start of bubblewrap's own errors; a student's code that imitates one is not judged."""

FORK = multiprocessing.get_context("fork")
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache")
PYTHON = os.path.abspath(sys.executable)  # noqa: PTH100  (a link in a venv must stay one)


class Bubblewrap(NamedTuple):
    """The path of bubblewrap, or None; and why it cannot make a sandbox here, or ''."""

    program: str | None
    reason: str = ""


@cache
def find_bubblewrap() -> Bubblewrap:
    """Try bubblewrap, and return its path or, in its own words, why it does not work here."""
    program = shutil.which("bwrap")
    if program is None:
        return Bubblewrap(None, "bubblewrap is not installed (apt-get install bubblewrap)")
    command = [*build_prefix(program), PYTHON, "-I", "-c", "pass"]
    tried = subprocess.run(command, capture_output=True, text=True)
    if tried.returncode == 0:
        return Bubblewrap(program)
    words = " ".join((tried.stderr.strip() or f"exit code {tried.returncode}").split())
    remedy = f". {find_remedy()}" if FORBIDDEN.search(words) else ""
    return Bubblewrap(None, f"bubblewrap cannot make a sandbox here: {words}{remedy}")


FORBIDDEN = re.compile(r"not permitted|[Pp]ermission denied|namespace|uid map")
APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
CONTAINERS = (Path("/.dockerenv"), Path("/run/.containerenv"))
PROFILE = "profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }"


def find_remedy() -> str:
    """Return what usually lets bubblewrap make a namespace on such a machine."""
    if any(file.exists() for file in CONTAINERS):
        return (
            "In a container it needs namespaces: grade outside of it, or start it with"
            " --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
            " --security-opt systempaths=unconfined."
        )
    if APPARMOR.is_file() and APPARMOR.read_text().strip() == "1":
        return (
            "Ubuntu's AppArmor forbids it the namespace. Write the line"
            f" 'abi <abi/4.0>, include <tunables/global> {PROFILE}' to /etc/apparmor.d/bwrap, then"
            " run: sudo apparmor_parser -r /etc/apparmor.d/bwrap."
        )
    return "The kernel must allow user namespaces (sysctl user.max_user_namespaces)."


def build_prefix(program: str) -> list[str]:
    """Return the part of a command line that starts the sandbox."""
    base = Path(sys.executable).resolve().parents[1]
    python = {str(Path(PYTHON).parents[1]), sys.base_prefix, str(base)}
    bound = [word for path in (*SYSTEM, *sorted(python)) for word in ("--ro-bind-try", path, path)]
    return [
        program,
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        # Before what is bound, because a checkout may lie below /tmp.
        *("--size", str(ROOM), "--tmpfs", "/tmp"),
        *bound,
        *("--ro-bind", str(CHILD), "/child.py"),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", str(SHARED_ROOM), "--tmpfs", "/dev/shm"),
        *("--chdir", "/tmp", "--setenv", "OPENBLAS_NUM_THREADS", "1"),
    ]


def run_command(
    command: Sequence[str],
    data: bytes,
    limits: Limits,
    trust: bool,
    *,
    readable: Sequence[Path] = (),
    writable: Sequence[Path] = (),
) -> Ended:
    """Run a command on students' code with paths to read and to write, and an input.

    Raise NotRun without a sandbox unless trusted, and OverLimit for what used too much.
    """
    program, reason = find_bubblewrap()
    if program is None and not trust:
        raise NotRun(f"students' code runs only in a sandbox, or with --trust; {reason}")
    places = [word for path in readable for word in ("--ro-bind", str(path), str(path))]
    places += [word for path in writable for word in ("--bind", str(path), str(path))]
    inside = [*build_prefix(program), *places] if program else []
    with open_group(limits) as enter:
        # An upper estimate of the threads that this user has now, and those that it may start.
        threads = THREADS + count_threads()
        prepare = partial(limit_process, limits, threads, enter)
        ended = run_limited([*inside, *command], data, limits, prepare=prepare)
    if inside and ended.returncode and not ended.stdout and ended.stderr.startswith(STARTING):
        raise NotRun(f"bubblewrap could not start: {ended.stderr[:200].decode(errors='replace')}")
    return ended


def count_threads() -> int:
    """Count the threads of all processes; one that ends meanwhile may be missing."""
    threads = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            threads += sum(1 for _ in (process / "task").iterdir())
    return threads


def limit_process(limits: Limits, threads: int, enter: Callable[[], None]) -> None:
    """Limit a new process, which its descendants inherit, and put it into its control group."""
    enter()
    cpu = int(limits.cpu_s) + SPARE_S
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))
    if os.geteuid() != 0:
        # The kernel counts all processes of the user, and none of root.
        _, most = resource.getrlimit(resource.RLIMIT_NPROC)
        least = threads if most == resource.RLIM_INFINITY else min(threads, most)
        resource.setrlimit(resource.RLIMIT_NPROC, (least, most))


def run_code(trust: bool, code: str, file: str, calls: list[tuple[str, list]]) -> list[list[dict]]:
    """Return the results of calls, each a function's name and its cases; see `child`."""
    child = "/child.py" if find_bubblewrap().program else str(CHILD)
    command = [PYTHON, "-I", child]
    data = format_request(code, file, calls)
    return read_results(run_command(command, data, CODE_LIMITS, trust), calls)


def run_apart(work: Callable[..., T], *given: Any) -> T:
    """Call a function in a process of its own with little memory, and return its result.

    Raise BadInput if the function raises it, and NotRun if it takes too long, takes too much memory
    or breaks.
    """
    near, far = FORK.Pipe(duplex=False)
    child = FORK.Process(target=send_result, args=(far, work, given))
    child.start()
    far.close()
    try:
        if not near.poll(PACK_WALL_S):
            raise NotRun(f"it was not graded within {PACK_WALL_S / 60:g} minutes.")
        kind, result = near.recv()
    except (EOFError, OSError):
        raise NotRun(
            f"reading it took more than {PACK_CPU_S} s of CPU time or"
            f" {PACK_MEMORY / 2**30:g} GiB, or broke the grader."
        ) from None
    finally:
        child.terminate()
        child.join(GRACE_S)
        child.kill()
        child.join()
        near.close()
    if kind:
        raise kind(result)
    return result


def send_result(far: Connection, work: Callable[..., Any], given: tuple) -> None:
    """Send, from the child, the function's result or what is wrong."""
    # Ctrl-C in a terminal reaches the child too, but its parent reports it, and ends the child.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    for limit, soft in ((resource.RLIMIT_AS, PACK_MEMORY), (resource.RLIMIT_CPU, PACK_CPU_S)):
        # Soft, so that they can be lifted.
        resource.setrlimit(limit, (soft, resource.getrlimit(limit)[1]))
    try:
        far.send((None, work(*given)))
    except BadInput as refused:
        far.send((BadInput, str(refused)))
    except Exception as wrong:
        # A student's file can cause any error; the teacher must see it, and grade the other packs.
        far.send((NotRun, f"it could not be graded ({type(wrong).__name__}: {wrong})."))


@contextmanager
def lift_limits() -> Iterator[None]:
    """Lift the limits of a pack's process for work that no student can make longer."""
    limits = (resource.RLIMIT_AS, resource.RLIMIT_CPU)
    kept = {limit: resource.getrlimit(limit) for limit in limits}
    for limit, (_, hard) in kept.items():
        resource.setrlimit(limit, (hard, hard))
    try:
        yield
    finally:
        for limit, both in kept.items():
            resource.setrlimit(limit, both)
