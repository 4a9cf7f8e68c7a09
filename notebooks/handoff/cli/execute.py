"""Papermill in a process of its own: `python -m handoff.cli.execute SOURCE FOLDER PARAMETERS`.

It executes a notebook into FOLDER, with PARAMETERS as a JSON object. When the notebook raises an
exception, the last line of the output is the exception's sentence, and the exit code its code.
"""

import builtins
import json
import shutil
import sys
import tempfile
from pathlib import Path

import papermill
from papermill.exceptions import PapermillExecutionError
from traitlets.config import Config

from handoff import errors
from handoff.paths import NOTEBOOKS, display_path
from handoff.run.fork import MIN_FREE_BYTES

KERNEL = "python3"
KERNEL_LIMIT_S = 60
"""Time that a kernel gets to start."""

LONGEST_FOLDER = 70
"""The path of a Unix socket has at most 107 bytes, of which Jupyter takes about 30."""


def main(source: str, folder: str, parameters: str) -> int:
    """Execute a notebook in a kernel of this Python; return the exit code."""
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


def configure_transport() -> Config:
    """Return settings that let kernel and papermill talk through sockets in a private folder.

    Two kernels that start at once may choose the same TCP port. Where the folder's name is too long
    for a socket, they use TCP.
    """
    config = Config()
    if len(tempfile.gettempdir()) <= LONGEST_FOLDER:
        config.KernelManager.transport = "ipc"
        # The default name may be relative to the notebook's folder.
        config.KernelManager.ip = str(Path(tempfile.gettempdir()) / "kernel")
    return config


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
