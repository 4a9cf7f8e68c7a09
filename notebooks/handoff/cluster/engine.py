"""The engine of a cluster, Dask's distributed: whether it is installed, and its nodes."""

import importlib.util
import os
from pathlib import Path

from handoff.cluster.connection import VARIABLE
from handoff.errors import BadInput
from handoff.paths import ROOT
from handoff.run.nodes import Nodes

PACKAGES = ("distributed", "cryptography")
LOCK_FILE = ROOT / "requirements-cluster.lock"


def is_installed() -> bool:
    return all(map(importlib.util.find_spec, PACKAGES))


def require_engine() -> None:
    """Raise BadInput, with the command to run, unless the engine is installed."""
    if not is_installed():
        raise BadInput(
            "cluster needs packages that are not installed: .venv/bin/python -m pip install"
            f" --require-hashes -r {LOCK_FILE.name} (docs/cluster.md)."
        )


def open_nodes(group: str) -> Nodes:
    """Return the nodes of the driver that started this process."""
    require_engine()
    from handoff.cluster.client import ClusterNodes, connect, read_basics

    if VARIABLE not in os.environ:
        raise BadInput(f"only ./run_all.sh cluster measures on the group {group}.")
    folder = Path(os.environ[VARIABLE])
    return ClusterNodes(connect(folder), read_basics(folder))
