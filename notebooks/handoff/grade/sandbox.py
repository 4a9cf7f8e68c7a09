"""Isolation of what students made: their code in a sandbox, each pack in a process of its own.

The sandbox is bubblewrap: no network, only Python's files, little time and memory. Without it,
students' code runs only for a teacher who trusts it.
"""

import json
import multiprocessing
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from handoff.errors import BadInput

T = TypeVar("T")
CPU_S, WALL_S, MEMORY = 20, 60, 4 * 2**30
PACK_LIMIT_S, PACK_MEMORY = 300.0, 8 * 2**30
FORK = multiprocessing.get_context("fork")
MOST_OUTPUT = 50 * 2**20
CHILD = Path(__file__).with_name("child.py")
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache")

NO_SANDBOX = (
    "students' code runs only under bubblewrap (Debian: apt-get install bubblewrap), or with"
    " --trust"
)
JAVA_CPU_S = 240


class NotRun(Exception):
    """Code that was not run or was stopped, with the reason."""


@cache
def find_bubblewrap() -> str | None:
    """Return bubblewrap's path; None if it is missing or may not make a sandbox here."""
    program = shutil.which("bwrap")
    if program is None:
        return None
    tried = subprocess.run(
        [*build_prefix(program), sys.executable, "-I", "-c", "pass"], capture_output=True
    )
    return program if tried.returncode == 0 else None


def build_prefix(program: str) -> list[str]:
    """Return the part of a command line that starts the sandbox."""
    python = {sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])}
    bound = [word for path in (*SYSTEM, *sorted(python)) for word in ("--ro-bind-try", path, path)]
    return [
        program,
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        *bound,
        *("--ro-bind", str(CHILD), "/child.py"),
        *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/tmp"),
        *("--setenv", "OPENBLAS_NUM_THREADS", "1"),
    ]


def run_command(
    command: Sequence[str],
    bound: Sequence[Path],
    limit_s: float,
    trust: bool,
    line: str,
    *,
    writable: Sequence[Path] = (),
) -> subprocess.CompletedProcess[str]:
    """Run a command on students' code with paths to read and to write, and a line of input.

    Raise NotRun without a sandbox unless trusted, and subprocess.TimeoutExpired.
    """
    program = find_bubblewrap()
    if program is None and not trust:
        raise NotRun(NO_SANDBOX)
    places = [word for path in bound for word in ("--ro-bind", str(path), str(path))]
    places += [word for path in writable for word in ("--bind", str(path), str(path))]
    inside = [*build_prefix(program), *places] if program else []
    return subprocess.run(
        [*inside, *command],
        input=f"{line}\n",
        capture_output=True,
        text=True,
        timeout=limit_s,
        preexec_fn=limit_java,
    )


def limit_java() -> None:
    """Limit CPU time only; a JVM reserves more memory than it uses, and its flags limit that."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (JAVA_CPU_S, JAVA_CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_code(code: str, file: str, calls: list[tuple[str, list]], trust: bool) -> list[list[dict]]:
    """Return the results of calls, each a function's name and its cases; see `child`.

    Raise NotRun without a sandbox unless trusted, and when the time limit is reached.
    """
    program = find_bubblewrap()
    if program is None and not trust:
        raise NotRun(NO_SANDBOX)
    inside = build_prefix(program) if program else []
    command = [*inside, sys.executable, "-I", "/child.py" if program else str(CHILD)]
    request = json.dumps({"code": code, "file": file, "calls": calls})
    try:
        ended = subprocess.run(
            command,
            input=request.encode(),
            capture_output=True,
            timeout=WALL_S,
            preexec_fn=partial(limit_process, bool(program)),
        )
    except subprocess.TimeoutExpired:
        raise NotRun(f"it did not end within {WALL_S} s") from None
    return read_results(ended, calls)


def limit_process(sandboxed: bool) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0) if sandboxed else (2**20, 2**20))


def read_results(ended: subprocess.CompletedProcess, calls: list) -> list[list[dict]]:
    """Parse the results; raise NotRun if they do not fit the calls."""
    lines = ended.stdout[-MOST_OUTPUT:].decode(errors="replace").splitlines()
    try:
        answers: Any = json.loads(lines[-1])
        whole = [len(results) for results in answers] == [len(cases) for _, cases in calls]
        whole = whole and all(isinstance(value, dict) for results in answers for value in results)
    except (ValueError, IndexError, TypeError, RecursionError):
        whole = False
    if not whole:
        how = "used up its time" if ended.returncode in (-24, 137, 152) else "ended without results"
        raise NotRun(f"it {how} (exit code {ended.returncode})")
    return answers


def run_apart(work: Callable[..., T], *given: Any) -> T:
    """Call a function in a process of its own with little memory, and return its result.

    Raise BadInput if the function raises it, takes too long, takes too much memory or breaks.
    """
    near, far = FORK.Pipe(duplex=False)
    child = FORK.Process(target=send_result, args=(far, work, given), daemon=False)
    child.start()
    far.close()
    try:
        if not near.poll(PACK_LIMIT_S):
            raise BadInput(f"it was not graded within {PACK_LIMIT_S:.0f} s.")
        kind, result = near.recv()
    except (EOFError, OSError):
        raise BadInput("it took more memory than there is, or broke the grader.") from None
    finally:
        child.kill()
        child.join()
        near.close()
    if kind is BadInput:
        raise BadInput(result)
    return result


def send_result(far: Connection, work: Callable[..., Any], given: tuple) -> None:
    """Send, from the child, the function's result or what is wrong."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    # Soft: a JVM that it starts may reserve more.
    resource.setrlimit(resource.RLIMIT_AS, (PACK_MEMORY, most))
    try:
        far.send((None, work(*given)))
    except BadInput as refused:
        far.send((BadInput, str(refused)))
    except Exception as wrong:
        # A student's file can cause any error; the teacher must see it, and grade the other packs.
        far.send((BadInput, f"it could not be graded ({type(wrong).__name__}: {wrong})."))
