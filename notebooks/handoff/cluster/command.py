"""The line of shell that is a worker."""

import shlex

from handoff.cluster.clusterfile import Cluster

WORKER = "handoff.cluster.worker"


def write_command(cluster: Cluster, connection: str, *more: str) -> str:
    """The line of shell that is a worker, on a node. `connection` is the file's path there, in
    shell.
    """
    checkout = quote_folder(cluster.checkout)
    words = [f"cd {checkout} &&"]
    words += [f"JAVA_HOME={quote_folder(cluster.java)}"] if cluster.java else []
    words += [f"PYTHONPATH={checkout}/notebooks exec {quote_folder(cluster.find_python())}"]
    return " ".join([*words, f"-m {WORKER} {connection}", *map(shlex.quote, more)])


def quote_folder(path: str) -> str:
    """For a shell on a node, whose home is its own."""
    return f'"$HOME"/{shlex.quote(path[2:])}' if path.startswith("~/") else shlex.quote(path)
