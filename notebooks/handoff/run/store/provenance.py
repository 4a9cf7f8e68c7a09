"""Where a run's forks come from: one file in sessions/ for every start that measured.

No user, no host, no folder is named.
"""

import contextlib
import hashlib
import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from itertools import count
from pathlib import Path

from handoff.files import write_json
from handoff.paths import ROOT
from handoff.run.host.cpu_settings import Finding
from handoff.run.store.run import Run


class Session:
    """Written when measuring begins, and again when it ends; without `ended`, it was killed."""

    def __init__(self, run: Run, command: str, ready: list[Finding]) -> None:
        folder = run.folder / "sessions"
        folder.mkdir(exist_ok=True)
        self.file = next(
            free for number in count(1) if not (free := folder / f"{number:03d}.json").exists()
        )
        self.content = {
            "command": command,
            "began": format_now(),
            "ended": None,
            "run": run.identity,
            "seed": run.sweep.seed,
        } | describe_software()
        self.content["kernel"] = run.machine.get("kernel")
        write_json(self.file, self.content | describe_readiness(ready))

    def close(self, done: int, failed: int, ready: list[Finding]) -> None:
        """Notes the end, and whether what measured was ready. A disk that is full loses the note,
        nothing else.
        """
        ended = {"ended": format_now(), "done": done, "failed": failed}
        with contextlib.suppress(OSError):
            write_json(self.file, self.content | describe_readiness(ready) | ended)


def describe_readiness(found: list[Finding]) -> dict:
    return {"ready": [finding._asdict() for finding in found]}


def describe_software() -> dict:
    """The commit and whether anything was changed since, the hash of the lock, the versions of
    Python and its packages.
    """
    packages = {found.metadata["Name"].lower(): found.version for found in metadata.distributions()}
    lock = ROOT / "requirements.lock"
    # An unpacked archive may lie inside another checkout, whose commit is not ours.
    top, _, head = (ask_git("rev-parse", "--show-toplevel", "HEAD") or "").partition("\n")
    commit = head if head and Path(top) == ROOT else None
    return {
        "commit": commit,
        "clean": ask_git("status", "--porcelain") == "" if commit else None,
        "lock": hashlib.sha256(lock.read_bytes()).hexdigest() if lock.is_file() else None,
        "python": platform.python_version(),
        "packages": dict(sorted(packages.items())),
    }


def ask_git(*words: str) -> str | None:
    """What git says of this checkout; None where there is no git, or no checkout."""
    command = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), *words]
    try:
        asked = subprocess.run(
            command, capture_output=True, text=True, timeout=30, env=os.environ | {"LC_ALL": "C"}
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return asked.stdout.strip() if asked.returncode == 0 else None


def anonymize_command(words: list[str]) -> str:
    """A command as it was typed, but of folders only the last name."""
    return " ".join(["./run_all.sh", *(word.rstrip("/").rsplit("/", 1)[-1] for word in words)])


def format_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
