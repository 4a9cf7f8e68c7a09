"""Students' code runs under bubblewrap: no network, no files but Python's, little time and memory.
Where there is none, it runs only for a teacher who trusts it.
"""

import json
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

CPU_S, WALL_S, MEMORY = 20, 60, 4 * 2**30
MOST_OUTPUT = 50 * 2**20
CHILD = Path(__file__).with_name("child.py")
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache")


NO_SANDBOX = (
    "students' code runs only under bubblewrap (Debian: apt-get install bubblewrap), or with"
    " --trust"
)
JAVA_CPU_S = 240


class NotRun(Exception):
    """Code that was not run, or did not end by itself, and why."""


@cache
def find_bubblewrap() -> str | None:
    """The program, when it can make a sandbox here; in some containers it may not."""
    program = shutil.which("bwrap")
    if program is None:
        return None
    tried = subprocess.run(
        [*build_prefix(program), sys.executable, "-I", "-c", "pass"], capture_output=True
    )
    return program if tried.returncode == 0 else None


def build_prefix(program: str) -> list[str]:
    """The words that stand before the command inside."""
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
    """A command that runs or reads students' code, with these files and folders to read, those to
    write, and a line of input. NotRun without a sandbox and without trust;
    subprocess.TimeoutExpired.
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
    """A JVM reserves more memory than it takes: its own flags hold that."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (JAVA_CPU_S, JAVA_CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_code(code: str, file: str, calls: list[tuple[str, list]], trust: bool) -> list[list[dict]]:
    """For each call, a function's name and its cases, the results: see `child`.

    NotRun without a sandbox and without trust, and when the time is over.
    """
    program = find_bubblewrap()
    if program is None and not trust:
        raise NotRun(NO_SANDBOX)
    inside = build_prefix(program) if program else []
    command = [*inside, sys.executable, "-I", "/child.py" if program else str(CHILD)]
    asked = json.dumps({"code": code, "file": file, "calls": calls})
    try:
        ended = subprocess.run(
            command,
            input=asked.encode(),
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
    """NotRun when what came back is not what was asked for."""
    lines = ended.stdout[-MOST_OUTPUT:].decode(errors="replace").splitlines()
    try:
        found: Any = json.loads(lines[-1])
        whole = [len(results) for results in found] == [len(cases) for _, cases in calls]
        whole = whole and all(isinstance(each, dict) for own in found for each in own)
    except (ValueError, IndexError, TypeError, RecursionError):
        whole = False
    if not whole:
        how = "used up its time" if ended.returncode in (-24, 137, 152) else "ended without results"
        raise NotRun(f"it {how} (exit code {ended.returncode})")
    return found
