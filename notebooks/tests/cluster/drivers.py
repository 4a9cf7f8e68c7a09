"""A cluster's driver in a separate process, and checks of what it leaves."""

import json
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
FORKS = POINTS * BLOCKS
LIMIT_S = 240
WORKER = "handoff.cluster.worker"


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

    def finish(self) -> None:
        """Wait for the driver to end; assert that its run is complete."""
        assert self.process.wait(LIMIT_S) == COMPLETE, self.log.read_text()

    def read_run(self) -> Run:
        (plan,) = self.runs.glob("*/plan.json")
        return read_run(plan.parent)

    def require_whole(self) -> None:
        """Wait for the end; assert that every fork exists once, and each block on one host.

        No process may be left.
        """
        self.finish()
        run = self.read_run()
        scanned = state.scan_run(run)
        assert len(scanned.measured) == POINTS * self.blocks
        assert scanned.corrupt == []
        forks = [json.loads(path.read_text()) for path in (run.folder / "forks").glob("*.json")]
        hosts = {(fork["block"], fork["host"]) for fork in forks}
        assert len(hosts) == len({block for block, _ in hosts}) == self.blocks
        require_nothing_left(self.env["TMPDIR"])


def list_processes(word: str) -> list[int]:
    listed = subprocess.run(["pgrep", "-f", word], capture_output=True, text=True).stdout
    return [int(line) for line in listed.split() if int(line) != os.getpid()]


def require_nothing_left(folder: str = "") -> None:
    """Assert that no worker, or JVM that measures in the folder, is left shortly after the end."""
    words = f"{WORKER}|{re.escape(folder)}.*benchmarks.jar"
    assert eventually(lambda: list_processes(words) == [], 30), list_processes(words)


def start_worker(driver: Driver, number: int) -> subprocess.Popen:
    """Start a worker with the command that the driver prints for the group with this number."""
    driver.wait_until(lambda: len(find_commands(driver)) >= number)
    line = f"{find_commands(driver)[-1]} --name n{number}"
    return subprocess.Popen(["sh", "-c", line], env=driver.env)


def find_commands(driver: Driver) -> list[str]:
    """Return the commands that start a worker, with folded lines joined."""
    parts = driver.log.read_text().split("Start this on every node: ")[1:]
    return [
        part.partition("connection.json")[0].replace("\n", " ") + "connection.json"
        for part in parts
    ]
