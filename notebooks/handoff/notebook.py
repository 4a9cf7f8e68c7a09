"""Notebooks are executed here and nowhere else: by papermill, into the run's generated folder, never over the source."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat

from handoff.errors import BadInput, Failure
from handoff.paths import NOTEBOOKS, ROOT, generated, run_name, shown


def parameters(source: Path) -> set[str]:
    """The names that the notebook's cell tagged `parameters` sets; papermill only warns of others."""
    cells = nbformat.read(source, as_version=4).cells
    tagged = "\n".join(cell.source for cell in cells if "parameters" in cell.metadata.get("tags", []))
    return set(re.findall(r"^(\w+)\s*(?::[^=]+)?=", tagged, re.MULTILINE))


def execute(name: str, folder: Path, watch: Callable[[subprocess.Popen], int] = subprocess.Popen.wait) -> Path:
    """Executes one notebook for the run in `folder`; `watch` waits for it. Failure with the notebook's own error."""
    source = NOTEBOOKS / f"{name}.ipynb"
    if parameters(source) != {"run_name"}:
        raise Failure(f"{source.name} must have one parameter, run_name, and has {sorted(parameters(source))}.")
    output = generated(folder) / "notebooks" / source.name
    output.parent.mkdir(parents=True, exist_ok=True)
    words = ["--no-progress-bar", "--log-level", "ERROR", "--cwd", shown(NOTEBOOKS), "-r", "run_name", run_name(folder)]
    with (output.parent / f"{name}.log").open("w+") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "papermill", *words, shown(source), shown(output)],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True, env=environment(),
        )  # fmt: skip
        try:
            code = watch(child)
        finally:
            end(child)
        log.seek(0)
        said = log.read()
    (output.parent / f"{name}.log").unlink()
    mistake = re.match(r"(?:handoff\.errors\.)?BadInput: (.*)", last_words(said))
    if code != 0 and mistake:
        raise BadInput(mistake[1])
    if code != 0:
        raise Failure(f"the notebook {name} failed: {last_words(said)}; its copy up to there is {output}")
    return output


def end(child: subprocess.Popen) -> None:
    """Ends papermill, if it still runs; an interrupt makes it take its kernel along."""
    for sig in (signal.SIGINT, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            if child.poll() is None:
                os.killpg(child.pid, sig)
                child.wait(10)


def environment() -> dict[str, str]:
    """Kernels find our package, and the kernel of this Python before any that the user has installed."""
    return os.environ | {"PYTHONPATH": str(NOTEBOOKS), "JUPYTER_PREFER_ENV_PATH": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


def last_words(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return re.sub(r"\x1b\[[0-9;]*m", "", lines[-1]) if lines else "it said nothing"
