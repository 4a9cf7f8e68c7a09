"""Provenance of a run's forks: a file per start that measured, without user, host or folder."""

import contextlib
import platform
from datetime import UTC, datetime
from importlib import metadata
from itertools import count
from pathlib import Path

from handoff.files import write_json
from handoff.paths import ROOT
from handoff.run.host.kernel_settings import Finding
from handoff.run.host.process import ask_git
from handoff.run.store.run import Run

STARTS = "starts"
"""The folder of these files."""


def list_starts(folder: Path) -> list[Path]:
    """Return the files of a run's starts in their order."""
    return sorted((folder / STARTS).glob("*.json"))


class Start:
    """The file of one start; without `ended`, the start was killed."""

    def __init__(self, run: Run, command: str, ready: list[Finding]) -> None:
        folder, names = run.folder / STARTS, {file.name for file in list_starts(run.folder)}
        folder.mkdir(exist_ok=True)
        self.file = next(
            folder / name for number in count(1) if (name := f"{number:03d}.json") not in names
        )
        self.content = {
            "command": command,
            "began": format_now(),
            "ended": None,
            "run": run.identity,
            "seed": run.sweep.seed,
            **describe_software(),
            "kernel": run.machine.get("kernel"),
        }
        self.write(ready)

    def close(self, done: int, failed: int, ready: list[Finding]) -> None:
        """Record the end, the number of forks and the readiness of the machines that measured."""
        # A full disk loses only this record.
        with contextlib.suppress(OSError):
            self.write(ready, ended=format_now(), done=done, failed=failed)

    def write(self, ready: list[Finding], **ended: object) -> None:
        findings = [finding._asdict() for finding in ready]
        write_json(self.file, self.content | {"ready": findings} | ended)


def describe_software() -> dict:
    """Return the commit and whether it is clean, and the versions of Python and its packages."""
    packages = {dist.metadata["Name"].lower(): dist.version for dist in metadata.distributions()}
    # An unpacked archive may lie inside another project's checkout, whose commit is irrelevant.
    found = ask_git("rev-parse", "--show-toplevel", "HEAD") or b""
    top, _, head = found.decode().strip().partition("\n")
    commit = head if head and Path(top) == ROOT else None
    return {
        "commit": commit,
        "clean": ask_git("status", "--porcelain") == b"" if commit else None,
        "python": platform.python_version(),
        "packages": dict(sorted(packages.items())),
    }


def anonymize_command(words: list[str]) -> str:
    """Return a command as typed, with paths shortened to their last component."""
    return " ".join(["./run_all.sh", *(word.rstrip("/").rsplit("/", 1)[-1] for word in words)])


def format_now(precision: str = "seconds") -> str:
    return datetime.now(UTC).isoformat(timespec=precision)
