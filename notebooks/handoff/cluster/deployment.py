"""Dask's cluster of nodes, started as a cluster's file says, and its keys."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handoff.cluster.clusterfile import JOBS, Cluster, Keys, import_jobqueue
from handoff.errors import BadInput

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
    if "://" in cluster.scheduler:
        security = make_security(cluster.keys) if cluster.keys else Security()
        try:
            client = Client(cluster.scheduler, security=security, timeout="30s")
        except (OSError, TypeError, ValueError) as refused:
            raise BadInput(f"{cluster.scheduler} does not answer: {refused}.") from None
        with client:
            yield client
        return
    # Without TLS only if `protocol` says so.
    plain = str(cluster.passed.get("protocol", "")).startswith("tcp")
    started = start(cluster, None if plain else Security.temporary())
    with started, Client(started) as client:
        adaptive = replace_lost(cluster, started)
        try:
            yield client
        finally:
            # Workers that end by themselves leave no job or process that Dask lost sight of.
            with suppress(Exception):
                if adaptive:
                    adaptive.stop()
                client.retire_workers(close_workers=True)


def make_security(keys: Keys) -> Any:
    from distributed import Security

    roles = {
        f"tls_{role}_{what}": str(Path(file).expanduser())
        for role in ("worker", "client")
        for what, file in (("cert", keys.certificate), ("key", keys.key))
    }
    authority = str(Path(keys.authority).expanduser())
    return Security(tls_ca_file=authority, require_encryption=True, **roles)


def start(cluster: Cluster, security: Any) -> Any:
    """Return Dask's cluster; of a batch system, one that has no nodes yet."""
    if cluster.scheduler == "local":
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
    if cluster.scheduler == "ssh":
        return start_ssh(cluster, security)
    name, whole = JOBS[cluster.scheduler]
    KEYS.mkdir(mode=0o700, exist_ok=True)
    passed: dict[str, Any] = {"shared_temp_directory": str(KEYS), "log_directory": str(KEYS)}
    passed |= {"job_mem": "0"} if cluster.scheduler == "slurm" else {}
    passed |= cluster.passed
    return getattr(import_jobqueue(), name)(
        cores=1,
        processes=1,
        memory="1GB",
        python=cluster.interpreter,
        security=security,
        **passed
        | {
            "job_extra_directives": [*whole, *passed.get("job_extra_directives", [])],
            "job_script_prologue": [
                *(f"export {key}={value}" for key, value in cluster.environment.items()),
                *passed.get("job_script_prologue", []),
            ],
        },
    )


def replace_lost(cluster: Cluster, started: Any) -> Any:
    """Let Dask ask a batch system for the nodes, and for others in place of lost ones."""
    number = cluster.nodes
    batch = cluster.scheduler in JOBS
    return started.adapt(minimum_jobs=number, maximum_jobs=number) if batch else None


def start_ssh(cluster: Cluster, security: Any) -> Any:
    """Start a scheduler here and a worker on each host, all by ssh; keys go to a shared folder."""
    import dask
    from distributed import SSHCluster

    passed = cluster.passed
    hosts = ["localhost", *passed.pop("hosts")]
    words = [f"{key}={value}" for key, value in cluster.environment.items()]
    protocol = passed.pop("protocol", "tls://")
    if security:
        dask.config.set(write_keys(security))
    return SSHCluster(
        hosts,
        connect_options=passed.pop("connect_options", {}),
        worker_options={"nthreads": 1, "memory_limit": 0} | passed.pop("worker_options", {}),
        scheduler_options={"protocol": protocol, "dashboard": False}
        | passed.pop("scheduler_options", {}),
        remote_python=" ".join(["env", *words, cluster.interpreter]),
        security=security,
    )


def write_keys(security: Any) -> Mapping[str, Any]:
    """Write temporary keys to files that only this user reads, and return Dask's settings."""
    KEYS.mkdir(mode=0o700, exist_ok=True)
    settings: dict[str, Any] = {"distributed.comm.require-encryption": True}
    for role in ("ca", "scheduler", "worker", "client"):
        for what in ("file",) if role == "ca" else ("cert", "key"):
            text = getattr(security, f"tls_{role}_{what}")
            file = KEYS / f"{role}-{what}.pem"
            file.touch(mode=0o600)
            file.write_text(text)
            key = "ca-file" if role == "ca" else f"{role}.{what}"
            settings[f"distributed.comm.tls.{key}"] = str(file)
    return settings
