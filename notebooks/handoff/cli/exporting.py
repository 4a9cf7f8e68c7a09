"""The command `export`: write a run as JMH's JSON or as one table, for other programs."""

import argparse
import json
from pathlib import Path

from handoff.cli.command import Command, add_data
from handoff.cli.runs import find_folder
from handoff.errors import COMPLETE, BadInput
from handoff.files import write_text
from handoff.paths import display_path, generated_folder
from handoff.run.store.run import Run, read_run
from handoff.text import pluralize

ENDINGS = {"jmh": "jmh.json", "csv": "csv"}


def export_run(given: argparse.Namespace) -> int:
    """Write a run in the format of other programs."""
    run = read_run(find_folder(given.run, given.runs))
    # Tables and statistics take a second to load, which other commands need not wait for.
    from handoff.tables import export

    if given.format == "jmh":
        rows = export.make_jmh(run)
        content = json.dumps(rows, indent=1) + "\n"
        what = pluralize(len(rows), "benchmark")
    else:
        table = export.make_table(run)
        rows, content = table.index, table.to_csv(index=False)
        what = pluralize(len(rows), "shot")
    if not len(rows):
        raise BadInput(f"{run.folder.name} has no fork to export.")
    path = Path(given.output) if given.output else locate_export(run, given.format)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, content)
    print(f"{display_path(path)}: {what}.")
    return COMPLETE


def locate_export(run: Run, kind: str) -> Path:
    return generated_folder(run.folder) / f"{run.folder.name}.{ENDINGS[kind]}"


def add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="the run: its name or folder, or latest")
    text = "jmh: JMH's JSON, ns per event, forks x shots, CPU as secondary metrics; csv: one table"
    parser.add_argument("--format", choices=sorted(ENDINGS), required=True, help=text)
    where = "the file to write (default: next to the run's figures)"
    parser.add_argument("--output", default="", metavar="FILE", help=where)
    add_data(parser)


COMMANDS = {
    "export": Command(
        "write a run as JMH's JSON, which JMH's viewers open, or as one CSV file",
        add_export,
        export_run,
    ),
}
