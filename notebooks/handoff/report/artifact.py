"""Data of the artifact's appendix: time and space that the run took, and its commands."""

import os
import stat
import sys
from pathlib import Path

import pandas as pd

from handoff.paths import RUNS, find_home
from handoff.run import cost
from handoff.run.store.run import Run


def build_appendix(run: Run, points: pd.DataFrame, shots: pd.DataFrame) -> dict:
    """Return the measured machine time, the disk space and the commands of the run."""
    seconds = (
        shots.drop_duplicates(["point", "fork", "again"])["seconds"].sum() if len(shots) else 0.0
    )
    return {
        "machine_time": cost.format_duration(seconds),
        "forks": int(points["found"].sum()),
        "run_mib": measure_mib(run.folder),
        "python_mib": measure_mib(Path(sys.prefix)),
        "memory": run.sweep.jvm.heap,
        "command": f"./run_all.sh {run.identity['profile']}",
        "redraw": (
            f"./run_all.sh {run.folder.name}"
            + ("" if find_home(run.folder) == RUNS else " --data DIR")
        ),
    }


TRANSIENT = {"__pycache__", "generated"}


def measure_mib(folder: Path) -> float:
    """Return the size of a folder's files in MiB, without Python's caches and generated files."""
    sizes = (
        (Path(at) / name).lstat()
        for at, _, names in os.walk(folder)
        if not TRANSIENT & set(Path(at).relative_to(folder).parts)
        for name in names
    )
    return round(sum(size.st_size for size in sizes if stat.S_ISREG(size.st_mode)) / 2**20, 1)
