"""The only file that knows folders."""

from pathlib import Path

from handoff.errors import BadInput
from handoff.text import suggest

ROOT = Path(__file__).resolve().parents[2]
JAVA_BENCH = ROOT / "java-bench"
JAR = JAVA_BENCH / "target" / "benchmarks.jar"
DATA = ROOT / "data"
SWEEPS = DATA / "sweeps"
RUNS = DATA / "runs"
STUDIES = DATA / "studies.json"
SWEEP_SCHEMA = DATA / "sweep.schema.json"
ANSWERS_SCHEMA = DATA / "answers.schema.json"
PUBLISHED = DATA / "published"
CHECKS = DATA / "checks"
CLAIMS = PUBLISHED / "claims"
NOTEBOOKS = ROOT / "notebooks"
STUDY_ROOMS = NOTEBOOKS / "handoff" / "studies"
DOCS = ROOT / "docs"
PAPER = ROOT / "paper"
GENERATED = PAPER / "generated"

LATEST = "latest"
"""Stands for the run that was begun last."""

SHIPPED = "reference"
"""The name of the shipped run, and how those of the other shipped runs begin."""


def find_run_folder(run: str) -> Path:
    """The folder of an existing run, named as in data/runs, by a path, or as the latest.

    BadInput when there is none.
    """
    if run == LATEST:
        return find_latest_run(RUNS)
    folder = Path(run) if "/" in run else RUNS / run
    if not (folder / "plan.json").is_file():
        names = sorted(f.parent.name for f in RUNS.glob("*/plan.json"))
        known = ", ".join(names) or "none yet"
        raise BadInput(
            f"{run} is not a run: {folder} holds no plan.json; known runs: {known}."
            f"{suggest(run, names)}"
        )
    return folder


def find_latest_run(runs: Path) -> Path:
    """The run that was begun or extended last; the shipped one where none was. BadInput when there
    is no run at all.
    """
    folders = [file.parent for file in runs.glob("*/plan.json")]
    own = [folder for folder in folders if not folder.name.startswith(SHIPPED)]
    if own:
        return max(own, key=lambda folder: (folder / "run.json").stat().st_mtime)
    if RUNS / SHIPPED in folders:
        return RUNS / SHIPPED
    raise BadInput(f"{display_path(runs)} holds no run yet.")


def notebook_run_name(folder: Path) -> str:
    """How notebooks are told of a run: by its name where it is one of ours, which names no home
    folder.
    """
    return folder.name if folder.resolve().parent == RUNS else str(folder.resolve())


def generated_folder(folder: Path) -> Path:
    """Where figures and executed notebooks of a run go: in paper/ for our runs, in the run's own
    folder elsewhere.
    """
    return GENERATED / folder.name if folder.resolve().parent == RUNS else folder / "generated"


def display_path(path: Path) -> str:
    """A path for a sentence: relative to the project where it lies inside."""
    path = path.resolve()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
