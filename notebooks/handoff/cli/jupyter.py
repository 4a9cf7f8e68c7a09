"""JupyterLab for people."""

import os
import secrets
import sys

from handoff.cli.notebook import kernel_environment
from handoff.paths import NOTEBOOKS


def start_lab(_: None) -> int:
    """Becomes JupyterLab: on 127.0.0.1 only, with a token of its own making, in notebooks/."""
    words = ["lab", "--ServerApp.ip=127.0.0.1", f"--ServerApp.root_dir={NOTEBOOKS}"]
    # Jupyter refuses root because others could reach it; here only this machine can, with the
    # token.
    words += ["--allow-root"] if os.geteuid() == 0 else []
    os.chdir(NOTEBOOKS)
    token = {"JUPYTER_TOKEN": secrets.token_hex(24)}
    os.execve(
        sys.executable, [sys.executable, "-m", "jupyter", *words], kernel_environment() | token
    )
