"""One node's worker: `python -m handoff.cluster.worker CONNECTION.json [--name NAME]`.

It ends with the scheduler, and where its standard input is a pipe, with that.
"""

import argparse
import asyncio
import logging
import os
import platform
import socket
import stat
import sys
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlsplit

import dask
from distributed import Worker

from handoff.cluster.connection import Connection, read_connection
from handoff.errors import BadInput, HandoffError

QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.http.routes": [],
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.admin.low-level-log-length": 100,
    "distributed.admin.tick.interval": "5s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.log-length": 10,
}
"""Settings of a worker that does almost nothing while it measures."""

ARRIVAL_S, ANSWER_S = 60, 10
"""Time after which a worker ends that finds no scheduler, or is not accepted by it."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m handoff.cluster.worker")
    parser.add_argument("connection", type=Path, help="the file that the driver wrote")
    parser.add_argument("--name", default="", help="the name of a pretended node")
    given = parser.parse_args(arguments)
    try:
        connection = read_connection(given.connection)
        require_scheduler(connection.address)
    except HandoffError as wrong:
        print(wrong, file=sys.stderr)
        return wrong.code
    name = given.name or os.environ.get("SLURMD_NODENAME") or platform.node()
    logging.getLogger("distributed").setLevel(logging.ERROR)
    with dask.config.set(QUIET):
        asyncio.run(serve(connection, given.connection.parent, name))
    return 0


def require_scheduler(address: str) -> None:
    """Raise BadInput when no scheduler listens: the driver was killed, and this job is a spare."""
    target = urlsplit(address)
    try:
        socket.create_connection((target.hostname, target.port or 0), ANSWER_S).close()
    except OSError as refused:
        raise BadInput(f"no driver listens on {address}: {refused.strerror or refused}.") from None


async def serve(connection: Connection, folder: Path, name: str) -> None:
    """Work until the scheduler ends this worker, or is gone."""
    with tempfile.TemporaryDirectory(prefix="handoff-worker-") as scratch:
        worker = Worker(
            connection.address,
            nthreads=1,
            # The scheduler may still list a worker that died.
            name=f"{name}/{os.getpid()}",
            host=find_own_address(connection.address),
            security=connection.make_security(folder),
            dashboard_address="127.0.0.1:0",
            local_directory=scratch,
            memory_limit=0,
            death_timeout=ARRIVAL_S,
            heartbeat_interval="5s",
        )
        end_with_input(asyncio.get_running_loop(), worker)
        await worker
        await worker.finished()


def find_own_address(scheduler: str) -> str:
    """Return this machine's address in the scheduler's network; nothing is sent."""
    target = urlsplit(scheduler)
    family = socket.AF_INET6 if ":" in (target.hostname or "") else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((target.hostname, target.port))
        return probe.getsockname()[0]


def end_with_input(loop: asyncio.AbstractEventLoop, worker: Worker) -> None:
    """End the worker when its input ends, as ssh does when its connection breaks."""

    def wait_for_end() -> None:
        while os.read(0, 4096):
            pass
        asyncio.run_coroutine_threadsafe(worker.close(reason="input ended"), loop)

    if stat.S_ISFIFO(os.fstat(0).st_mode) or stat.S_ISSOCK(os.fstat(0).st_mode):
        threading.Thread(target=wait_for_end, daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())
