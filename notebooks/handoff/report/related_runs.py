"""Other runs of the same machine that the paper quotes: sensitivity, warm-up, JDKs."""

from pathlib import Path

from handoff.errors import BadInput
from handoff.paths import find_home, list_run_folders
from handoff.report import jdks
from handoff.run.store.run import Run, read_run
from handoff.studies.scaling import paper
from handoff.tables import tidy

PROFILES = ("sensitivity", "warmup", jdks.PROFILE)


def find_related(run: Run, profile: str) -> Run | None:
    """Return the most complete, then latest run of a profile with this machine, JDK and flags.

    It is in the same folder as the run, and may be the run itself.
    """
    runs = filter(None, map(read_if_whole, list_run_folders(find_home(run.folder))))
    alike = [
        other
        for other in runs
        if other.identity["profile"] == profile
        and other.sweep.verdicts
        and all(other.identity[key] == run.identity[key] for key in ("machine", "jdk", "flags"))
    ]
    return max(alike, key=lambda r: (-len(r.missing()), r.identity["started"]), default=None)


def list_quoted_forks(run: Run) -> dict[str, list]:
    """Return the forks of the quoted runs, which show whether a quotation is still current."""
    quoted = [find_related(run, profile) for profile in PROFILES]
    return {other.folder.name: tidy.list_forks(other) for other in quoted if other}


def read_if_whole(folder: Path) -> Run | None:
    try:
        return read_run(folder)
    except BadInput:
        return None


def build_related(run: Run) -> dict:
    """Return `sensitivity`, `warmup` and `jdks` for numbers.json, each None without such a run."""
    return {
        "forks": list_quoted_forks(run),
        "sensitivity": paper.summarize_sensitivity(find_related(run, "sensitivity")),
        "warmup": paper.summarize_warmup(find_related(run, "warmup")),
        "jdks": jdks.describe_jdks(find_related(run, jdks.PROFILE)),
    }
