"""The commands that list and archive runs."""

import argparse
from pathlib import Path

from handoff import archive
from handoff.claims.verdict_table import count_verdicts
from handoff.claims.verdicts import JUDGED
from handoff.cli.answers import ListedRun, RunsAnswer
from handoff.cli.request import add_data, add_json
from handoff.errors import COMPLETE, BadInput
from handoff.paths import (
    RUNS,
    display_path,
    find_home,
    find_run_folder,
    generated_folder,
    list_run_folders,
)
from handoff.run.host import lock
from handoff.run.store.run import read_run
from handoff.text import console, pluralize

ARCHIVED = [
    "machine.json",
    "run.json",
    "plan.json",
    "sweep.yml",
    "forks",
    "failed",
    "timed-out",
    "quarantine",
    "starts",
    "tidy",
]
"""Parts of a run in its archive, in addition to the sweeps and plans of its extensions."""

REMADE = ["generated", "driver.lock", "progress.json", archive.STAMP]
"""Parts that are made again from the rest, or say what a runner is doing."""


def list_runs(given: argparse.Namespace) -> int:
    """Print one entry per run, the latest first; of a broken folder or archive, the reason."""
    if not given.runs.is_dir() and given.runs != RUNS:
        raise BadInput(f"--data: {given.runs} is not a folder.")
    broken: dict[str, str] = {}
    runs = [describe_run(folder) for folder in list_run_folders(given.runs, broken)]
    runs += [describe_broken(name, reason) for name, reason in broken.items()]
    runs.sort(key=lambda run: run.started, reverse=True)
    entries = "\n".join(map(format_entry, runs))
    console.print(entries or f"No run in {display_path(given.runs)}.")
    return RunsAnswer(exit=COMPLETE, runs=runs).end(given.json)


def describe_run(folder: Path) -> ListedRun:
    """Return the entry of a run; of a broken one only the reason."""
    try:
        run, counts = read_run(folder), count_verdicts(generated_folder(folder) / "verdicts.csv")
        return ListedRun(
            run=folder.name,
            about=run.sweep.about,
            machine=run.machine["cpu"] or run.machine["architecture"],
            started=run.identity["started"],
            points=len(run.points),
            forks=len(run.tasks()),
            found=len(run.tasks()) - len(run.missing()),
            verdicts={verdict: counts[verdict] for verdict in JUDGED if counts[verdict]},
        )
    except BadInput as broken:
        about = str(broken)
    except (OSError, ValueError, LookupError, TypeError) as broken:
        reason = f"{type(broken).__name__}: {' '.join(str(broken).split())[:200]}"
        about = f"{display_path(folder)} is damaged ({reason})."
    return describe_broken(folder.name, about)


def describe_broken(name: str, reason: str) -> ListedRun:
    counts = {"points": 0, "forks": 0, "found": 0}
    return ListedRun(run=name, about=reason, machine="", started="", verdicts={}, **counts)


def format_entry(run: ListedRun) -> str:
    """Return two or three lines, which fit narrow terminals."""
    points, forks = pluralize(run.points, "point"), pluralize(run.forks, "fork")
    lines = [
        f"{run.run}  {run.started[:10]}  {points}, {run.found} of {forks}",
        f"    {'; '.join(filter(None, [run.about, run.machine]))}",
    ]
    if run.verdicts:
        counts = ", ".join(f"{number} {verdict}" for verdict, number in run.verdicts.items())
        lines.append(f"    verdicts, over all settings: {counts}")
    return "\n".join(lines)


def archive_run(given: argparse.Namespace) -> int:
    """Write a run's archive next to its folder."""
    folder = find_run_folder(given.run, given.runs)
    file = find_home(folder) / f"{folder.name}{archive.SUFFIX}"
    if file.parent != folder.resolve().parent:
        raise BadInput(f"{folder.name} is already an archive: {display_path(file)}.")
    with lock.hold_run(folder):
        if missing := read_run(folder).missing():
            print(f"{pluralize(len(missing), 'fork')} missing; {folder.name} is archived as it is.")
        content = [*ARCHIVED, *(path.name for path in folder.glob("*-*.*"))]
        archive.pack_folder(folder, file, content)
    size, digest = file.stat().st_size / 2**20, archive.hash_file(file)
    print(f"{display_path(file)}, {size:.1f} MiB, sha256 {digest}.")
    rest = {path.name for path in folder.iterdir()} - {*content, *REMADE}
    if rest:
        print(f"Not in the archive: {', '.join(sorted(rest))}.")
    print(
        f"It was read back and is on disk. The folder {display_path(folder)} may be removed:"
        " every command reads the archive."
    )
    return COMPLETE


def add_runs(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    add_data(parser)


def add_archive(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        f"An archive holds at most {archive.MOST_FILES:,} files and {archive.MOST_BYTES // 2**30}"
        " GiB, several times what 200,000 forks take. It is read back and compared before the"
        " folder may go."
    )
    parser.add_argument("run", metavar="RUN", help="the run: its name or folder")
    add_data(parser)
