"""Measure the cost of our own code on made-up runs of many forks.

`cd notebooks && python -m tests.deep.bench_scale [FORKS ...]` (default 1000 10000). Each step runs
in a process of its own; prints its CPU seconds and peak memory, and those of a process that only
imports. The forks are copies of the golden one at 5 per point, sealed again.
"""

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from handoff.paths import DATA
from handoff.run.plan import expansion
from handoff.run.store import state
from handoff.run.store.run import Run, read_run
from handoff.tables import export, tidy

from ..conftest import plan_fake, sealed

PER_POINT = 5
STEPS: dict[str, Callable[[Run], Any]] = {
    "import": lambda run: None,
    "expand": lambda run: expansion.expand_points(run.sweep, "x", 2),
    "scan": state.scan_run,
    "tables": tidy.write_tables,
    "read tables": tidy.load_shots,
    "export jmh": export.make_jmh,
}


def make_run(folder: Path, forks: int) -> None:
    """Write a run of the golden fork at many loads."""
    golden = json.loads((DATA / "golden-fork.json").read_text())
    points = plan_fake(folder, golden, forks // PER_POINT, PER_POINT).points
    began = datetime.fromisoformat(golden["before"]["utc"])
    for order in range(forks):
        point, number = points[order % len(points)], order // len(points)
        utc = (began + timedelta(seconds=order)).isoformat(timespec="milliseconds")
        write = sealed(
            golden,
            params=point.params,
            fork=number,
            block=number,
            order=order,
            before=golden["before"] | {"utc": utc},
        )
        (folder / "forks" / f"{point.fork_name(number)}.json").write_text(json.dumps(write))


def run_step(name: str, folder: Path) -> None:
    """Run one step in this process, and print its CPU seconds and this process's peak memory."""
    run = read_run(folder)
    before = resource.getrusage(resource.RUSAGE_SELF)
    made = STEPS[name](run)
    after = resource.getrusage(resource.RUSAGE_SELF)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if name == "scan":
        assert len(made.measured) == len(run.tasks())
    print(f"  {name:12} {spent:7.2f} CPU s, {after.ru_maxrss / 1024:6.0f} MiB", flush=True)


def bench(forks: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "scale-00000000"
        make_run(folder, forks)
        print(f"{forks:,} forks, {forks // PER_POINT:,} points", flush=True)
        for step in STEPS:
            command = [sys.executable, "-m", "tests.deep.bench_scale", step, str(folder)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in STEPS:
        run_step(sys.argv[1], Path(sys.argv[2]))
    else:
        for size in map(int, sys.argv[1:] or ["1000", "10000"]):
            bench(size)
