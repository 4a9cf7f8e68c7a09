"""The commands that read runs or move them: list, merge, archive, compare, trace, publish."""

import argparse
import hashlib
from pathlib import Path

from handoff import archive
from handoff.cli.answers import CompareAnswer, ComparedPoint, TraceAnswer
from handoff.cli.command import Command, add_data, add_json
from handoff.cli.listing import list_runs
from handoff.cli.pipeline import find_run
from handoff.errors import COMPLETE, BadInput
from handoff.paths import (
    SHIPPED,
    display_path,
    find_home,
    find_run_folder,
    generated_folder,
    restore_folder,
)
from handoff.run import merge
from handoff.run.store.run import read_run
from handoff.text import pluralize

MAX_PERCENT = 1000


def find_folder(word: str, runs: Path) -> Path:
    """Return the folder of a run by its name or path; raise BadInput when it does not exist."""
    return find_run(word, runs) or find_run_folder(word)


def merge_runs(given: argparse.Namespace) -> int:
    """Copy the forks that one run misses from another run of the same set-up."""
    source, into = (find_folder(word, given.runs) for word in (given.source, given.into))
    into = restore_folder(into)
    done = merge.merge_runs(source, into)
    corrupt = f" {done.corrupt} corrupt files were not copied." if done.corrupt else ""
    print(
        f"{pluralize(done.copied, 'fork')} copied into {into.name};"
        f" {done.present} already present.{corrupt}"
    )
    return COMPLETE


def archive_run(given: argparse.Namespace) -> int:
    """Write a run's archive next to its folder."""
    run = read_run(find_folder(given.run, given.runs))
    if missing := run.missing():
        print(f"{pluralize(len(missing), 'fork')} missing; {run.folder.name} is archived as it is.")
    file = find_home(run.folder) / f"{run.folder.name}{archive.SUFFIX}"
    if file.parent != run.folder.resolve().parent:
        raise BadInput(f"{run.folder.name} is already an archive: {display_path(file)}.")
    later = [path.name for path in run.folder.glob("*-*.*")]
    archive.pack_folder(run.folder, file, [*ARCHIVED, *later])
    with file.open("rb") as written:
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    print(f"{display_path(file)}, {file.stat().st_size / 2**20:.1f} MiB, sha256 {digest}.")
    known = {*ARCHIVED, *later, *REMADE}
    if extra := sorted(path.name for path in run.folder.iterdir() if path.name not in known):
        print(f"Not in the archive: {', '.join(extra)}.")
    print(
        f"It was read back and is on disk. The folder {display_path(run.folder)} may be removed:"
        " every command reads the archive."
    )
    return COMPLETE


def make_site(given: argparse.Namespace) -> int:
    """Write a folder of pages of a run: its papers and executed notebooks."""
    # Drawing and nbconvert take seconds to load, which other commands need not wait for.
    from handoff.web.site import build_site

    site = build_site(read_run(find_folder(given.run, given.runs)))
    print(f"{display_path(site)}/: open index.html, or publish the folder as it is.")
    return COMPLETE


ARCHIVED = [
    "machine.json",
    "run.json",
    "plan.json",
    "ro-crate-metadata.json",
    "sweep.yml",
    "forks",
    "failed",
    "timed-out",
    "quarantine",
    "abandoned",
    "sessions",
    "starts",
    "tidy",
]
"""What an archive holds of a run, in addition to the sweeps and plans of its extensions."""

REMADE = ["generated", "interrupted", "driver.lock", "progress.json", archive.STAMP]
"""What is made again from the rest, or says what a runner is doing."""


