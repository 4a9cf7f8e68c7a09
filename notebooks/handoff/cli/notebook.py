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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from handoff.errors import BAD_INPUT, BUSY, BadInput, Busy, Failure
from handoff.paths import NOTEBOOKS, ROOT, display_path, generated_folder, notebook_run_name
from handoff.run.host import process

LOG = "log.txt"


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
    with start_papermill([name], folder, more) as (child, logs):
        if (code := watch(child)) != 0:
            raise make_error(name, code, logs / LOG, folder)
    return output_path(name, folder)


def execute_reading(names: list[str], folder: Path, ended_one: Callable[[], None]) -> None:
    """Execute notebooks that only read, several at once.

    Call `ended_one` as each one ends. When one fails, raise as `execute_notebook` does; then, or
    when this process is stopped, all end.
    """
    with start_papermill(names, folder, {}, stdout=subprocess.PIPE, text=True) as (child, logs):
        for line in child.stdout or ():
            name, _, code = line.strip().rpartition(" ")
            if code != "0":
                raise make_error(name, int(code), logs / f"{name}.txt", folder)
            ended_one()
        if child.wait() != 0:
            raise Failure(f"the notebooks failed: {find_last_line(logs / LOG)}")


def make_error(name: str, code: int, log: Path, folder: Path) -> Exception:
    """Return the exception for a notebook that failed, with its sentence."""
    sentence, copy = find_last_line(log), display_path(output_path(name, folder))
    failure = Failure(f"the notebook {name} failed: {sentence}; see {copy}")
    return {BAD_INPUT: BadInput(sentence), BUSY: Busy(sentence)}.get(code, failure)


def output_path(name: str, folder: Path) -> Path:
    return generated_folder(folder) / "notebooks" / source_path(name).name


@contextlib.contextmanager
def start_papermill(
    names: list[str], folder: Path, more: dict[str, str], **options: Any
) -> Iterator[tuple[subprocess.Popen, Path]]:
    """Start papermill; yield its process, which ends with the block, and the folder of its logs."""
    given = {"run_name": notebook_run_name(folder), **more}
    sources = [source_path(name) for name in names]
    for source in sources:
        if (known := read_parameters(source)) != set(given):
            raise Failure(
                f"{source.name}: expected the parameters {sorted(given)}, got {sorted(known)}."
            )
    output = generated_folder(folder) / "notebooks"
    output.mkdir(parents=True, exist_ok=True)
    words = [display_path(output), json.dumps(given), *map(display_path, sources)]
    command = [sys.executable, "-m", "handoff.cli.execute", *words]
    private = Path(tempfile.mkdtemp(prefix="handoff-nb-"))
    # Temporary files of papermill, its kernels and their forks disappear with this folder.
    env = kernel_environment() | {"JUPYTER_RUNTIME_DIR": str(private), "TMPDIR": str(private)}
    try:
        with (private / LOG).open("w") as log:
            options = {"stdout": log, "stderr": log, "cwd": ROOT, "env": env} | options
            with process.guard_process(command, private, **options) as child:
                try:
                    yield child, private
                except BaseException:
                    # Upon an interrupt, papermill also ends its kernels.
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(child.pid, signal.SIGINT)
                    process.wait_for(child, 10)
                    raise
    finally:
        shutil.rmtree(private, ignore_errors=True)


def kernel_environment() -> dict[str, str]:
    """Return the environment in which kernels find this package and this Python's kernel."""
    return os.environ | {
        "PYTHONPATH": str(NOTEBOOKS),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def find_last_line(log: Path) -> str:
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return re.sub(r"\x1b\[[0-9;]*m", "", lines[-1]) if lines else "no output"
