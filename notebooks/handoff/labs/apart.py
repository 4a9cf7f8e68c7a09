"""Students' code in a process of its own, with limits on time, memory, output and processes."""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

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


class Use(NamedTuple):
    """What a process and its descendants use: their number, resident bytes and CPU seconds."""

    processes: int
    memory: int
    cpu_s: float


class Ended(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


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
            outputs = exchange(child, data, limits)
            return Ended(child.wait(limits.wall_s), *outputs)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            child.kill()


def exchange(child: subprocess.Popen, data: bytes, limits: Limits) -> tuple[bytes, bytes]:
    """Write the input and read both outputs until the process ends, within the limits."""
    read: dict[Any, bytearray] = {child.stdout: bytearray(), child.stderr: bytearray()}
    end, looked = time.monotonic() + limits.wall_s, 0.0
    with selectors.DefaultSelector() as selector:
        for stream in read:
            selector.register(stream, selectors.EVENT_READ)
        assert child.stdin
        os.set_blocking(child.stdin.fileno(), False)
        selector.register(child.stdin, selectors.EVENT_WRITE)
        reading = len(read)
        while reading:
            for key, _ in selector.select(LOOK_S):
                if key.fileobj is child.stdin:
                    data = feed(child, selector, data)
                elif chunk := os.read(key.fd, 2**16):
                    read[key.fileobj] += chunk
                else:
                    selector.unregister(key.fileobj)
                    reading -= 1
            if sum(map(len, read.values())) > limits.output:
                raise OverLimit(f"it printed more than {limits.output / 2**20:g} MiB")
            now = time.monotonic()
            if now > end:
                raise NotRun(f"it did not end within {limits.wall_s:g} s of the clock")
            if now - looked > LOOK_S:
                require_within(measure_tree(child.pid), limits)
                looked = time.monotonic()
    return bytes(read[child.stdout]), bytes(read[child.stderr])


def feed(child: subprocess.Popen, selector: selectors.BaseSelector, data: bytes) -> bytes:
    """Write a part of the input, and return the rest; a process that ended needs none."""
    assert child.stdin
    try:
        data = data[os.write(child.stdin.fileno(), data[: 2**16]) :]
    except BrokenPipeError:
        data = b""
    if not data:
        selector.unregister(child.stdin)
        child.stdin.close()
    return data


def require_within(use: Use, limits: Limits) -> None:
    """Raise OverLimit for the first limit that a tree of processes exceeds."""
    if use.processes > limits.processes:
        raise OverLimit(f"it started more than {limits.processes} processes")
    if use.memory > limits.memory:
        raise OverLimit(f"it used more than {limits.memory / 2**30:g} GiB of memory")
    if use.cpu_s > limits.cpu_s:
        raise OverLimit(f"it used more than {limits.cpu_s:g} s of CPU time")


def measure_tree(root: int) -> Use:
    """Return what a process and its descendants use; all zero where the system has no /proc."""
    children: dict[int, list[int]] = {}
    uses: dict[int, tuple[int, float]] = {}
    for pid, parent, memory, cpu in list_processes():
        children.setdefault(parent, []).append(pid)
        uses[pid] = memory, cpu
    waiting, tree = [root], set[int]()
    while waiting:
        pid = waiting.pop()
        tree.add(pid)
        waiting += [child for child in children.get(pid, []) if child not in tree]
    used = [uses[pid] for pid in tree if pid in uses]
    return Use(len(tree), sum(memory for memory, _ in used), sum(cpu for _, cpu in used))


def list_processes() -> Iterator[tuple[int, int, int, float]]:
    """Yield number, parent, resident bytes and CPU seconds, with those of its ended children."""
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            # The name of a process is in brackets, and may contain any character.
            words = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
            cpu = sum(map(int, words[11:15])) / ticks
            yield int(entry.name), int(words[1]), int(words[21]) * page, cpu


def run_functions(code: str, file: str, calls: list[tuple[str, list]]) -> list[list[dict]]:
    """Return the results of calls in a process of its own, without a sandbox; see `child`."""
    command = [sys.executable, "-I", str(CHILD)]
    ended = run_limited(command, format_request(code, file, calls), Limits())
    return read_results(ended, calls)


def format_request(code: str, file: str, calls: list[tuple[str, list]]) -> bytes:
    return json.dumps({"code": code, "file": file, "calls": calls}).encode()


def read_results(ended: Ended, calls: list) -> list[list[dict]]:
    """Parse the results; raise OverLimit if they do not fit the calls."""
    lines = ended.stdout.decode(errors="replace").splitlines()
    try:
        answers: Any = json.loads(lines[-1])
        whole = [len(results) for results in answers] == [len(cases) for _, cases in calls]
        whole = whole and all(isinstance(value, dict) for results in answers for value in results)
    except (ValueError, IndexError, TypeError, RecursionError):
        whole = False
    if not whole:
        killed = ended.returncode in KILLED
        why = "the limit of memory or CPU time ended it" if killed else "it ended without results"
        raise OverLimit(f"{why} (exit code {ended.returncode})")
    return answers
