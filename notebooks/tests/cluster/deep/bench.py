"""Cost of a cluster's driver, measured with Dask workers that measure nothing.

`PYTHONPATH=notebooks .venv/bin/python -m tests.cluster.deep.bench [FORKS:WORKERS ...]` prints
milliseconds per fork, the driver's peak memory and seconds to read all forks for each size. The
workers share the driver's process and return the golden fork, sealed as the requested one.
"""

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import dask
import pytest
from distributed import Client, LocalCluster, get_worker

from handoff.cluster import roster
from handoff.cluster.client import ClusterNodes
from handoff.cluster.connection import Basics
from handoff.cluster.worker import QUIET
from handoff.paths import DATA
from handoff.run import runner
from handoff.run.store import state
from handoff.run.store.forkfile import compute_seal

from ...conftest import plan_fake

BLOCKS = 50
"""Forks per point: fewer than the largest number of workers, so that some have none."""

MEMORY = {"id": "m", "memory_gib": 1, "topology": {"cpus": [], "virtual": None, "quota": None}}
GOLDEN = json.loads((DATA / "golden-fork.json").read_text())


def answer(verb: str, question: str, content: bytes = b"") -> bytes:
    """Answer as a node does, but measure nothing."""
    request = json.loads(question)
    if verb == "describe":
        name = str(get_worker().name)
        about = {"name": name, "host": name, "package": "p", "jar": "j", "machine": MEMORY}
        return json.dumps(about | {"jdk": "a JDK", "feature": 17}).encode()
    if verb != "measure":
        return json.dumps({"ready": []}).encode()
    identity, point = request["identity"], request["point"]
    fork = GOLDEN | identity | {"params": point["params"], "study": point["study"]}
    fork |= {"seconds": 1.0 + identity["order"] / 1e9}
    fork |= {"sha256": compute_seal(fork)}
    return json.dumps({"state": "forks", "content": fork, "log": "", "wrong": ""}).encode()


def bench(forks: int, workers: int) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as instead:
        instead.setenv("HOME", name)
        instead.setattr(roster.node, "answer", answer)
        instead.setattr(ClusterNodes, "judge", lambda self, description: "")
        loads = max(1, forks // BLOCKS)
        folder = Path(name, "runs", "scale-00000000")
        run = plan_fake(folder, GOLDEN, loads, forks // loads, MEMORY)
        with (
            # As on nodes: with Dask's profilers, this many workers in one process would stall.
            dask.config.set(QUIET),
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=False,
                dashboard_address="127.0.0.1:0",
                silence_logs=50,
            ) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            nodes = ClusterNodes(client, Basics(jar="j", package="p", salt="s"))
            started = time.perf_counter()
            for _ in runner.measure_run(run, nodes=nodes):
                pass
            measuring = time.perf_counter() - started
        started = time.perf_counter()
        scanned = state.scan_run(run)
        resuming = time.perf_counter() - started
        assert len(scanned.measured) == forks, (len(scanned.measured), scanned.corrupt[:1])
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{forks:7} forks, {workers:3} workers: {1000 * measuring / forks:6.2f} ms per fork,"
            f" {memory:6.0f} MiB, {resuming:6.1f} s to read all",
            flush=True,
        )


if __name__ == "__main__":
    for word in sys.argv[1:] or ["1000:2", "1000:16", "1000:64", "10000:16", "10000:64"]:
        if os.fork() == 0:
            # A separate process per size, because memory never shrinks.
            bench(*map(int, word.split(":")))
            os._exit(0)
        os.wait()
