"""The execution of notebooks by papermill, into the run's generated folder.

Papermill has a process of its own: `python -m handoff.cli.notebook SOURCE FOLDER PARAMETERS`.
"""

import builtins
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
from typing import TYPE_CHECKING

from handoff import errors
from handoff.errors import BAD_INPUT, BUSY, BadInput, Busy, Failure
from handoff.paths import NOTEBOOKS, ROOT, display_path, generated_folder, notebook_run_name
from handoff.run.fork import MIN_FREE_BYTES
from handoff.run.host import process

if TYPE_CHECKING:
    from traitlets.config import Config

LOG = "log.txt"
KERNEL = "python3"
KERNEL_LIMIT_S = 60
"""Time that a kernel gets to start."""

LONGEST_FOLDER = 70
"""The path of a Unix socket has at most 107 bytes, of which Jupyter takes about 30."""

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
    BadInput or Busy with the notebook's sentence. Papermill and its kernel end with this process.
    """
    source = source_path(name)
    copy = generated_folder(folder) / "notebooks" / source.name
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


@contextlib.contextmanager
def start_papermill(words: list[str]) -> Iterator[tuple[subprocess.Popen, Path]]:
    """Start papermill; yield its process, which ends with the block, and its log."""
    # Temporary files of papermill and its kernel, and the user's IPython set-up, stay outside.
    with process.guard_folder("handoff-nb-") as guarded:
        env = kernel_environment() | dict.fromkeys(
            ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "TMPDIR"), str(guarded.folder)
        )
        command = [sys.executable, "-m", "handoff.cli.notebook", *words]
        log = guarded.folder / LOG
        with (
            log.open("w") as output,
            process.start_process(
                command, guarded, stdout=output, stderr=output, cwd=ROOT, env=env
            ) as child,
        ):
            try:
                yield child, log
            except BaseException:
                interrupt(child)
                raise


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


def run_papermill(source: str, folder: str, parameters: str) -> int:
    """Execute a notebook into `folder`, in a kernel of this Python; return the exit code.

    When the notebook raises an exception, print its sentence and return its code.
    """
    # Only papermill's own process loads it, which takes a second.
    import papermill
    from papermill.exceptions import PapermillExecutionError

    notebook = Path(source)
    try:
        papermill.execute_notebook(
            notebook,
            Path(folder, notebook.name),
            json.loads(parameters),
            kernel_name=KERNEL,
            cwd=display_path(NOTEBOOKS),
            progress_bar=False,
            start_timeout=KERNEL_LIMIT_S,
            config=configure_transport(),
        )
    except PapermillExecutionError as failed:
        kind = find_error_class(failed.ename)
        print(failed.evalue if kind else f"{failed.ename}: {failed.evalue}")
        return kind.code if kind else errors.OUR_FAILURE
    except OSError as refused:
        print(f"{notebook.name}: {refused.strerror}.")
        return errors.BAD_INPUT
    except RuntimeError as dead:
        if shutil.disk_usage(tempfile.gettempdir()).free < MIN_FREE_BYTES:
            print(f"{tempfile.gettempdir()} is full: a kernel needs space for temporary files.")
            return errors.BAD_INPUT
        # The kernel did not start within the limit, or ended before the notebook did.
        print(f"the kernel {KERNEL} ({sys.executable} -m ipykernel_launcher): {dead}")
        return errors.OUR_FAILURE
    return errors.COMPLETE


def find_error_class(name: str) -> type[errors.HandoffError] | None:
    """Return the exception class of this package for a name; BadInput for a file system's error."""
    ours, known = getattr(errors, name, None), getattr(builtins, name, None)
    if isinstance(known, type) and issubclass(known, OSError):
        return errors.BadInput
    return ours if isinstance(ours, type) and issubclass(ours, errors.HandoffError) else None


def configure_transport() -> "Config":
    """Return settings that let kernel and papermill talk through sockets in a private folder.

    Two kernels that start at once may choose the same TCP port. Where the folder's name is too long
    for a socket, they use TCP.
    """
    from traitlets.config import Config

    if len(tempfile.gettempdir()) > LONGEST_FOLDER:
        return Config()
    # The default name may be relative to the notebook's folder.
    return Config(KernelManager={"transport": "ipc", "ip": f"{tempfile.gettempdir()}/kernel"})


if __name__ == "__main__":
    sys.exit(run_papermill(*sys.argv[1:]))
