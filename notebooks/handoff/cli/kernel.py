"""A kernel forked from the process that executes the notebook, with the packages that it loaded.

It is forked before papermill has threads, sockets or an event loop, and waits for the command line
with which papermill starts it.
"""

import os
import sys
from importlib.metadata import EntryPoint
from multiprocessing import Pipe
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

from ipykernel.kernelapp import IPKernelApp
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner


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
