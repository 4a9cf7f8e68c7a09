"""Notebooks are executed here and nowhere else: by papermill, into the run's generated folder,
never over the source.
"""

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
    """The names that the notebook's cell tagged `parameters` sets; papermill only
    warns of others.
    """
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
    """Executes one notebook for the run in `folder`, with `more` parameters than `run_name`;
    `watch` waits for it.

    Failure, BadInput or Busy with the notebook's own sentence. When we are killed, papermill and
    its kernel end too.
    """
    source = source_path(name)
    given = {"run_name": notebook_run_name(folder), **more}
    if read_parameters(source) != set(given):
        raise Failure(
            f"{source.name} must have the parameters {sorted(given)}, and has"
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
        said = find_last_line((private / "log.txt").read_text(errors="replace"))
    finally:
        shutil.rmtree(private, ignore_errors=True)
    if code != 0:
        text = f"the notebook {name} failed: {said}; its copy up to there is {display_path(output)}"
        raise {BAD_INPUT: BadInput(said), BUSY: Busy(said)}.get(code, Failure(text))
    return output


def run_papermill(
    command: list[str], private: Path, watch: Callable[[subprocess.Popen], int]
) -> int:
    """The exit code of papermill, its output in `private`/log.txt."""
    # Whatever papermill, its kernel and their forks keep for a while is gone with this folder,
    # however they end.
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
    """An interrupt makes papermill take its kernel along."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGINT)
    process.wait_for(child, 10)


def kernel_environment() -> dict[str, str]:
    """Kernels find our package, and the kernel of this Python before any that the user has
    installed.
    """
    return os.environ | {
        "PYTHONPATH": str(NOTEBOOKS),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def find_last_line(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return re.sub(r"\x1b\[[0-9;]*m", "", lines[-1]) if lines else "it said nothing"
