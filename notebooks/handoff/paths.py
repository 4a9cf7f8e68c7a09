"""Folders and files of the project; no other module knows where they are."""

import json
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
"""Folder next to runs into which archived runs are unpacked to be read."""

STUDIES = DATA / "studies.json"
SWEEP_SCHEMA = DATA / "sweep.schema.json"
ANSWERS_SCHEMA = DATA / "answers.schema.json"
TABLES = DATA / "tables.yml"
COLUMNS = DATA / "columns.md"
PUBLISHED = DATA / "published"
CHECKS = DATA / "checks"
CLAIMS = PUBLISHED / "claims"
RECORDED_TESTS = CLAIMS / "tests.csv"
NOTEBOOKS = ROOT / "notebooks"
STUDY_ROOMS = NOTEBOOKS / "handoff" / "studies"
LABS = NOTEBOOKS / "labs"
LABS_WORK = ROOT / "labs-work"
"""Folder in which students work, outside git."""

DOCS = ROOT / "docs"
TRACES = DOCS / "pictures" / "trace"
PAPER = ROOT / "paper"
GENERATED = PAPER / "generated"

LATEST = "latest"
"""Stands for the run that was started last."""

SHIPPED = "reference"
"""Name of the shipped run, and prefix of the names of the other shipped runs."""


def find_run_folder(run: str, runs: Path = RUNS) -> Path:
    """Return the folder of a run as `find_run` does; raise BadInput if it does not exist."""
    if folder := find_run(run, runs):
        return folder
    names = list_run_names(runs)
    raise BadInput(
        f"{run} is not a run: {display_path(runs)} has no folder or archive of this name; known"
        f" runs: {', '.join(names) or 'none yet'}.{suggest(run, names)}"
    )


def find_run(word: str, runs: Path = RUNS) -> Path | None:
    """Return the folder of the run that a word names, or None where it names none.

    A run is named by `reference` (the shipped one), `latest`, its path, or its name in `runs`.
    """
    if word == LATEST:
        return find_latest_run(runs)
    places = [RUNS / word] if word == SHIPPED else [Path(word), runs / word]
    located = next(filter(None, map(locate_run, places)), None)
    return located.resolve() if located else None


def locate_run(folder: Path) -> Path | None:
    """Return a run's folder, or the one with its unpacked archive; None if neither exists."""
    if not folder.name:
        return None
    if (folder / "plan.json").is_file():
        return folder
    packed = folder.suffix == archive.SUFFIX
    file = folder if packed else folder.with_name(folder.name + archive.SUFFIX)
    return archive.open_archive(file, file.parent / UNPACKED) if file.is_file() else None


def list_run_names(runs: Path) -> list[str]:
    """Return the names of all runs, sorted, whether they can be read or not."""
    names = {file.parent.name for file in runs.glob("*/plan.json")}
    return sorted(names | {file.stem for file in runs.glob(f"*{archive.SUFFIX}")})


def list_run_folders(runs: Path, broken: dict[str, str] | None = None) -> list[Path]:
    """Return the folders of all runs; add to `broken`, by name, why an archive cannot be read."""
    folders = []
    for name in list_run_names(runs):
        try:
            folders.append(locate_run(runs / name))
        except BadInput as wrong:
            if broken is not None:
                broken[name] = str(wrong)
    return [folder for folder in folders if folder is not None]


def find_home(folder: Path) -> Path:
    """Return the folder that holds a run or the archive that it was unpacked from."""
    parent = folder.resolve().parent
    return parent.parent if parent.name == UNPACKED else parent


def restore_folder(folder: Path) -> Path:
    """Return a folder of the run that may be written; an archive is unpacked next to itself."""
    home = find_home(folder)
    writable = home / folder.name
    if folder.resolve().parent != home:
        archive.unpack_archive(home / f"{folder.name}{archive.SUFFIX}", writable)
    return writable


def find_latest_run(runs: Path) -> Path:
    """Return the run that was started or extended last, or else the shipped one."""
    measured = [
        folder
        for folder in list_run_folders(runs)
        if not folder.name.startswith(SHIPPED) and find_start(folder)
    ]
    if measured:
        return max(measured, key=find_start)
    if shipped := locate_run(RUNS / SHIPPED):
        return shipped
    raise BadInput(f"{display_path(runs)} holds no run yet.")


def read_identity(folder: Path) -> dict:
    """Return a run's run.json, or {} if it is damaged; a command that loads the run reports it."""
    try:
        identity = json.loads((folder / "run.json").read_text())
    except (OSError, ValueError, RecursionError):
        return {}
    return identity if isinstance(identity, dict) else {}


def find_start(folder: Path) -> str:
    """Return when a run was started or last extended (ISO 8601, UTC), or '' if it is damaged."""
    identity = read_identity(folder)
    # Times of files do not serve: an archive is unpacked later.
    try:
        times = [identity["started"], *(each["began"] for each in identity.get("extensions", []))]
    except (KeyError, TypeError):
        return ""
    return max(map(str, times))


def notebook_run_name(folder: Path) -> str:
    """Return how notebooks refer to a run: by name if it is in data/runs, else by path."""
    # A name shows no home folder of the user.
    return folder.name if find_home(folder) == RUNS else str(folder.resolve())


def generated_folder(folder: Path) -> Path:
    """Return where a run's figures and notebooks go: below paper/, or in a run kept elsewhere."""
    return GENERATED / folder.name if find_home(folder) == RUNS else folder / "generated"


def display_path(path: Path) -> str:
    """Return a path for a message, relative to the project if it lies inside."""
    path = path.resolve()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
