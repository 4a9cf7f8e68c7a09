"""A group of nodes while a sweep needs it: a scheduler here, workers there, keys for both."""

import contextlib
import os
import secrets
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import dask
from distributed import Client, LocalCluster

from handoff.cluster.client import connect
from handoff.cluster.clusterfile import Cluster
from handoff.cluster.connection import (
    BASICS,
    FILE,
    VARIABLE,
    Basics,
    Connection,
    find_salt,
    make_private,
    note_driver,
    write_keys,
    write_private,
)
from handoff.cluster.jobs import KINDS, Jobs, remove_orphans
from handoff.cluster.node import hash_package
from handoff.errors import BadInput
from handoff.run.java.jar import hash_jar
from handoff.terminal import console
from handoff.text import parse_duration

STEADY = {
    # The runner retries forks, never Dask.
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-ttl": "60s",
    "distributed.scheduler.work-stealing": False,
    "distributed.comm.timeouts.connect": "30s",
    # The default keeps the history of a hundred thousand forks.
    "distributed.admin.low-level-log-length": 1000,
}

SILENT: dict[str, list[str]] = {"distributed.scheduler.http.routes": []}
"""No web pages, which every user of this host could read."""

SAY_EVERY_S, PROBLEM_EVERY_S = 60, 15


class OpenGroup(NamedTuple):
    """A scheduler with a client, and the jobs that start its workers."""

    client: Client
    basics: Basics
    jobs: Jobs


@contextlib.contextmanager
def open_group(cluster: Cluster, name: str) -> Iterator[OpenGroup]:
    """Request the nodes of a group; everything ends with the block."""
    connections = make_private(Path(cluster.folder).expanduser()) / "connections"
    remove_orphans(connections)
    with ExitStack() as stack:
        folder = make_private(connections / secrets.token_hex(8))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.enter_context(dask.config.set(STEADY | ({} if cluster.dashboard else SILENT)))
        stack.enter_context(meet(cluster, folder))
        basics = Basics(
            jar=hash_jar(),
            package=hash_package(),
            salt=find_salt(),
            pretend=cluster.groups[name].pretend or "",
            ours=not cluster.address,
            patience_s=parse_duration(cluster.patience),
            arrival_s=parse_duration(cluster.arrival),
        )
        write_private(folder / BASICS, basics.model_dump_json())
        note_driver(folder, [])
        jobs = KINDS.get(cluster.scheduler, Jobs)(cluster, name, folder)
        stack.callback(jobs.cancel)
        note_driver(folder, jobs.start())
        client = stack.enter_context(connect(folder))
        os.environ[VARIABLE] = str(folder)
        stack.callback(os.environ.pop, VARIABLE)
        yield OpenGroup(client, basics, jobs)


@contextlib.contextmanager
def meet(cluster: Cluster, folder: Path) -> Iterator[None]:
    """Write the connection in `folder`, and start a scheduler unless one is already running."""
    if cluster.address:
        keys = cluster.keys.model_dump() if cluster.keys else {}
        expanded = {name: str(Path(path).expanduser()) for name, path in keys.items()}
        connection = Connection(address=cluster.address, **expanded)
        write_private(folder / FILE, connection.model_dump_json())
        yield
        return
    keys = write_keys(folder)
    try:
        scheduler = LocalCluster(
            n_workers=0,
            host=cluster.listen or find_address(),
            scheduler_port=cluster.port,
            protocol="tls",
            security=Connection(address="", **keys).make_security(folder),
            # By default it would listen on the nodes' network.
            dashboard_address="127.0.0.1:8787" if cluster.dashboard else "127.0.0.1:0",
            scheduler_kwargs={"dashboard": cluster.dashboard},
            silence_logs=50,
        )
    except (OSError, RuntimeError, ValueError) as refused:
        why = refused.__cause__ or refused
        raise BadInput(
            f"no scheduler can listen on {cluster.listen or 'this host'}:{cluster.port}: {why}."
        ) from None
    with scheduler:
        connection = Connection(address=scheduler.scheduler_address, **keys)
        write_private(folder / FILE, connection.model_dump_json())
        yield


def find_address() -> str:
    """Return the address of this host's name; raise BadInput when it is a loopback address."""
    try:
        address = socket.gethostbyname(socket.getfqdn())
    except OSError:
        address = "127.0.0.1"
    if address.startswith("127."):
        raise BadInput(
            "this host's name has no address that nodes could reach: set listen: ADDRESS in the"
            " cluster's file."
        )
    return address


def make_waiter(group: OpenGroup, nodes: int) -> Callable[[], None]:
    """Return what to call while no node is available.

    It reports the wait now and then, and raises BadInput when no node will arrive.
    """
    started = time.monotonic()
    looked, reported = started, started - SAY_EVERY_S

    def wait() -> None:
        nonlocal looked, reported
        now = time.monotonic()
        if now - looked > PROBLEM_EVERY_S:
            looked = now
            if problem := group.jobs.find_problem():
                raise BadInput(f"No node came: {problem}.")
        if now - started > group.basics.arrival_s:
            raise BadInput(f"No node came within {group.basics.arrival_s / 60:.0f} minutes.")
        if now - reported > SAY_EVERY_S:
            reported = now
            waited = f"{(now - started) / 60:.0f} min so far"
            console.print(f"  Waiting for the first of {nodes} nodes: {waited}.")

    return wait
