"""JupyterLab in the browser."""

import os
import secrets
import socket
import sys
from pathlib import Path

from handoff.cli.notebook import kernel_environment
from handoff.errors import BadInput
from handoff.paths import NOTEBOOKS, RUNS, find_latest_run

ADDRESS = "127.0.0.1"
PORTS = range(8888, 8988)


def start_lab(root: Path = NOTEBOOKS, page: str = "10_scaling.ipynb") -> int:
    """Replace this process by JupyterLab in `root`, reachable only on this machine, by token."""
    port = find_port()
    words = ["lab", f"--ServerApp.ip={ADDRESS}", f"--ServerApp.root_dir={root}"]
    words += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    # Jupyter refuses root because others could reach it; here only this machine can, by token.
    words += ["--allow-root"] if os.geteuid() == 0 else []
    token = secrets.token_hex(24)
    latest = find_latest_run(RUNS).name
    # Jupyter does not print a token that it did not create.
    print(f"Open http://{ADDRESS}:{port}/lab/tree/{page}?token={token}")
    tunnel = f"ssh -L {port}:{ADDRESS}:{port} {socket.gethostname()}"
    print(f"From another machine, first run there: {tunnel}")
    if root == NOTEBOOKS:
        print(f'The notebooks read the shipped runs; run_name = "latest" reads {latest}.')
    sys.stdout.flush()
    os.chdir(root)
    environment = kernel_environment() | {"JUPYTER_TOKEN": token}
    os.execve(sys.executable, [sys.executable, "-m", "jupyter", *words], environment)


def find_port() -> int:
    """Return the first free port; raise BadInput when all are in use."""
    for port in PORTS:
        with socket.socket() as candidate:
            candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                candidate.bind((ADDRESS, port))
            except OSError:
                continue
            return port
    raise BadInput(f"Ports {PORTS.start} to {PORTS.stop - 1} are all in use: end a JupyterLab.")
