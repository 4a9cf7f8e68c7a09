"""The list of all runs, of this machine and of others."""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from handoff.archive import SUFFIX
from handoff.cli.answers import ListedRun, RunsAnswer
from handoff.errors import COMPLETE, BadInput
from handoff.paths import RUNS, display_path, generated_folder, list_run_folders
from handoff.run.store.run import read_run
from handoff.terminal import console
from handoff.text import pluralize


def list_runs(given: argparse.Namespace) -> int:
    """Print one entry per run, the latest first; of a broken folder or archive, the reason."""
    if not given.runs.is_dir() and given.runs != RUNS:
        raise BadInput(f"--data: {given.runs} is not a folder.")
    broken: dict[str, str] = {}
    runs = [describe_run(folder) for folder in list_run_folders(given.runs, broken)]
    runs += [
        describe_broken(name, reason, measure_mib([given.runs / f"{name}{SUFFIX}"]))
        for name, reason in broken.items()
    ]
    runs.sort(key=lambda run: run.started, reverse=True)
    entries = "\n".join(map(format_entry, runs))
    console.print(entries or f"No run in {display_path(given.runs)}.")
    return RunsAnswer(exit=COMPLETE, runs=runs).end(given.json)


def describe_run(folder: Path) -> ListedRun:
    """Return the entry of a run; of a broken one only the reason."""
    size = measure_mib(folder.rglob("*"))
    try:
        run = read_run(folder)
        return ListedRun(
            run=folder.name,
            about=run.sweep.about,
            machine=run.machine["cpu"] or run.machine["architecture"],
            started=run.identity["started"],
            points=len(run.points),
            forks=len(run.tasks()),
            found=len(run.tasks()) - len(run.missing()),
            verdicts=count_judged(generated_folder(folder) / "verdicts.csv"),
            mib=size,
        )
    except BadInput as broken:
        about = str(broken)
    except (OSError, ValueError, LookupError, TypeError) as broken:
        reason = f"{type(broken).__name__}: {' '.join(str(broken).split())[:200]}"
        about = f"{display_path(folder)} is damaged ({reason})."
    return describe_broken(folder.name, about, size)


def describe_broken(name: str, reason: str, mib: float) -> ListedRun:
    unknown: dict[str, Any] = {"machine": "", "started": "", "verdicts": {}}
    return ListedRun(run=name, about=reason, points=0, forks=0, found=0, mib=mib, **unknown)


def measure_mib(files: Iterable[Path]) -> float:
    return round(sum(file.stat().st_size for file in files if file.is_file()) / 2**20, 1)


def count_judged(path: Path) -> dict[str, int]:
    """Return the number of each verdict that rests on forks."""
    from handoff.claims.verdict_table import count_verdicts
    from handoff.claims.verdicts import JUDGED

    counts = count_verdicts(path)
    return {verdict: counts[verdict] for verdict in JUDGED if counts[verdict]}


def format_entry(run: ListedRun) -> str:
    """Return two or three lines, which fit narrow terminals."""
    points, forks = pluralize(run.points, "point"), pluralize(run.forks, "fork")
    lines = [
        f"{run.run}  {run.started[:10]}  {points}, {run.found} of {forks}, {run.mib:g} MiB",
        f"    {'; '.join(filter(None, [run.about, run.machine]))}",
    ]
    if run.verdicts:
        counts = ", ".join(f"{number} {verdict}" for verdict, number in run.verdicts.items())
        lines.append(f"    verdicts: {counts}")
    return "\n".join(lines)
