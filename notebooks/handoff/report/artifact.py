"""Data of the artifact's appendix, from the run, this checkout and the measured times."""

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
    """Return the measured machine time, the disk space, and the claims with their commands."""
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
    """Return the size of a folder's files in MiB, without Python's caches and generated files."""
    sizes = (
        (Path(at) / name).lstat()
        for at, _, names in os.walk(folder)
        if not TRANSIENT & set(Path(at).relative_to(folder).parts)
        for name in names
    )
    return round(sum(size.st_size for size in sizes if stat.S_ISREG(size.st_mode)) / 2**20, 1)


def describe_time(shots: pd.DataFrame) -> str:
    """Return the time of all forks of the paper's study, which its claims share."""
    primary = shots[shots["study"] == find_primary().name] if len(shots) else shots
    forks = primary.drop_duplicates(["point", "fork", "again"])
    return cost.format_duration(forks["seconds"].sum()) if len(forks) else ""


def list_claims(verdicts: list[dict], time: str) -> list[dict]:
    """Return the paper's claims with figure, needs, command, time and expected result.

    Expected on a machine like this run's is the run's own estimate with the interval that decided,
    one per reading; '' for a claim that it did not judge.
    """
    estimates: dict[str, list[str]] = {}
    for row in verdicts:
        if row["coverage"]:
            reading = f" ({row['reading']})" if row["reading"] else ""
            estimates.setdefault(row["claim"], []).append(f"{row['ours']}{reading}")
    rows = []
    for identity, claim in load_claim_files()[find_primary().name].claims.items():
        needs = claim.needs
        sockets = f", {needs.sockets} sockets" if needs.sockets > 1 else ""
        whole = f" ({needs.all} for every point)" if needs.all else ""
        counters = f"hardware counters of {needs.counters}" if needs.counters else ""
        extra = "".join(f", {need}" for need in (counters, needs.extra) if need)
        command = "none yet" if not claim.test else "./run_all.sh"
        rows.append(
            {
                "claim": identity,
                "figure": str(claim.figure or ""),
                "needs": f"{pluralize(needs.cores, 'core')}{whole}{sockets}{extra}",
                "command": command,
                "time": time if claim.test else "",
                "expected": "; ".join(estimates.get(identity, [])),
            }
        )
    return rows
