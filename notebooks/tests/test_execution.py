"""Notebooks that read, executed several at once by papermill, each in a process of its own."""

import json
import os
import signal
import subprocess
import sys

import nbformat
import pytest

from handoff.cli import notebook
from handoff.errors import BadInput, Busy, Failure

from .test_process import eventually, left

WAIT = "import time\ntime.sleep(70.7)"


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


def execute(folder, **cells):
    """Execute notebooks of one cell each; return how many ended, and the error of each failed."""
    for name, cell in cells.items():
        write_notebook(folder / f"{name}.ipynb", cell)
    ended = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notebook, "source_path", lambda name: folder / f"{name}.ipynb")
        failed = notebook.execute_reading(list(cells), folder / "run", lambda: ended.append(1))
    return len(ended), failed


def read_output(folder, name):
    copy = nbformat.read(folder / "run" / "generated" / "notebooks" / f"{name}.ipynb", 4)
    return "".join(part.text for part in copy.cells[-1].outputs)


def test_when_notebooks_fail_the_others_are_executed_and_each_failure_is_named(tmp_path):
    ended, failed = execute(
        tmp_path,
        fails="raise ValueError('on purpose')",
        wrong="from handoff import errors\nraise errors.BadInput('own.yml: no.')",
        busy="from handoff import errors\nraise errors.Busy('someone')",
        file="open('/nowhere/a')",
        dies="import os\nos._exit(3)",
        # Its papermill is killed, and its kernel waits.
        kills=f"import os\nos.kill(os.getppid(), 9)\n{WAIT}",
        name="print(run_name)",
    )
    assert ended == 7 and read_output(tmp_path, "name").endswith("/run\n")
    expected = {
        "fails": (Failure, "the notebook fails failed: ValueError: on purpose; see "),
        "wrong": (BadInput, "own.yml: no."),
        "busy": (Busy, "someone"),
        "file": (BadInput, "[Errno 2] No such file or directory: '/nowhere/a'"),
        "dies": (Failure, "Kernel died"),
        "kills": (Failure, ""),
    }
    assert failed.keys() == expected.keys()
    for name, (kind, words) in expected.items():
        assert type(failed[name]) is kind and words in str(failed[name]), name
    assert eventually(lambda: not left(str(tmp_path)))


def test_a_parameter_that_the_notebook_does_not_have_is_refused(tmp_path, monkeypatch):
    """Papermill would only warn of it."""
    monkeypatch.setattr(notebook, "source_path", lambda name: tmp_path / f"{name}.ipynb")
    write_notebook(tmp_path / "cell.ipynb", "1")
    wrong = r"expected the parameters \['repz', 'run_name'\], got \['run_name'\]"
    with pytest.raises(Failure, match=wrong):
        notebook.execute_notebook("cell", tmp_path / "run", repz="9")


CONNECTION = """import ipykernel, json, os
file = ipykernel.get_connection_file()
print(json.load(open(file))["transport"], oct(os.stat(os.path.dirname(file)).st_mode))"""


def test_the_kernel_is_not_on_the_network(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", "/tmp")
    assert execute(tmp_path, cell=CONNECTION) == (1, {})
    transport, mode = read_output(tmp_path, "cell").split()
    assert transport == "ipc" and mode.endswith("700")


COMMAND = """
import sys
from pathlib import Path
from handoff.cli import notebook
folder = Path(sys.argv[1])
notebook.source_path = lambda name: folder / f"{name}.ipynb"
notebook.execute_reading(["waits", "too", "last"], folder / "run", print)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_nothing_outlives_a_command_that_was_stopped(tmp_path, number):
    started = [tmp_path / "waits.started", tmp_path / "too.started"]
    for name in ("waits", "too", "last"):
        start = f"open({str(tmp_path / name)!r} + '.started', 'w').close()\n"
        write_notebook(tmp_path / f"{name}.ipynb", start + WAIT)
    command = [sys.executable, "-c", COMMAND, str(tmp_path)]
    with subprocess.Popen(
        command, env=notebook.kernel_environment(), stderr=subprocess.DEVNULL
    ) as child:
        assert eventually(lambda: all(file.exists() for file in started), 60)
        os.kill(child.pid, number)
    assert eventually(lambda: not left(str(tmp_path)))


BROKEN = {"argv": ["/usr/bin/false"], "display_name": "broken", "language": "python"}


def write_kernel(folder, name="python3"):
    place = folder / "kernels" / name
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(json.dumps(BROKEN))


def test_the_kernel_is_this_python_with_none_of_the_users_set_up(tmp_path, monkeypatch):
    write_kernel(tmp_path / ".local" / "share" / "jupyter")
    write_kernel(tmp_path)
    startup = tmp_path / ".ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("mark = 1\n")
    for variable in ("JUPYTER_PATH", "JUPYTER_DATA_DIR", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / ".ipython"))
    monkeypatch.setenv("JUPYTER_DEFAULT_PROVISIONER_NAME", "none-such")
    cell = "import sys\nprint(sys.executable, 'mark' in globals())"
    assert execute(tmp_path, name=cell) == (1, {})
    assert read_output(tmp_path, "name") == f"{sys.executable} False\n"


def test_a_kernel_that_does_not_start_is_named(tmp_path, monkeypatch):
    write_kernel(tmp_path / "share" / "jupyter")
    monkeypatch.setattr(notebook, "KERNELS", tmp_path / "share" / "jupyter")
    _, failed = execute(tmp_path, name="1")
    assert "the kernel python3" in str(failed["name"]) and "Kernel died" in str(failed["name"])


def test_no_notebook_takes_the_report_with_it(small, call, monkeypatch, tmp_path):
    broken = ("05_warmup", "10_scaling", "30_latency", "80_sweep", "90_claims")
    write_notebook(tmp_path / "broken.ipynb", "raise IndexError('on purpose')")
    sources = dict.fromkeys(broken, tmp_path / "broken.ipynb")
    find = notebook.source_path
    monkeypatch.setattr(notebook, "source_path", lambda name: sources.get(name) or find(name))
    ended = call(small.folder, "figures", "paper")
    assert ended.returncode == 1
    for name in broken:
        assert f"The notebook {name} failed: IndexError: on purpose; see " in ended.stderr
    made = ("verdicts.csv", "numbers.json", "sweep.json", "handoff.pdf", "sweep.pdf")
    assert all((small.folder / "generated" / file).is_file() for file in made)
    assert (small.folder / "generated" / "figures" / "counters.svg").is_file()
