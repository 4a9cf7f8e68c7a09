"""The commands that read runs or move them: list, merge, archive, trace, export, publish."""

import argparse
import hashlib
import json
from pathlib import Path

from handoff import archive
from handoff.cli.answers import TraceAnswer
from handoff.cli.command import Command, add_data, add_json
from handoff.cli.listing import list_runs
from handoff.errors import COMPLETE, BadInput
from handoff.files import write_text
from handoff.paths import SHIPPED, display_path, find_home, find_run_folder, generated_folder
from handoff.run import merge
from handoff.run.host import lock
from handoff.run.store.run import read_run
from handoff.text import pluralize

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

REMADE = ["generated", "interrupted", "driver.lock", "progress.json", archive.STAMP]
"""Parts that are made again from the rest, or say what a runner is doing."""


def merge_runs(given: argparse.Namespace) -> int:
    """Copy the forks that one run misses from another run of the same set-up."""
    source, into = (find_run_folder(word, given.runs) for word in (given.source, given.into))
    done = merge.merge_runs(source, into)
    corrupt = f" {done.corrupt} corrupt files were not copied." if done.corrupt else ""
    print(
        f"{pluralize(done.copied, 'fork')} copied into {into.name};"
        f" {done.present} already present.{corrupt}"
    )
    return COMPLETE


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
    with file.open("rb") as written:
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    print(f"{display_path(file)}, {file.stat().st_size / 2**20:.1f} MiB, sha256 {digest}.")
    rest = {path.name for path in folder.iterdir()} - {*content, *REMADE}
    if rest:
        print(f"Not in the archive: {', '.join(sorted(rest))}.")
    print(
        f"It was read back and is on disk. The folder {display_path(folder)} may be removed:"
        " every command reads the archive."
    )
    return COMPLETE


def make_site(given: argparse.Namespace) -> int:
    """Write a folder of pages of a run: its papers and executed notebooks."""
    from handoff.web.site import build_site

    site = build_site(read_run(find_run_folder(given.run, given.runs)))
    print(f"{display_path(site)}/: open index.html, or publish the folder as it is.")
    return COMPLETE


def trace_id(given: argparse.Namespace) -> int:
    """Print what an id stands for, down to its fork files."""
    from handoff.tables import trace

    traced = trace.find_trace(given.identity, given.runs)
    run = read_run(find_run_folder(traced["folder"]))
    print(*trace.describe_trace(traced, run), sep="\n")
    if not given.json:
        return COMPLETE
    states = {
        name: trace.describe_fork_state(run.folder / "forks" / name, then)
        for name, then in traced["forks"].items()
    }
    return TraceAnswer(
        exit=COMPLETE,
        id=traced["id"],
        what=traced["what"],
        run=run.folder.name,
        jar=run.identity["jar"],
        forks=states,
    ).end(as_json=True)


def export_run(given: argparse.Namespace) -> int:
    """Write a run as JMH's JSON."""
    run = read_run(find_run_folder(given.run, given.runs))
    from handoff.tables import export

    rows = export.make_jmh(run)
    if not rows:
        raise BadInput(f"{run.folder.name} has no fork to export.")
    default = generated_folder(run.folder) / f"{run.folder.name}.jmh.json"
    path = Path(given.output or default)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(rows, indent=1) + "\n")
    print(f"{display_path(path)}: {pluralize(len(rows), 'benchmark')}.")
    return COMPLETE


def add_trace(parser: argparse.ArgumentParser) -> None:
    text = "as printed below a figure, or in verdicts.csv"
    parser.add_argument("identity", metavar="ID", help=text)
    add_json(parser)
    add_data(parser)


def add_runs(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    add_data(parser)


def add_merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="FROM", help="the run to take forks from")
    parser.add_argument("into", metavar="INTO", help="the run to add them to")
    add_data(parser)


def add_archive(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        f"An archive holds at most {archive.MOST_FILES:,} files and {archive.MOST_BYTES // 2**30}"
        " GiB, several times what 200,000 forks take. It is read back and compared before the"
        " folder may go."
    )
    parser.add_argument("run", metavar="RUN", help="the run: its name or folder")
    add_data(parser)


def add_site(parser: argparse.ArgumentParser) -> None:
    run = "the run: its name or folder, or latest (default: the shipped one)"
    parser.add_argument("run", nargs="?", default=SHIPPED, metavar="RUN", help=run)
    add_data(parser)


def add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="the run: its name or folder, or latest")
    where = "the file to write (default: next to the run's figures)"
    parser.add_argument("--output", default="", metavar="FILE", help=where)
    add_data(parser)


COMMANDS = {
    "trace": Command(
        "list the fork files behind the id of a figure or verdict", add_trace, trace_id
    ),
    "merge": Command(
        "add to a run the forks of another one of the same machine, jar, JDK and flags",
        add_merge,
        merge_runs,
    ),
    "archive": Command(
        "write a run as one file, which every command that reads runs can read",
        add_archive,
        archive_run,
    ),
    "site": Command(
        "write a folder of pages of a run, its papers and executed notebooks, to publish",
        add_site,
        make_site,
    ),
    "runs": Command(
        "list the runs: about, machine, date, points, forks, verdicts, size", add_runs, list_runs
    ),
    "export": Command(
        "write a run as JMH's JSON, which JMH's viewers open: ns per event, forks x shots, CPU",
        add_export,
        export_run,
    ),
}
