"""Students' code in a process of its own, with limits on time, memory, output and processes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple

CHILD = Path(__file__).with_name("child.py")
LOOK_S = 0.1
KILLED = (-9, -24, 137, 152)


class NotRun(Exception):
    """Code that could not be judged here: no sandbox, or the wall clock ran out."""


class OverLimit(Exception):
    """Code that was ended because it used too much, with the reason."""


class Limits(NamedTuple):
    """Limits of a process and all that it starts.

    `cpu_s` is CPU time, so that a busy machine costs no student anything; `wall_s` only ends what
    waits for ever.
    """

    cpu_s: float = 20
    memory: int = 2 * 2**30
    processes: int = 64
    output: int = 50 * 2**20
    wall_s: float = 300


class Process(NamedTuple):
    """A process: its parent, resident bytes, and CPU seconds with those of its ended children."""

    parent: int
    memory: int
    cpu_s: float


Ended = subprocess.CompletedProcess[bytes]


def run_limited(
    command: Sequence[str],
    data: bytes,
    limits: Limits,
    *,
    prepare: Callable[[], None] | None = None,
) -> Ended:
    """Run a command and return what it wrote; its tree is watched ten times per second.

    Raise OverLimit for what the command used too much of, NotRun if the wall clock ran out.
    """
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=prepare,
        start_new_session=True,
    ) as child:
        try:
            outputs = watch(child, data, limits)
            return Ended(command, child.returncode, *outputs)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)


def watch(child: subprocess.Popen, data: bytes, limits: Limits) -> tuple[bytes, bytes]:
    """Return both outputs of a process that ends within its limits.

    The input is a pipe, so that no code can read again what was read before it was loaded. A thread
    writes it: communicate() forgets the rest of its input when it times out.
    """
    pipe, child.stdin = child.stdin, None
    Thread(target=feed, args=(pipe, data), daemon=True).start()
    end = time.monotonic() + limits.wall_s
    while True:
        try:
            outputs = child.communicate(timeout=LOOK_S)
        except subprocess.TimeoutExpired as waiting:
            outputs = (waiting.output or b"", waiting.stderr or b"")
        if sum(map(len, outputs)) > limits.output:
            raise OverLimit(f"it printed more than {limits.output / 2**20:g} MiB")
        if child.returncode is not None:
            return outputs
        require_within(list_tree(child.pid), limits)
        if time.monotonic() > end:
            raise NotRun(f"it did not end within {limits.wall_s:g} s of the clock")
        # What a process leaves behind may hold its outputs open: after its end, one more look.
        child.poll()


def feed(pipe: IO[bytes], data: bytes) -> None:
    with suppress(BrokenPipeError), pipe:
        pipe.write(data)


def require_within(tree: Sequence[Process], limits: Limits) -> None:
    """Raise OverLimit for the first limit that a tree of processes exceeds."""
    if len(tree) > limits.processes:
        raise OverLimit(f"it started more than {limits.processes} processes")
    if sum(process.memory for process in tree) > limits.memory:
        raise OverLimit(f"it used more than {limits.memory / 2**30:g} GiB of memory")
    if sum(process.cpu_s for process in tree) > limits.cpu_s:
        raise OverLimit(f"it used more than {limits.cpu_s:g} s of CPU time")


def list_tree(root: int) -> list[Process]:
    """List a process and its descendants; none where the system has no /proc."""
    processes = read_processes()
    tree, children = set[int](), {root}
    while children:
        tree |= children
        children = {pid for pid, process in processes.items() if process.parent in tree} - tree
    return [processes[pid] for pid in tree & processes.keys()]


def read_processes() -> dict[int, Process]:
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    processes = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            # The name of a process is in brackets, and may contain any character.
            words = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
            cpu_s = sum(map(int, words[11:15])) / ticks
            processes[int(entry.name)] = Process(int(words[1]), int(words[21]) * page, cpu_s)
    return processes


def run_functions(code: str, file: str, calls: list[tuple[str, list]]) -> list[list[dict]]:
    """Return the results of calls in a process of its own, without a sandbox; see `child`."""
    command = [sys.executable, "-I", str(CHILD)]
    ended = run_limited(command, format_request(code, file, calls), Limits())
    return read_results(ended, calls)


def format_request(code: str, file: str, calls: list[tuple[str, list]]) -> bytes:
    return json.dumps({"code": code, "file": file, "calls": calls}).encode()


def read_results(ended: Ended, calls: list) -> list[list[dict]]:
    """Parse the results; raise OverLimit if they do not fit the calls."""
    with suppress(ValueError, IndexError, TypeError, RecursionError):
        answers = json.loads(ended.stdout.decode(errors="replace").splitlines()[-1])
        numbers = [len(results) for results in answers]
        plain = all(isinstance(value, dict) for results in answers for value in results)
        if plain and numbers == [len(cases) for _, cases in calls]:
            return answers
    killed = ended.returncode in KILLED
    why = "the limit of memory or CPU time ended it" if killed else "it ended without results"
    raise OverLimit(f"{why} (exit code {ended.returncode})")
