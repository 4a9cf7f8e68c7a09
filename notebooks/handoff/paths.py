"""The only file that knows folders."""

from pathlib import Path

from handoff import archive
from handoff.errors import BadInput
from handoff.text import suggest

ROOT = Path(__file__).resolve().parents[2]
JAVA_BENCH = ROOT / "java-bench"
JAR = JAVA_BENCH / "target" / "benchmarks.jar"
LABS_JAR = JAR.with_name("labs.jar")
DATA = ROOT / "data"
SWEEPS = DATA / "sweeps"
LAB_SWEEPS = DATA / "labs"
RUNS = DATA / "runs"
UNPACKED = ".unpacked"
"""Beside runs: those that are one file are read from there."""

STUDIES = DATA / "studies.json"
SWEEP_SCHEMA = DATA / "sweep.schema.json"
ANSWERS_SCHEMA = DATA / "answers.schema.json"
TABLES = DATA / "tables.yml"
COLUMNS = DATA / "columns.md"
PUBLISHED = DATA / "published"
CHECKS = DATA / "checks"
CLAIMS = PUBLISHED / "claims"
NOTEBOOKS = ROOT / "notebooks"
STUDY_ROOMS = NOTEBOOKS / "handoff" / "studies"
LABS = NOTEBOOKS / "labs"
LABS_WORK = ROOT / "labs-work"
"""Where students work: outside git."""

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
    if found := locate_run(folder):
        return found
    names = sorted(each.name for each in list_run_folders(RUNS))
    known = ", ".join(names) or "none yet"
    raise BadInput(
        f"{run} is not a run: {folder} holds no plan.json; known runs: {known}."
        f"{suggest(run, names)}"
    )


def locate_run(folder: Path) -> Path | None:
    """A run's folder, or where its archive beside that place is unpacked; None where neither is."""
    if (folder / "plan.json").is_file():
        return folder
    named = folder if folder.suffix == archive.SUFFIX else None
    file = named or folder.with_name(folder.name + archive.SUFFIX)
    return archive.open_archive(file, file.parent / UNPACKED) if file.is_file() else None


def list_run_folders(runs: Path) -> list[Path]:
    """Of all runs there; an archive's is where it is unpacked, unless its folder is there too."""
    names = {file.parent.name for file in runs.glob("*/plan.json")}
    names |= {file.stem for file in runs.glob(f"*{archive.SUFFIX}")}
    found = (locate_run(runs / name) for name in sorted(names))
    return [folder for folder in found if folder is not None]


def find_home(folder: Path) -> Path:
    """The folder that holds a run, or the archive that it comes from."""
    parent = folder.resolve().parent
    return parent.parent if parent.name == UNPACKED else parent


def restore_folder(folder: Path) -> Path:
    """The folder of a run that may be added to: of one that was unpacked from an archive, a copy
    beside the archive, which is only read.
    """
    home = find_home(folder)
    own = home / folder.name
    if folder.resolve().parent != home:
        archive.unpack_archive(home / f"{folder.name}{archive.SUFFIX}", own)
    return own


def find_latest_run(runs: Path) -> Path:
    """The run that was begun or extended last; the shipped one where none was. BadInput when there
    is no run at all.
    """
    folders = list_run_folders(runs)
    own = [folder for folder in folders if not folder.name.startswith(SHIPPED)]
    if own:
        return max(own, key=lambda folder: (folder / "run.json").stat().st_mtime)
    if shipped := locate_run(RUNS / SHIPPED):
        return shipped
    raise BadInput(f"{display_path(runs)} holds no run yet.")


def notebook_run_name(folder: Path) -> str:
    """How notebooks are told of a run: by its name where it is one of ours, which names no home
    folder.
    """
    return folder.name if find_home(folder) == RUNS else str(folder.resolve())


def generated_folder(folder: Path) -> Path:
    """Where figures and executed notebooks of a run go: in paper/ for our runs, in the run's own
    folder elsewhere.
    """
    return GENERATED / folder.name if find_home(folder) == RUNS else folder / "generated"


def display_path(path: Path) -> str:
    """A path for a sentence: relative to the project where it lies inside."""
    path = path.resolve()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
