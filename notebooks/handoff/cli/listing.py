"""The list of all runs, of this machine and of others."""

import argparse
from pathlib import Path

from handoff.cli.answers import ListedRun, RunsAnswer
from handoff.errors import COMPLETE, BadInput
from handoff.paths import display_path, generated_folder, list_run_folders
from handoff.run.store.run import read_run
from handoff.terminal import console
from handoff.text import pluralize

MIB = 2**20


def list_runs(given: argparse.Namespace) -> int:
    """Print one entry per run, the latest first."""
    folders = list_run_folders(given.runs)
    rows = sorted(map(describe_run, folders), key=lambda row: str(row["started"]), reverse=True)
    if not rows:
        console.print(f"No run in {display_path(given.runs)}.")
    else:
        console.print("\n".join(map(format_row, rows)))
    if given.json:
        listed = [ListedRun.model_validate(row) for row in rows]
        return RunsAnswer(exit=COMPLETE, runs=listed).print()
    return COMPLETE


def describe_run(folder: Path) -> dict:
    """Return the entry of a run; of a broken one only the reason."""
    row = {"run": folder.name, "about": "", "machine": "", "started": "", "points": 0}
    row |= {"forks": 0, "found": 0, "verdicts": {}, "mib": measure_folder(folder)}
    try:
        run = read_run(folder)
    except BadInput as broken:
        return row | {"about": str(broken)}
    return row | {
        "about": run.sweep.about,
        "machine": run.machine["cpu"] or run.machine["architecture"],
        "started": run.identity["started"],
        "points": len(run.points),
        "forks": len(run.tasks()),
        "found": len(run.tasks()) - len(run.missing()),
        "verdicts": count_judged(generated_folder(folder) / "verdicts.csv"),
    }


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
