"""Notebooks that read, executed several at once in kernels forked from one process."""

import os
import signal
import subprocess
import sys

import nbformat
import pytest

from handoff.cli import notebook
from handoff.errors import Failure

from .test_hazards import write_notebook
from .test_process import eventually, left

WAIT = "import time\ntime.sleep(70.7)"
WIDTH = "import pandas as pd\nprint(pd.get_option('display.max_columns'))"


def execute(folder, **cells):
    """Execute notebooks of one cell each; return how many ended."""
    for name, cell in cells.items():
        write_notebook(folder / f"{name}.ipynb", cell)
    ended = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notebook, "source_path", lambda name: folder / f"{name}.ipynb")
        notebook.execute_reading(list(cells), folder / "run", lambda: ended.append(1))
    return len(ended)


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """Return what four notebooks printed, by name, and how many ended."""
    folder = tmp_path_factory.mktemp("four")
    file = str(folder / "marked")
    mark = f"from handoff import text\ntext.mark = 1\nopen({file!r}, 'w').close()"
    wait = f"import os, time\nwhile not os.path.exists({file!r}):\n    time.sleep(0.05)\n"
    look = "from handoff import text\nprint(hasattr(text, 'mark'))"
    ended = execute(folder, name="print(run_name)", marks=mark, looks=wait + look, wide=WIDTH)
    copies = folder / "run" / "generated" / "notebooks"
    outputs = {path.stem: nbformat.read(path, 4).cells[-1].outputs for path in copies.iterdir()}
    return {name: "".join(part.text for part in made) for name, made in outputs.items()}, ended


def run_python(code):
    """Return what Python prints that runs this code."""
    command, env = [sys.executable, "-c", code], notebook.kernel_environment()
    return subprocess.run(command, capture_output=True, text=True, env=env).stdout


def test_every_notebook_is_executed_and_counted_as_it_ends(executed):
    printed, ended = executed
    assert ended == len(printed) == 4 and printed["name"].endswith("/run\n")


def test_a_notebook_sees_nothing_of_another(executed):
    assert executed[0]["looks"] == "False\n"


def test_a_table_is_as_wide_as_in_a_kernel_of_its_own(executed):
    # What pandas asks for when it is imported.
    shell = "builtins.get_ipython = lambda: types.SimpleNamespace(kernel=1)"
    assert executed[0]["wide"] == run_python(f"import builtins, types\n{shell}\n{WIDTH}")


def test_the_process_that_is_forked_has_no_threads():
    load = "from handoff.cli import execute\nexecute.load_packages()"
    count = "import os\nprint(len(os.listdir('/proc/self/task')))"
    assert run_python(f"{load}\n{count}") == "1\n"


def test_when_a_notebook_fails_the_others_end(tmp_path):
    with pytest.raises(Failure, match=r"^the notebook fails failed: ValueError: on purpose; see "):
        execute(tmp_path, waits=WAIT, fails="raise ValueError('on purpose')", last="1")
    assert left(str(tmp_path)) == []


def test_a_process_of_notebooks_that_was_killed_is_a_failure(tmp_path):
    kill = (
        "import os, signal\nparent = open(f'/proc/{os.getppid()}/stat').read().split()\n"
        "os.kill(int(parent[3]), signal.SIGKILL)\n"
    )
    with pytest.raises(Failure, match=r"^the notebooks failed: "):
        execute(tmp_path, kills=kill + WAIT, last="1")
    assert eventually(lambda: not left(str(tmp_path)))


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
