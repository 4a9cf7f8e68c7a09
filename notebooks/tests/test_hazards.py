"""Known faults of JMH and papermill: wrong results with exit code 0, or processes left behind.

Letters at the end of a name stand for the fault. `java` is real unless the name says otherwise.
"""

import contextlib
import ctypes
import os
import platform
import signal
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import nbformat
import pytest

from handoff import paths
from handoff.cli import notebook
from handoff.errors import BadInput, Busy, Failure
from handoff.run import planning
from handoff.run.java import command
from handoff.run.java.command import HINTS, JMH_FLAGS, write_inputs
from handoff.run.plan.selection import select_sweep
from handoff.run.plan.settings import Jvm

from .test_process import eventually, left, measure


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


def test_a_benchmark_that_throws_fails_with_its_own_message(java, monkeypatch):
    flags = command.plan_flags(Jvm(heap="64m"), point(java), java.feature)
    for module in ("fork", "java.command"):
        monkeypatch.setattr(f"handoff.run.{module}.plan_flags", lambda jvm, point, feature: flags)
    outcome = measure(java, point(java, collector="G1"), 60)
    assert outcome.state == "failed" and "exit code 1" in outcome.wrong
    assert "IllegalStateException: collector=G1: this JVM runs" in outcome.wrong


@pytest.mark.parametrize(
    ("end", "wrong"),
    [
        ("kill -KILL $$", "exit code -9"),
        ("kill -TERM $$", "exit code -15"),
        ("exit 0", "its result is not readable ("),
    ],
)
def test_an_empty_result_of_a_killed_jmh_is_not_counted_C_F(fake_java, golden_point, end, wrong):
    outcome = measure(fake_java(f': > "$rff"; {end}'), golden_point)
    assert outcome.state == "failed" and wrong in outcome.wrong


def test_two_jmhs_at_once_do_not_disturb_each_other_D(java):
    """A single shot has a text as its error (E)."""
    one = point(java)
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda _: measure(java, one, 180), range(2)))
    assert [outcome.wrong for outcome in outcomes] == ["", ""]
    assert outcomes[0].content["jmh"]["primaryMetric"]["scoreError"] == "NaN"
    assert len(outcomes[0].content["evidence"]["shots"]) == 1


def test_a_measuring_jvm_past_its_limit_is_timed_out_and_killed_I(java):
    endless = point(java, events=2_000_000_000)
    outcome = measure(java, endless, 4, heap="279m")
    assert outcome.state == "timed-out" and "# Fork: N/A" in outcome.log
    assert left("-Xmx279m") == []


def permits_counting() -> bool:
    """Return whether the kernel opens a counter of page faults for this process."""
    attribute = struct.pack("<IIQ", 1, 128, 2).ljust(40, b"\0") + struct.pack("<Q", 3 << 5)
    number = {"x86_64": 298, "aarch64": 241}[platform.machine()]
    return ctypes.CDLL(None).syscall(number, attribute.ljust(128, b"\0"), 0, -1, -1, 0) >= 0


def test_a_fork_counts_the_named_event_of_its_threads(java, monkeypatch):
    """Page faults stand for lines from another socket's cache, which few machines count."""
    option = "-Dhandoff.remote.hits=1:2"
    monkeypatch.setattr(command, "list_counter_flags", lambda: [option])
    outcome = measure(java, point(java, mechanism="ARRAY_BLOCKING_QUEUE"), 60)
    (shot,) = outcome.content["evidence"]["shots"]
    assert ("remote_hits" in (shot["measures"] or {})) == permits_counting()


@pytest.fixture
def execute_cell(fake_run, monkeypatch, tmp_path):
    """Return a function that executes a notebook of one cell for a fake run."""
    monkeypatch.setattr(notebook, "source_path", lambda name: tmp_path / f"{name}.ipynb")
    folder = fake_run(folder=tmp_path / "run").folder

    def execute(cell, **more):
        write_notebook(tmp_path / "cell.ipynb", cell)
        return notebook.execute_notebook("cell", folder, **more)

    return execute


def write_notebook(path, cell):
    """Write a notebook of one cell, with the parameter `run_name`."""
    made = nbformat.v4.new_notebook()
    made.cells = [
        nbformat.v4.new_code_cell('run_name: str = "x"', metadata={"tags": ["parameters"]}),
        nbformat.v4.new_code_cell(cell),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made.metadata["kernelspec"] = kernel
    nbformat.write(made, path)


def test_a_parameter_that_the_notebook_does_not_have_is_refused_P1(execute_cell):
    wrong = r"expected the parameters \['repz', 'run_name'\], got \['run_name'\]"
    with pytest.raises(Failure, match=wrong):
        execute_cell("1", repz="9")


@pytest.mark.parametrize(
    ("cell", "kind", "sentence"),
    [
        ("open('/nowhere/a')", BadInput, r"^\[Errno 2\] No such file or directory: '/nowhere/a'$"),
        ("from handoff import errors\nraise errors.Busy('someone')", Busy, "^someone$"),
        ("import os\nos._exit(3)", Failure, "the notebook cell failed: .*Kernel died"),
    ],
)
def test_a_failing_cell_ends_the_command_P3(execute_cell, cell, kind, sentence):
    with pytest.raises(kind, match=sentence):
        execute_cell(cell)


CONNECTION = """import ipykernel, json, os
file = ipykernel.get_connection_file()
print(json.load(open(file))["transport"], oct(os.stat(os.path.dirname(file)).st_mode))"""


def test_the_kernel_is_not_on_the_network_P4(execute_cell, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", "/tmp")
    copy = nbformat.read(execute_cell(CONNECTION), as_version=4)
    transport, mode = copy.cells[-1].outputs[0].text.split()
    assert transport == "ipc" and mode.endswith("700")
