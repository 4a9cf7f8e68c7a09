"""Dask's cluster of nodes, started as a cluster's file says, and its keys."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handoff.cluster.clusterfile import JOBS, Cluster, import_jobqueue

if TYPE_CHECKING:
    from distributed import Client

KEYS = Path("~/.handoff").expanduser()
"""Folder of temporary keys, which nodes must see; of other files only this user's."""


@contextmanager
def open_client(cluster: Cluster) -> Iterator["Client"]:
    """Start the cluster, and yield a client; what was started ends with it."""
    from distributed import Client, Security

    # Dask reports a node that ends with a stack trace; the driver says it in a sentence.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # Without TLS only if `protocol` says so.
    plain = str(cluster.passed.get("protocol", "")).startswith("tcp")
    security = None if plain else Security.temporary()
    start = STARTS.get(cluster.scheduler, start_jobs)
    with start(cluster, security) as started, Client(started) as client:
        # Dask asks a batch system for the nodes, and for others in place of lost ones.
        number = {"minimum_jobs": cluster.nodes, "maximum_jobs": cluster.nodes}
        adaptive = started.adapt(**number) if start is start_jobs else None
        try:
            yield client
        finally:
            # Workers that end by themselves leave no job or process that Dask lost sight of.
            with suppress(Exception):
                if adaptive:
                    adaptive.stop()
                client.retire_workers(close_workers=True)


def start_local(cluster: Cluster, security: Any) -> Any:
    """Start workers on this machine."""
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=cluster.nodes,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        security=security,
        memory_limit=0,
        **cluster.passed,
    )


def start_jobs(cluster: Cluster, security: Any) -> Any:
    """Start the scheduler of a batch system's jobs, of which there are none yet."""
    name, whole = JOBS[cluster.scheduler]
    KEYS.mkdir(mode=0o700, exist_ok=True)
    passed: dict[str, Any] = {"shared_temp_directory": str(KEYS), "log_directory": str(KEYS)}
    passed |= {"job_mem": "0"} if cluster.scheduler == "slurm" else {}
    passed |= cluster.passed
    exports = [f"export {key}={value}" for key, value in cluster.environment.items()]
    for key, ours in (("job_extra_directives", whole), ("job_script_prologue", exports)):
        passed[key] = [*ours, *passed.get(key, [])]
    return getattr(import_jobqueue(), name)(
        cores=1,
        processes=1,
        memory="1GB",
        python=cluster.interpreter,
        security=security,
        **passed,
    )


def start_ssh(cluster: Cluster, security: Any) -> Any:
    """Start a scheduler here and a worker on each host, all by ssh; keys go to a shared folder."""
    import dask
    from distributed import SSHCluster

    passed = cluster.passed
    words = [f"{key}={value}" for key, value in cluster.environment.items()]
    scheduler = {"protocol": passed.get("protocol", "tls://"), "dashboard": False}
    if security:
        dask.config.set(write_keys(security))
    return SSHCluster(
        ["localhost", *passed["hosts"]],
        connect_options=passed.get("connect_options", {}),
        worker_options={"nthreads": 1, "memory_limit": 0} | passed.get("worker_options", {}),
        scheduler_options=scheduler | passed.get("scheduler_options", {}),
        remote_python=" ".join(["env", *words, cluster.interpreter]),
        security=security,
    )


STARTS = {"local": start_local, "ssh": start_ssh}


def write_keys(security: Any) -> Mapping[str, Any]:
    """Write temporary keys to files that only this user reads, and return Dask's settings."""
    KEYS.mkdir(mode=0o700, exist_ok=True)
    settings: dict[str, Any] = {"distributed.comm.require-encryption": True}
    roles = ("scheduler", "worker", "client")
    for name in ("ca.file", *(f"{role}.{what}" for role in roles for what in ("cert", "key"))):
        file = KEYS / f"{name}.pem"
        file.touch(mode=0o600)
        file.write_text(getattr(security, f"tls_{name.replace('.', '_')}"))
        settings[f"distributed.comm.tls.{name.replace('ca.', 'ca-')}"] = str(file)
    return settings