def compare_runs(given: argparse.Namespace) -> int:
    """Print what changed between two runs and write it as a table; return the exit code."""
    margin, detect = parse_limits(given)
    # Statistics take a second to load, which other commands need not wait for.
    from handoff.analysis import comparison
    from handoff.analysis.gate import NOT_JUDGED, SLOWER

    before, after = (
        read_run(find_folder(word, given.runs)) for word in (given.before, given.after)
    )
    if before.folder == after.folder:
        raise BadInput(f"{given.before} and {given.after} are the same run.")
    compared = comparison.compare_runs(before, after, margin, detect)
    lines = comparison.describe_comparison(compared, before, after, margin, given.all)
    print(*lines, sep="\n")
    path = generated_folder(after.folder) / f"compared-with-{before.folder.name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    compared.rows.to_csv(path, index=False)
    print(f"Table: {display_path(path)}")
    if given.json:
        rows = compared.rows.astype(object).where(compared.rows.notna(), None)
        slower, not_judged = (
            list(rows.loc[rows["outcome"] == word, "point"]) for word in (SLOWER, NOT_JUDGED)
        )
        return CompareAnswer(
            exit=compared.code,
            before=before.folder.name,
            after=after.folder.name,
            same_kind=not compared.unlike,
            changed=compared.unlike or compared.changed,
            slower=slower,
            not_judged=not_judged,
            missing=compared.missing,
            points=[ComparedPoint.model_validate(row) for row in rows.to_dict("records")],
            table=str(path),
        ).print()
    return compared.code


def parse_limits(given: argparse.Namespace) -> tuple[float, float]:
    """Return margin and detectable slowdown as shares; raise BadInput for impossible ones.

    Without --detect, three times the margin, and at least a doubling.
    """
    detect = (
        min(MAX_PERCENT, max(100.0, 3 * given.margin)) if given.detect is None else given.detect
    )
    for name, percent in (("margin", given.margin), ("detect", detect)):
        if not 0 <= percent <= MAX_PERCENT:
            raise BadInput(
                f"--{name} is {percent:g}; expected a percentage from 0 to {MAX_PERCENT}."
            )
    if detect <= given.margin:
        raise BadInput(f"--detect is {detect:g}; expected more than the margin, {given.margin:g}.")
    return given.margin / 100, detect / 100


def trace_id(given: argparse.Namespace) -> int:
    """Print what an id stands for, down to its fork files."""
    # Tables take half a second to load.
    from handoff.tables import trace

    traced = trace.find_trace(given.identity, given.runs)
    run = read_run(find_run_folder(traced["folder"]))
    print(*trace.describe_trace(traced, run), sep="\n")
    if given.json:
        forks = run.folder / "forks"
        states = {
            name: trace.describe_fork_state(forks / name, then)
            for name, then in traced["forks"].items()
        }
        return TraceAnswer(
            exit=COMPLETE,
            id=traced["id"],
            what=traced["what"],
            run=run.folder.name,
            jar=run.identity["jar"],
            forks=states,
        ).print()
    return COMPLETE


def add_trace(parser: argparse.ArgumentParser) -> None:
    text = "as printed below a figure, or in verdicts.csv"
    parser.add_argument("identity", metavar="ID", help=text)
    add_json(parser)
    add_data(parser)


def add_runs(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    add_data(parser)


def add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", metavar="BEFORE", help="the run before: its name or folder")
    parser.add_argument("after", metavar="AFTER", help="the run after")
    add_limits(parser)
    parser.add_argument("--all", action="store_true", help="also print what did not change")
    add_json(parser)
    add_data(parser)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the limits that say what counts as slower, and as judged."""
    margin = "how many percent slower a point must be to count (default 5)"
    parser.add_argument("--margin", type=float, default=5.0, metavar="PERCENT", help=margin)
    detect = (
        "a point whose forks would not show such a slowdown is not judged (default 100, or three"
        " times the margin if that is more)"
    )
    parser.add_argument("--detect", type=float, metavar="PERCENT", help=detect)


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


COMMANDS = {
    "trace": Command(
        "list the fork files behind the id of a figure or verdict", add_trace, trace_id
    ),
    "compare": Command(
        "what changed between two runs; exit code 4: slower, 6: not judged",
        add_compare,
        compare_runs,
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
}
