"""The artifact's appendix, in the order in which evaluators ask: from the run, this checkout and
the measured times.
"""

import os
import stat
import sys
from pathlib import Path

import pandas as pd

from handoff.claims import verdict_table
from handoff.paths import RUNS, find_home
from handoff.registry import find_primary
from handoff.run import cost
from handoff.run.store import Run
from handoff.text import pluralize


def build_appendix(run: Run, points: pd.DataFrame, shots: pd.DataFrame) -> dict:
    """Minutes of the machine as measured, disk as found, and the claims by figure and command."""
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
        "claims": list_claims(),
    }


def measure_mib(folder: Path) -> float:
    """What the files in a folder add up to, in MiB, but for Python's caches, which come and go."""
    sizes = (
        (Path(at) / name).lstat()
        for at, _, names in os.walk(folder)
        if Path(at).name != "__pycache__"
        for name in names
    )
    return round(sum(size.st_size for size in sizes if stat.S_ISREG(size.st_mode)) / 2**20, 1)


def list_claims() -> list[dict]:
    """Claims of the paper, the figure each is seen in, what it needs, and the command that measures
    it.
    """
    rows = []
    for identity, claim in verdict_table.load_claim_files()[find_primary().name].claims.items():
        needs = claim.needs
        nodes = f", {needs.nodes} NUMA nodes" if needs.nodes > 1 else ""
        whole = f" ({needs.all} for every point)" if needs.all else ""
        besides = "".join(f", {lack}" for lack in (needs.profiler, needs.besides) if lack)
        command = "none yet" if not claim.test else "./run_all.sh"
        rows.append(
            {
                "claim": identity,
                "figure": str(claim.figure or ""),
                "needs": f"{pluralize(needs.cores, 'core')}{whole}{nodes}{besides}",
                "command": command,
            }
        )
    return rows
