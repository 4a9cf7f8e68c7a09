"""Known faults of JMH: wrong results with exit code 0, or processes left behind.

Letters at the end of a name stand for the fault. `java` is real unless the name says otherwise.
"""

import contextlib
import ctypes
import os
import platform
import signal
import struct
import subprocess
from functools import cache
from pathlib import Path

import pytest

from handoff import paths
from handoff.run import fork, planning
from handoff.run.java import command
from handoff.run.java.command import HINTS, JMH_FLAGS, write_inputs
from handoff.run.plan.selection import select_sweep
from handoff.run.plan.settings import Jvm

from .test_process import eventually


def measure(java, point):
    identity = {"fork": 0, "again": 0, "block": 0, "order": 0, "machine": "test", "setup": "test"}
    return fork.measure_fork(java, fork.Job(Jvm(heap="256m"), point, identity, limit_s=180))


@cache
def point(java, shots=1, **params):
    """Return a real point of this machine, tiny by default."""
    values = {"mechanism": "SEQUENTIAL", "events": 1000, "shots": shots, "warmup": 0} | params
    chosen = select_sweep(
        "smoke", ["scaling"], [f"{name}={value}" for name, value in values.items()]
    )
    return planning.plan_points(chosen, java)[0]


def test_our_jvm_has_the_options_and_hints_that_jmh_gives_its_forks(java, tmp_path):
    """Compare with a JVM that JMH itself forks, except for options that name folders."""
    here = f"-Djava.io.tmpdir={tmp_path}"
    forked = [java.java, "-Xmx64m", here, "-jar", paths.JAR, "scaling", "-p", "events=400000000"]
    forked += ["-f", "1", "-i", "1", "-jvmArgs", f"{here} -XX:+UseParallelGC"]
    host = subprocess.Popen(forked, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        assert eventually(lambda: list_forks(host.pid))
        (hints,) = tmp_path.glob("*compilecommand")
        write_inputs(java.jar, point(java), tmp_path)
        assert hints.read_text() == (tmp_path / HINTS).read_text()
        words = list_forks(host.pid)[0].split("\0")
    finally:
        os.killpg(host.pid, signal.SIGKILL)
        host.wait()
    given = {word for word in words if word.startswith("-") and "/" not in word}
    assert given == {*JMH_FLAGS, "-XX:+UseParallelGC", "-cp"}


def list_forks(host: int) -> list[str]:
    """Return the command lines of JMH's forks, once they run Java."""
    commands = []
    for task in Path(f"/proc/{host}/task").iterdir():
        # A thread, or a child such as a probe, may end meanwhile.
        with contextlib.suppress(OSError):
            for child in (task / "children").read_text().split():
                commands.append(Path(f"/proc/{child}/cmdline").read_text())
    return [command for command in commands if "ForkedMain" in command]


@pytest.mark.parametrize(
    ("end", "wrong"),
    [("kill -KILL $$", "exit code -9"), ("exit 0", "its result is not readable (")],
)
def test_an_empty_result_of_a_killed_jmh_is_not_counted_C_F(fake_java, golden_point, end, wrong):
    outcome = measure(fake_java(f': > "$rff"; {end}'), golden_point)
    assert outcome.state == "failed" and wrong in outcome.wrong


def permits_counting() -> bool:
    """Return whether the kernel opens a counter of page faults for this process."""
    attribute = struct.pack("<IIQ", 1, 128, 2).ljust(40, b"\0") + struct.pack("<Q", 3 << 5)
    number = {"x86_64": 298, "aarch64": 241}[platform.machine()]
    return ctypes.CDLL(None).syscall(number, attribute.ljust(128, b"\0"), 0, -1, -1, 0) >= 0


def test_a_fork_counts_the_named_event_of_its_threads(java, monkeypatch):
    """Page faults stand for lines from another socket's cache, which few machines count."""
    option = "-Dhandoff.remote.hits=1:2"
    monkeypatch.setattr(command, "list_counter_flags", lambda: [option])
    outcome = measure(java, point(java, mechanism="ARRAY_BLOCKING_QUEUE"))
    (shot,) = outcome.content["evidence"]["shots"]
    assert ("remote_hits" in (shot["measures"] or {})) == permits_counting()
