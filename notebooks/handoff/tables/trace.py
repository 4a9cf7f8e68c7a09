"""Traces: a short id under every figure and verdict, and what it leads back to: fork files, sweep,
commit, command.
"""

import hashlib
import json
from pathlib import Path

import pandas as pd

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import GENERATED, display_path, generated_folder, notebook_run_name
from handoff.run.store.forkfile import compute_seal
from handoff.run.store.provenance import list_starts
from handoff.run.store.run import Run


def record_trace(run: Run, what: str, forks: pd.DataFrame) -> str:
    """Notes which forks (rows with `point`, `fork`, `again`, `hash`) are behind `what`, and returns
    the id: 8 hex digits.

    The id changes with any number in any of these forks.
    """
    chosen = (
        forks[["point", "fork", "again", "hash"]].drop_duplicates().sort_values(["point", "fork"])
    )
    points = {point.key: point for point in run.points}
    behind = {
        f"{points[row.point].fork_name(row.fork, row.again)}.json": row.hash
        for row in chosen.itertuples(index=False)
    }
    content = {"what": what, "run": run.folder.name, "forks": behind}
    identity = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:8]
    folder = generated_folder(run.folder) / "trace"
    folder.mkdir(parents=True, exist_ok=True)
    write_json(
        folder / f"{identity}.json",
        {"id": identity, "folder": notebook_run_name(run.folder)} | content,
    )
    return identity


def find_trace(identity: str, runs: Path) -> dict:
    """What an id stands for. BadInput when nothing that was generated carries it."""
    candidates = [
        *GENERATED.glob(f"*/trace/{identity}.json"),
        *runs.glob(f"*/generated/trace/{identity}.json"),
    ]
    found = read_trace(candidates[0]) if identity.isalnum() and candidates else None
    if found is None:
        raise BadInput(
            f"{identity}: no figure or verdict generated here carries this id; it stands below each"
            " figure, such as 'trace 1a2b3c4d'."
        )
    return found


def read_trace(path: Path) -> dict | None:
    """A record; None where it is gone or not whole."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def describe_trace(found: dict, run: Run) -> list[str]:
    """Lines for a person: what it is, where it comes from, each fork file and whether it is still
    what it was.
    """
    starts = [json.loads(path.read_text()) for path in list_starts(run.folder)]
    lines = [
        f"{found['id']}: {found['what']}",
        f"run      {display_path(run.folder)}, of {run.identity['started']}",
    ]
    lines += [
        f"machine  {run.machine['cpu']} ({run.identity['machine']})",
        f"JDK      {run.identity['jdk']}",
    ]
    lines += [
        f"jar      sha256 {run.identity['jar']}",
        f"sweep    {display_path(run.sweep_file)} ({run.sweep_hash})",
    ]
    for start in starts:
        changed = "" if start["clean"] else ", with changes" if start["clean"] is False else ""
        lines.append(
            f"command  {start['command']}  ({start['began']}, commit"
            f" {start['commit'] or 'unknown'}{changed})"
        )
    lines.append(f"forks    {len(found['forks'])}")
    return lines + [
        f"  {display_path(run.folder / 'forks' / name)} "
        f" {describe_fork_state(run.folder / 'forks' / name, then)}"
        for name, then in found["forks"].items()
    ]


def describe_fork_state(path: Path, then: str) -> str:
    """Whether a fork file is still what it was when the figure was drawn."""
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError):
        return "GONE or not readable"
    sealed = content.pop("sha256", "")
    if compute_seal(content) != sealed:
        return "EDITED: its content is not what was measured"
    return f"sha256 {sealed}" if sealed.startswith(then) else "CHANGED since"
