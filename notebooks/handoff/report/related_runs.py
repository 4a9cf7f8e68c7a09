"""Other runs of the same machine that the paper quotes: sensitivity, warm-up, JDKs."""

from pathlib import Path

from handoff.errors import BadInput
from handoff.paths import find_home, list_run_folders
from handoff.report import jdks
from handoff.run.store.run import Run, read_run
from handoff.studies.scaling import paper
from handoff.tables import tidy

PROFILES = {
    "sensitivity": paper.summarize_sensitivity,
    "warmup": paper.summarize_warmup,
    jdks.PROFILE: jdks.describe_jdks,
}
"""What numbers.json has of a run, by profile."""


def find_related(run: Run) -> dict[str, Run | None]:
    """Return the most complete, then latest run of each profile with this machine, JDK and flags.

    They are in the same folder as the run, which may be one of them.
    """
    alike = [
        other
        for other in filter(None, map(read_if_whole, list_run_folders(find_home(run.folder))))
        if other.identity["profile"] in PROFILES
        and other.sweep.verdicts
        and all(other.identity[key] == run.identity[key] for key in ("machine", "jdk", "flags"))
    ]
    alike.sort(key=lambda other: (-len(other.missing()), other.identity["started"]))
    return dict.fromkeys(PROFILES) | {other.identity["profile"]: other for other in alike}


def list_quoted_forks(related: dict[str, Run | None]) -> dict[str, list]:
    """Return the forks of the quoted runs, which show whether a quotation is still current."""
    return {run.folder.name: tidy.list_forks(run) for run in related.values() if run}


def read_if_whole(folder: Path) -> Run | None:
    try:
        return read_run(folder)
    except BadInput:
        return None


def build_related(run: Run) -> dict:
    """Return what is quoted by profile, None without such a run, and the quoted `forks`."""
    related = find_related(run)
    quoted = {name: other and PROFILES[name](other) for name, other in related.items()}
    return {"forks": list_quoted_forks(related), **quoted}
