"""Papermill in a separate process: `python -m handoff.cli.execute SOURCE OUTPUT NAME=VALUE ...`.

When the notebook raises an exception, the last line of the output is the exception's sentence, and
the exit code is the exception's code.
"""

import builtins
import sys
import tempfile
from pathlib import Path

import papermill
from papermill.exceptions import PapermillExecutionError
from traitlets.config import Config

from handoff import errors
from handoff.paths import NOTEBOOKS, display_path

LONGEST_FOLDER = 70
"""The path of a Unix socket has at most 107 bytes, of which Jupyter takes about 30."""


def main(source: str, output: str, *parameters: str) -> int:
    try:
        papermill.execute_notebook(
            source,
            output,
            dict(word.split("=", 1) for word in parameters),
            cwd=display_path(NOTEBOOKS),
            progress_bar=False,
            config=configure_transport(),
        )
    except PapermillExecutionError as failed:
        kind = find_error_class(failed.ename)
        print(failed.evalue if kind else f"{failed.ename}: {failed.evalue}")
        return kind.code if kind else errors.OUR_FAILURE
    except OSError as refused:
        print(f"{Path(output).name}: {refused.strerror}.")
        return errors.BAD_INPUT
    return errors.COMPLETE


def find_error_class(name: str) -> type[errors.HandoffError] | None:
    """Return the exception class of this package for a name; BadInput for a file system's error."""
    ours, known = getattr(errors, name, None), getattr(builtins, name, None)
    if isinstance(known, type) and issubclass(known, OSError):
        return errors.BadInput
    return ours if isinstance(ours, type) and issubclass(ours, errors.HandoffError) else None


def configure_transport() -> Config:
    """Return settings that let kernel and papermill talk through sockets in a private folder.

    Where the folder's name is too long for a socket, they use TCP.
    """
    config = Config()
    if len(tempfile.gettempdir()) <= LONGEST_FOLDER:
        config.KernelManager.transport = "ipc"
        # The default name may be relative; two notebooks at once would share the sockets.
        config.KernelManager.ip = str(Path(tempfile.gettempdir()) / "kernel")
    return config


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
