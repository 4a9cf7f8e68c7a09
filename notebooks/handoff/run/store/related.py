"""Other runs of the same machine, JDK and flags, which may answer what a run leaves open."""

from collections.abc import Iterable
from pathlib import Path

from handoff.errors import BadInput
from handoff.paths import find_home, list_run_folders
from handoff.run.store.run import Run, read_run


def find_related(run: Run, profiles: Iterable[str]) -> dict[str, Run | None]:
    """Return the most complete, then latest run of each profile with this machine, JDK and flags.

    They are in the same folder as the run, which may be one of them.
    """
    wanted = list(profiles)
    alike = [
        other
        for other in filter(None, map(read_if_whole, list_run_folders(find_home(run.folder))))
        if other.identity["profile"] in wanted
        and other.sweep.verdicts
        and all(other.identity[key] == run.identity[key] for key in ("machine", "jdk", "flags"))
    ]
    alike.sort(key=lambda other: (-len(other.missing()), other.identity["started"]))
    return dict.fromkeys(wanted) | {other.identity["profile"]: other for other in alike}


def read_if_whole(folder: Path) -> Run | None:
    try:
        return read_run(folder)
    except BadInput:
        return None
