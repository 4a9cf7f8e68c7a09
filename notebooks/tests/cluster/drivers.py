"""A cluster's driver in a separate process, and checks of what it leaves."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from handoff.errors import COMPLETE
from handoff.paths import ROOT
from handoff.run.store import state
from handoff.run.store.run import Run, read_run

from ..conftest import read_files
from ..test_process import eventually

SWEEP = """
about: a test of clusters
verdicts: false
jvm: {heap: 64m}
quiet: {again: 0}
forks: {fitting: BLOCKS, oversubscribed: 1}
studies:
  scaling:
    - {mechanism: [SEQUENTIAL, ARRAY_BLOCKING_QUEUE], consumers: 1, sorts: [1, 15], events: 20000,
       capacity: 64, shots: 3, warmup: 1}
"""
POINTS, BLOCKS = 4, 6
LIMIT_S = 240
WORKER = "distributed.cli.dask_(worker|spec)"

PRETEND = """
import os
from pathlib import Path
from handoff.cluster import node
from handoff.run.host import lock

NAME = os.environ.get("SLURMD_NODENAME") or f"n{os.getpid()}"
lock.FILE = Path(f"/tmp/handoff-measuring-{NAME}.lock")
node.name_host = lambda: NAME
"""
"""Preloaded by workers, which share this machine: each is a node with a lock of its own."""


class Driver:
    """A sweep on a cluster, in a separate process; one fork per point and block."""

    def __init__(
        self,
        folder: Path,
        cluster: str,
        words: tuple[str, ...] = ("build", "measure"),
        blocks: int = BLOCKS,
        **env: str,
    ) -> None:
        self.blocks = blocks
        (folder / "sweep.yml").write_text(SWEEP.replace("BLOCKS", str(blocks)))
        (folder / "cluster.yml").write_text(cluster)
        (folder / "pretend.py").write_text(PRETEND)
        self.runs, self.log = folder / "runs", folder / "log.txt"
        self.env = os.environ | env | {"TMPDIR": str(folder)}
        self.command = [sys.executable, "-m", "handoff", "cluster", str(folder / "cluster.yml")]
        self.command += [str(folder / "sweep.yml"), *words, "--data", str(self.runs)]
        self.start()

    def start(self) -> None:
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, env=self.env, stdout=log, stderr=log, start_new_session=True
            )

    def count_forks(self) -> int:
        return len(list(self.runs.glob("*/forks/*.json")))

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until it holds; fail, with the driver's log, if the driver ends before that."""
        eventually(lambda: holds() or self.process.poll() is not None, LIMIT_S)
        assert holds(), self.log.read_text()

    def read_run(self) -> Run:
        (plan,) = self.runs.glob("*/plan.json")
        return read_run(plan.parent)

    def list_hosts(self) -> set[str]:
        """Return the pseudonyms of the nodes that measured the forks."""
        return {fork["host"] for fork in read_files(self.read_run())}

    def require_whole(self) -> None:
        """Wait for the end; assert that the run is whole, and no process is left."""
        assert self.process.wait(LIMIT_S) == COMPLETE, self.log.read_text()
        require_whole(self.read_run(), POINTS, self.blocks)
        # A worker that outlives its job ends when it has found no scheduler for a minute.
        require_nothing_left(self.env["TMPDIR"], patience_s=150)


def require_whole(run: Run, points: int, blocks: int) -> None:
    """Assert that every fork exists once, and each block on one node."""
    scan = state.scan_run(run)
    assert len(scan.measured) == points * blocks and scan.corrupt == []
    hosts = {(fork["block"], fork["host"]) for fork in read_files(run)}
    assert len(hosts) == len({block for block, _ in hosts}) == blocks


def list_processes(word: str) -> list[int]:
    listed = subprocess.run(["pgrep", "-f", word], capture_output=True, text=True).stdout
    return [int(line) for line in listed.split() if int(line) != os.getpid()]


def require_nothing_left(folder: str = "", patience_s: float = 30) -> None:
    """Assert that no worker, or JVM that measures in the folder, is left shortly after the end."""
    words = f"{WORKER}|{re.escape(folder)}.*benchmarks.jar"
    assert eventually(lambda: list_processes(words) == [], patience_s), list_processes(words)
