"""The execution of notebooks by papermill, into the run's generated folder."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from handoff.errors import BAD_INPUT, BUSY, BadInput, Busy, Failure
from handoff.paths import NOTEBOOKS, ROOT, display_path, generated_folder, notebook_run_name
from handoff.run.host import process

LOG = "log.txt"

KERNELS = Path(sys.prefix, "share", "jupyter")
"""Folder with the kernel of this Python."""

FOREIGN = ("JUPYTER_", "IPYTHON", "PAPERMILL_")
"""Prefixes of variables by which a user's set-up would choose another kernel, or change ours."""


def read_parameters(source: Path) -> set[str]:
    """Return the names set by the cell tagged `parameters`; papermill only warns of others."""
    # nbformat would take a second to load.
    cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
    tagged = "\n".join(
        "".join(cell["source"])
        for cell in cells
        if "parameters" in cell["metadata"].get("tags", [])
    )
    return set(re.findall(r"^(\w+)\s*(?::[^=]+)?=", tagged, re.MULTILINE))


def source_path(name: str) -> Path:
    return NOTEBOOKS / f"{name}.ipynb"


def execute_notebook(
    name: str,
    folder: Path,
    watch: Callable[[subprocess.Popen], int] = subprocess.Popen.wait,
    **more: str,
) -> Path:
    """Execute a notebook for the run in `folder`; return the executed copy.

    `more` are parameters in addition to `run_name`; `watch` waits for papermill. Raise Failure,
    BadInput or Busy with the notebook's sentence. When this process is killed, papermill and its
    kernel end too.
    """
    source, copy = source_path(name), output_path(name, folder)
    given = {"run_name": notebook_run_name(folder), **more}
    if (known := read_parameters(source)) != set(given):
        raise Failure(
            f"{source.name}: expected the parameters {sorted(given)}, got {sorted(known)}."
        )
    copy.parent.mkdir(parents=True, exist_ok=True)
    words = [display_path(source), display_path(copy.parent), json.dumps(given)]
    with start_papermill(words) as (child, log):
        code = watch(child)
        sentence = find_last_line(log)
    if code == 0:
        return copy
    failure = Failure(f"the notebook {name} failed: {sentence}; see {display_path(copy)}")
    raise {BAD_INPUT: BadInput(sentence), BUSY: Busy(sentence)}.get(code, failure)


def execute_reading(
    names: list[str], folder: Path, ended_one: Callable[[], object]
) -> dict[str, Exception]:
    """Execute notebooks that only read, several at once; return the error of each that failed.

    Call `ended_one` as each one ends. When this process is stopped, all end.
    """
    stopped, children = threading.Event(), []

    def watch(child: subprocess.Popen) -> int:
        children.append(child)
        if stopped.is_set():
            interrupt(child)
        return child.wait()

    # One more than CPUs: a kernel that starts or ends mostly waits.
    failed: dict[str, Exception] = {}
    with ThreadPoolExecutor(len(os.sched_getaffinity(0)) + 1) as pool:
        futures = {pool.submit(execute_notebook, name, folder, watch): name for name in names}
        try:
            for future in as_completed(futures):
                if isinstance(error := future.exception(), Exception):
                    failed[futures[future]] = error
                ended_one()
        except BaseException:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for child in children:
                interrupt(child)
            raise
    return failed


def output_path(name: str, folder: Path) -> Path:
    return generated_folder(folder) / "notebooks" / source_path(name).name


@contextlib.contextmanager
def start_papermill(words: list[str]) -> Iterator[tuple[subprocess.Popen, Path]]:
    """Start papermill; yield its process, which ends with the block, and its log."""
    private = Path(tempfile.mkdtemp(prefix="handoff-nb-"))
    # Temporary files of papermill and its kernel, and the user's IPython set-up, stay outside.
    env = kernel_environment() | dict.fromkeys(
        ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "TMPDIR"), str(private)
    )
    command = [sys.executable, "-m", "handoff.cli.execute", *words]
    log = private / LOG
    try:
        with (
            log.open("w") as output,
            process.guard_process(
                command, private, stdout=output, stderr=output, cwd=ROOT, env=env
            ) as child,
        ):
            try:
                yield child, log
            except BaseException:
                interrupt(child)
                raise
    finally:
        shutil.rmtree(private, ignore_errors=True)


def interrupt(child: subprocess.Popen) -> None:
    """Interrupt papermill, which then ends its kernel, and wait for its end."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGINT)
    process.wait_for(child, 10)


def kernel_environment() -> dict[str, str]:
    """Return the environment in which kernels find this package and this Python's kernel."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    return kept | {
        "PYTHONPATH": str(NOTEBOOKS),
        # First in the search for kernels, before those of the user and of the system.
        "JUPYTER_PATH": str(KERNELS),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def find_last_line(log: Path) -> str:
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return re.sub(r"\x1b\[[0-9;]*m", "", lines[-1]) if lines else "no output"
