"""The artifact's appendix, in the order in which evaluators ask: from the run, this checkout and
the measured times.
"""

import os
import stat
import sys
from pathlib import Path

import pandas as pd

from handoff.claims.files import load_claim_files
from handoff.paths import RUNS, find_home
from handoff.registry import find_primary
from handoff.run import cost
from handoff.run.store.run import Run
from handoff.text import pluralize


def build_appendix(
    run: Run, points: pd.DataFrame, shots: pd.DataFrame, verdicts: list[dict]
) -> dict:
    """Minutes of the machine as measured, disk as found, and the claims by figure and command, with
    what this run found of them.
    """
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
        "claims": list_claims(verdicts, describe_time(shots)),
    }


TRANSIENT = {"__pycache__", "generated"}


def measure_mib(folder: Path) -> float:
    """What the files in a folder add up to, in MiB, but for what comes and goes: Python's caches
    and what is generated.
    """
    sizes = (
        (Path(at) / name).lstat()
        for at, _, names in os.walk(folder)
        if not TRANSIENT & set(Path(at).relative_to(folder).parts)
        for name in names
    )
    return round(sum(size.st_size for size in sizes if stat.S_ISREG(size.st_mode)) / 2**20, 1)


def describe_time(shots: pd.DataFrame) -> str:
    """What all forks of the paper's study took, which its claims share."""
    own = shots[shots["study"] == find_primary().name] if len(shots) else shots
    forks = own.drop_duplicates(["point", "fork", "again"])
    return cost.format_duration(forks["seconds"].sum()) if len(forks) else ""


def list_claims(verdicts: list[dict], time: str) -> list[dict]:
    """Claims of the paper, the figure each is seen in, what it needs, the command that measures it,
    the time of that, and what to expect on a machine like this run's: its own estimate with the 90
    % interval, a reading each; '' where it judged none.
    """
    found: dict[str, list[str]] = {}
    for row in verdicts:
        if row["coverage"]:
            reading = f" ({row['reading']})" if row["reading"] else ""
            found.setdefault(row["claim"], []).append(f"{row['ours']}{reading}")
    rows = []
    for identity, claim in load_claim_files()[find_primary().name].claims.items():
        needs = claim.needs
        nodes = f", {needs.nodes} NUMA nodes" if needs.nodes > 1 else ""
        whole = f" ({needs.all} for every point)" if needs.all else ""
        extra = f", {needs.extra}" if needs.extra else ""
        command = "none yet" if not claim.test else "./run_all.sh"
        rows.append(
            {
                "claim": identity,
                "figure": str(claim.figure or ""),
                "needs": f"{pluralize(needs.cores, 'core')}{whole}{nodes}{extra}",
                "command": command,
                "time": time if claim.test else "",
                "expected": "; ".join(found.get(identity, [])),
            }
        )
    return rows
