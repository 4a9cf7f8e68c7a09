"""Traces: the short id below each figure and verdict, and the files and commands behind it."""

import json
import os
from pathlib import Path

import pandas as pd

from handoff.errors import BadInput
from handoff.files import hash_content, read_json, write_json
from handoff.paths import GENERATED, TRACES, display_path, generated_folder, notebook_run_name
from handoff.run.store.forkfile import compute_seal
from handoff.run.store.provenance import list_starts
from handoff.run.store.run import Run


def record_trace(run: Run, what: str, forks: pd.DataFrame) -> str:
    """Record the forks behind `what`, and return the trace's id of 8 hex digits.

    `forks` has the columns `point`, `fork`, `again`, `hash`. It changes with any of their numbers.
    """
    columns = ["point", "fork", "again", "hash"]
    chosen = forks[columns].drop_duplicates().sort_values(["point", "fork"])
    points = {point.key: point for point in run.points}
    behind = {
        f"{points[row.point].fork_name(row.fork, row.again)}.json": row.hash
        for row in chosen.itertuples(index=False)
    }
    content = {"what": what, "run": run.folder.name, "forks": behind}
    identity = hash_content(content)
    folder = generated_folder(run.folder) / "trace"
    folder.mkdir(parents=True, exist_ok=True)
    # Notebooks that run side by side may record the same trace.
    own = folder / f"{identity}-{os.getpid()}.json"
    write_json(own, {"id": identity, "folder": notebook_run_name(run.folder)} | content)
    own.replace(folder / f"{identity}.json")
    return identity


def find_trace(identity: str, runs: Path) -> dict:
    """Return the record of an id; raise BadInput if it is unknown."""
    places = [(GENERATED, "*/trace/"), (runs, "*/generated/trace/"), (TRACES, "")]
    files: list[Path] = []
    # A word with a slash or an asterisk would be a path or a pattern.
    if identity.isalnum():
        files = [file for top, at in places for file in top.glob(f"{at}{identity}.json")]
    record = read_trace(files[0]) if files else None
    if record is None:
        raise BadInput(
            f"{identity}: no figure or verdict generated here has this id, which is below each"
            " figure, such as 'trace 1a2b3c4d'; run ./run_all.sh RUN figures first, where RUN is"
            " the run that the figure names."
        )
    return record


def read_trace(path: Path) -> dict | None:
    """Return a JSON file's content; None if it is missing or damaged."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def describe_trace(record: dict, run: Run) -> list[str]:
    """Return lines on a trace: what it is, its origin, each fork file and its state."""
    folder = run.folder / "forks"
    return [
        f"{record['id']}: {record['what']}",
        f"run      {display_path(run.folder)}, of {run.identity['started']}",
        f"machine  {run.machine['cpu']} ({run.identity['machine']})",
        f"JDK      {run.identity['jdk']}",
        f"jar      sha256 {run.identity['jar']}",
        f"sweep    {display_path(run.sweep_file)} ({run.sweep_hash})",
        *(describe_start(read_json(path)) for path in list_starts(run.folder)),
        f"forks    {len(record['forks'])}",
        *(
            f"  {display_path(folder / name)}  {describe_fork_state(folder / name, then)}"
            for name, then in record["forks"].items()
        ),
    ]


def describe_start(start: dict) -> str:
    commit = start["commit"] or "unknown"
    changed = ", with changes" if start["clean"] is False else ""
    return f"command  {start['command']}  ({start['began']}, commit {commit}{changed})"


def describe_fork_state(path: Path, then: str) -> str:
    """Return whether a fork file is unchanged since the figure was drawn, in words."""
    content = read_trace(path)
    if content is None:
        return "GONE or not readable"
    sealed = content.pop("sha256", "")
    if compute_seal(content) != sealed:
        return "EDITED: its content is not what was measured"
    return f"sha256 {sealed}" if sealed.startswith(then) else "CHANGED since"
