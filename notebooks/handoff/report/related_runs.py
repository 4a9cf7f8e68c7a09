"""Runs of the same machine that answer what this one leaves open: sensitivity to our choices, and
warm-up.
"""

from pathlib import Path

from handoff.errors import BadInput
from handoff.paths import find_home, list_run_folders
from handoff.run.store.run import Run, read_run
from handoff.studies.scaling import paper
from handoff.tables import tidy


def find_related(run: Run, profile: str) -> Run | None:
    """The run of that profile beside this one that is most whole, then latest: of the same machine,
    JDK and flags; itself if it is one.
    """
    runs = [
        found
        for folder in list_run_folders(find_home(run.folder))
        if (found := read_if_whole(folder))
        and found.identity["profile"] == profile
        and found.sweep.verdicts
    ]
    alike = [
        r
        for r in runs
        if all(r.identity[key] == run.identity[key] for key in ("machine", "jdk", "flags"))
    ]
    return max(alike, key=lambda r: (-len(r.missing()), r.identity["started"]), default=None)


def list_quoted_forks(run: Run) -> dict[str, list]:
    """The forks of the runs that are quoted beside this one: tells whether what was quoted is still
    so.
    """
    found = [find_related(run, profile) for profile in ("sensitivity", "warmup")]
    return {beside.folder.name: tidy.list_forks(beside) for beside in found if beside}


def read_if_whole(folder: Path) -> Run | None:
    try:
        return read_run(folder)
    except BadInput:
        return None


def build_related(run: Run) -> dict:
    """For numbers.json: `sensitivity` and `warmup`, each None where no such run is
    beside this one.
    """
    return {
        "forks": list_quoted_forks(run),
        "sensitivity": paper.summarize_sensitivity(find_related(run, "sensitivity")),
        "warmup": paper.summarize_warmup(find_related(run, "warmup")),
    }
