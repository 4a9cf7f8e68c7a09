"""`python -m handoff.cli.execute SOURCE OUTPUT NAME=VALUE ...`: papermill in a process of its own,
ended by what the notebook raised.

The last line of its output is that exception's sentence, and its exit code that exception's code.
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
"""A Unix socket's path has 107 bytes at most, of which Jupyter takes some 30."""


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
    """What kind of ending an exception of this name is: ours by its name, a file system's refusal
    is a person's to mend.
    """
    ours, known = getattr(errors, name, None), getattr(builtins, name, None)
    if isinstance(known, type) and issubclass(known, OSError):
        return errors.BadInput
    return ours if isinstance(ours, type) and issubclass(ours, errors.HandoffError) else None


def configure_transport() -> Config:
    """Kernel and papermill talk through sockets in a folder of ours, which no other user can reach,
    where its name is short enough.
    """
    config = Config()
    if len(tempfile.gettempdir()) <= LONGEST_FOLDER:
        config.KernelManager.transport = "ipc"
        # By itself the sockets' name may be relative, and two notebooks at once would share them.
        config.KernelManager.ip = str(Path(tempfile.gettempdir()) / "kernel")
    return config


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
