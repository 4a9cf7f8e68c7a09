"""Papermill in a separate process: `python -m handoff.cli.execute FOLDER PARAMETERS SOURCE ...`.

It executes a notebook into FOLDER, with PARAMETERS as a JSON object. When the notebook raises an
exception, the last line of the output is the exception's sentence, and the exit code its code.

Several notebooks are executed by a process each, forked when what they import is loaded. Their
output is in TMPDIR/NAME.txt; a line `NAME CODE` says that one ended. The kernel is forked too,
before papermill has threads, sockets or an event loop, and waits for the command line with which
papermill starts it.
"""

import builtins
import json
import os
import sys
import tempfile
from importlib.metadata import EntryPoint
from multiprocessing import Pipe, connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any, NoReturn

import papermill
from ipykernel.kernelapp import IPKernelApp
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner
from papermill.exceptions import PapermillExecutionError
from traitlets.config import Config

from handoff import errors
from handoff.paths import NOTEBOOKS, display_path

LONGEST_FOLDER = 70
"""The path of a Unix socket has at most 107 bytes, of which Jupyter takes about 30."""


def main(folder: str, parameters: str, *sources: str) -> int:
    if len(sources) == 1:
        return execute(Path(sources[0]), Path(folder), json.loads(parameters))
    load_packages()
    # One more than CPUs: a kernel that starts or ends mostly waits.
    workers = len(os.sched_getaffinity(0)) + 1
    left = [Path(source) for source in sources]
    running: list[ForkProcess] = []
    while left or running:
        while left and len(running) < workers:
            words = (left.pop(0), Path(folder), json.loads(parameters))
            running.append(ForkProcess(name=words[0].stem, target=execute_and_exit, args=words))
            running[-1].start()
        connection.wait([process.sentinel for process in running])
        for process in [process for process in running if process.exitcode is not None]:
            print(process.name, process.exitcode, flush=True)
            running.remove(process)
    return errors.COMPLETE


def load_packages() -> None:
    """Load what the notebooks that read import, which takes two seconds."""
    # A fork of a process with threads may hang.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    import pandas as pd

    import handoff.report.swept  # noqa: F401

    # What pandas takes when it is first imported by a kernel.
    pd.set_option("display.max_columns", 20)


def execute_and_exit(source: Path, folder: Path, parameters: dict[str, str]) -> NoReturn:
    with (Path(tempfile.gettempdir()) / f"{source.stem}.txt").open("w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    sys.exit(execute(source, folder, parameters))


def execute(source: Path, folder: Path, parameters: dict[str, str]) -> int:
    """Execute a notebook in a kernel of its own; return the exit code."""
    fork_kernel()
    try:
        papermill.execute_notebook(
            source,
            folder / source.name,
            parameters,
            cwd=display_path(NOTEBOOKS),
            progress_bar=False,
            config=configure_transport(source.stem),
        )
    except PapermillExecutionError as failed:
        kind = find_error_class(failed.ename)
        print(failed.evalue if kind else f"{failed.ename}: {failed.evalue}")
        return kind.code if kind else errors.OUR_FAILURE
    except OSError as refused:
        print(f"{source.name}: {refused.strerror}.")
        return errors.BAD_INPUT
    return errors.COMPLETE


def find_error_class(name: str) -> type[errors.HandoffError] | None:
    """Return the exception class of this package for a name; BadInput for a file system's error."""
    ours, known = getattr(errors, name, None), getattr(builtins, name, None)
    if isinstance(known, type) and issubclass(known, OSError):
        return errors.BadInput
    return ours if isinstance(ours, type) and issubclass(ours, errors.HandoffError) else None


def configure_transport(name: str) -> Config:
    """Return settings that let kernel and papermill talk through sockets in a private folder.

    Where the folder's name is too long for a socket, they use TCP.
    """
    config = Config()
    if len(tempfile.gettempdir()) <= LONGEST_FOLDER:
        config.KernelManager.transport = "ipc"
        # The default name may be relative; two notebooks at once would share the sockets.
        config.KernelManager.ip = str(Path(tempfile.gettempdir()) / name)
    return config


class ForkedKernel(ForkProcess):
    """A kernel, with what jupyter_client uses of Popen."""

    stdin = stdout = stderr = None

    def __init__(self) -> None:
        super().__init__()
        self.read_end, self.write_end = Pipe(duplex=False)
        self.start()
        self.read_end.close()
        assert self.pid
        # A kernel is interrupted and ended as a group.
        os.setpgid(self.pid, self.pid)

    def run(self) -> None:
        """Run the kernel when its command line arrives; it ends when its parent does."""
        parent = os.getppid()
        self.write_end.close()
        words, folder = self.read_end.recv()
        os.chdir(folder)
        app = IPKernelApp.instance(parent_handle=parent)
        app.initialize(words)
        if app.shell and "matplotlib.pyplot" in sys.modules:
            # Imported by the parent, it does not know that a kernel shows its figures.
            app.shell.enable_matplotlib("inline")
        app.start()

    def poll(self) -> int | None:
        return self.exitcode

    wait = poll


class ForkedProvisioner(LocalProvisioner):
    """Starts the kernel that this process has forked."""

    kernel: ForkedKernel

    async def launch_kernel(self, cmd: list[str], **_: Any) -> KernelConnectionInfo:
        self.process = self.kernel  # type: ignore[assignment]
        self.pid = self.pgid = self.kernel.pid
        # What precedes -f starts a Python.
        self.kernel.write_end.send((cmd[cmd.index("-f") :], Path.cwd()))
        return self.connection_info


def fork_kernel() -> None:
    """Fork the kernel in which papermill, run by this process, executes the next notebook."""
    ForkedProvisioner.kernel = ForkedKernel()
    name, factory = "forked", KernelProvisionerFactory
    place = f"{__name__}:{ForkedProvisioner.__name__}"
    factory.provisioners[name] = EntryPoint(name, place, factory.GROUP_NAME)
    os.environ[factory.default_provisioner_name_env] = name


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
