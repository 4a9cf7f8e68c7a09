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
from collections.abc import Callable
from pathlib import Path
from typing import Any

from handoff.errors import BAD_INPUT, BUSY, BadInput, Busy, Failure
from handoff.paths import NOTEBOOKS, ROOT, display_path, generated_folder, notebook_run_name
from handoff.run.host import process


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
    source = source_path(name)
    given = {"run_name": notebook_run_name(folder), **more}
    if read_parameters(source) != set(given):
        raise Failure(
            f"{source.name}: expected the parameters {sorted(given)}, got"
            f" {sorted(read_parameters(source))}."
        )
    output = generated_folder(folder) / "notebooks" / source.name
    output.parent.mkdir(parents=True, exist_ok=True)
    words = [
        display_path(source),
        display_path(output),
        *(f"{key}={value}" for key, value in given.items()),
    ]
    private = Path(tempfile.mkdtemp(prefix="handoff-nb-"))
    try:
        code = run_papermill([sys.executable, "-m", "handoff.cli.execute", *words], private, watch)
        sentence = find_last_line((private / "log.txt").read_text(errors="replace"))
    finally:
        shutil.rmtree(private, ignore_errors=True)
    if code != 0:
        text = f"the notebook {name} failed: {sentence}; see {display_path(output)}"
        raise {BAD_INPUT: BadInput(sentence), BUSY: Busy(sentence)}.get(code, Failure(text))
    return output


def run_papermill(
    command: list[str], private: Path, watch: Callable[[subprocess.Popen], int]
) -> int:
    """Run papermill, with its output in `private`/log.txt; return its exit code."""
    # Temporary files of papermill, its kernel and their forks disappear with this folder.
    env = kernel_environment() | {"JUPYTER_RUNTIME_DIR": str(private), "TMPDIR": str(private)}
    with (private / "log.txt").open("w") as log:
        options: dict[str, Any] = {
            "cwd": ROOT,
            "stdout": log,
            "stderr": subprocess.STDOUT,
            "env": env,
        }
        with process.guard_process(command, private, **options) as child:
            try:
                return watch(child)
            except BaseException:
                interrupt(child)
                raise


def interrupt(child: subprocess.Popen) -> None:
    """End papermill by an interrupt, upon which it also ends its kernel."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGINT)
    process.wait_for(child, 10)


def kernel_environment() -> dict[str, str]:
    """Return the environment in which kernels find this package and this Python's kernel."""
    return os.environ | {
        "PYTHONPATH": str(NOTEBOOKS),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def find_last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return re.sub(r"\x1b\[[0-9;]*m", "", lines[-1]) if lines else "no output"
