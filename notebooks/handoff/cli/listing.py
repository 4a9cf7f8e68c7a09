"""The list of all runs, of this machine and of others."""

import argparse
from pathlib import Path

from handoff.archive import SUFFIX
from handoff.cli.answers import ListedRun, RunsAnswer
from handoff.errors import COMPLETE, BadInput
from handoff.paths import RUNS, display_path, generated_folder, list_run_folders
from handoff.run.store.run import read_run
from handoff.terminal import console
from handoff.text import pluralize

MIB = 2**20


def list_runs(given: argparse.Namespace) -> int:
    """Print one entry per run, the latest first; of a broken folder or archive, the reason."""
    if not given.runs.is_dir() and given.runs != RUNS:
        raise BadInput(f"--data: {given.runs} is not a folder.")
    broken: dict[str, str] = {}
    rows = list(map(describe_run, list_run_folders(given.runs, broken)))
    for name, reason in broken.items():
        file = given.runs / f"{name}{SUFFIX}"
        rows.append(make_row(name, reason, round(file.stat().st_size / MIB, 1)))
    rows.sort(key=lambda row: str(row["started"]), reverse=True)
    if not rows:
        console.print(f"No run in {display_path(given.runs)}.")
    else:
        console.print("\n".join(map(format_row, rows)))
    if given.json:
        listed = [ListedRun.model_validate(row) for row in rows]
        return RunsAnswer(exit=COMPLETE, runs=listed).print()
    return COMPLETE


def make_row(name: str, about: str, mib: float) -> dict:
    row = {"run": name, "about": about, "machine": "", "started": "", "points": 0}
    return row | {"forks": 0, "found": 0, "verdicts": {}, "mib": mib}


def describe_run(folder: Path) -> dict:
    """Return the entry of a run; of a broken one only the reason."""
    row = make_row(folder.name, "", measure_folder(folder))
    try:
        run = read_run(folder)
        return row | {
            "about": run.sweep.about,
            "machine": run.machine["cpu"] or run.machine["architecture"],
            "started": run.identity["started"],
            "points": len(run.points),
            "forks": len(run.tasks()),
            "found": len(run.tasks()) - len(run.missing()),
            "verdicts": count_judged(generated_folder(folder) / "verdicts.csv"),
        }
    except BadInput as broken:
        return row | {"about": str(broken)}
    except (OSError, ValueError, LookupError, TypeError) as broken:
        reason = f"{type(broken).__name__}: {' '.join(str(broken).split())[:200]}"
        return row | {"about": f"{display_path(folder)} is damaged ({reason})."}


def measure_folder(folder: Path) -> float:
    return round(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / MIB, 1)


def count_judged(path: Path) -> dict[str, int]:
    """Return the number of each verdict that rests on forks."""
    # Statistics take a second to load, which other commands need not wait for.
    from handoff.claims.verdict_table import count_verdicts
    from handoff.claims.verdicts import JUDGED

    counts = count_verdicts(path)
    return {verdict: counts[verdict] for verdict in JUDGED if counts[verdict]}


def format_row(row: dict) -> str:
    """Return two or three lines, which fit narrow terminals."""
    forks = f"{row['found']} of {pluralize(row['forks'], 'fork')}"
    sizes = f"{pluralize(row['points'], 'point')}, {forks}, {row['mib']:g} MiB"
    lines = [f"{row['run']}  {row['started'][:10]}  {sizes}"]
    lines += [f"    {'; '.join(filter(None, [row['about'], row['machine']]))}"]
    verdicts = ", ".join(f"{number} {word}" for word, number in row["verdicts"].items())
    return "\n".join([*lines, *([f"    verdicts: {verdicts}"] if verdicts else [])])
