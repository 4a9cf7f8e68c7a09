"""The commands beside `run`: what they print, and their exit codes."""

import hashlib
import json
from pathlib import Path

from handoff import archive
from handoff.catalog import load_catalog
from handoff.cli import answers
from handoff.cli.answers import CompareAnswer, ComparedPoint, TraceAnswer
from handoff.cli.measuring import build_jar
from handoff.cli.pipeline import find_run
from handoff.cli.request import (
    ArchiveRequest,
    CompareRequest,
    MergeRequest,
    SiteRequest,
    TraceRequest,
)
from handoff.errors import COMPLETE, REGRESSION, BadInput
from handoff.files import write_text
from handoff.paths import (
    ANSWERS_SCHEMA,
    COLUMNS,
    STUDIES,
    SWEEP_SCHEMA,
    display_path,
    find_home,
    find_run_folder,
    generated_folder,
    restore_folder,
)
from handoff.run import merge
from handoff.run.java import jar, jdk
from handoff.run.plan import sweep
from handoff.run.store.run import read_run
from handoff.text import pluralize


def find_folder(word: str, runs: Path) -> Path:
    """The folder of a run by its name or path. BadInput when there is none."""
    return find_run(word, runs) or find_run_folder(word)


def merge_runs(request: MergeRequest) -> int:
    """Copies what one run lacks of another measurement of the same run."""
    source, into = (find_folder(word, request.runs) for word in (request.source, request.into))
    into = restore_folder(into)
    done = merge.merge_runs(source, into)
    left = f" {done.corrupt} must not be read as data and were left." if done.corrupt else ""
    print(
        f"{pluralize(done.copied, 'fork')} copied into {into.name};"
        f" {done.there} it has of its own.{left}"
    )
    return COMPLETE


def archive_run(request: ArchiveRequest) -> int:
    """Makes one file of a run, beside its folder."""
    run = read_run(find_folder(request.run, request.runs))
    if left := run.missing():
        print(f"{run.folder.name} lacks {pluralize(len(left), 'fork')}; it is archived as it is.")
    file = find_home(run.folder) / f"{run.folder.name}{archive.SUFFIX}"
    if file.parent != run.folder.resolve().parent:
        raise BadInput(f"{run.folder.name} is an archive already: {display_path(file)}.")
    later = [path.name for path in run.folder.glob("*-*.*")]
    archive.pack_folder(run.folder, file, [*ARCHIVED, *later])
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    print(
        f"{display_path(file)}, {file.stat().st_size / 2**20:.1f} MiB, sha256 {digest}.\n"
        f"The folder {display_path(run.folder)} may be removed: every command reads the archive."
    )
    return COMPLETE


def make_site(request: SiteRequest) -> int:
    """Makes a folder of pages of what a run has been made into."""
    # Drawing and nbconvert take seconds to load, which other commands need not wait for.
    from handoff.web.site import build_site

    site = build_site(read_run(find_folder(request.run, request.runs)))
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
    "tidy",
]
"""What of a run goes into its archive, besides the sweeps and plans of its extensions."""


def compare_runs(request: CompareRequest) -> int:
    """Prints what changed and keeps it as a table.

    REGRESSION when a point of the same machine is slower.
    """
    # Statistics take a second to load, which other commands need not wait for.
    from handoff.analysis import comparison, comparison_text

    before, after = (
        read_run(find_folder(word, request.runs)) for word in (request.before, request.after)
    )
    found = comparison.compare_runs(before, after, request.margin)
    lines = comparison_text.describe_comparison(found, before, after, request.margin, request.whole)
    print(*lines, sep="\n")
    path = generated_folder(after.folder) / f"compared-with-{before.folder.name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    found.rows.to_csv(path, index=False)
    print(f"Table: {display_path(path)}")
    code = COMPLETE if found.slower.empty else REGRESSION
    if request.json:
        told = found.rows.astype(object).where(found.rows.notna(), None)
        return CompareAnswer(
            exit=code,
            before=before.folder.name,
            after=after.folder.name,
            same_machine=found.same_machine,
            changed=found.changed,
            slower=list(found.slower["point"]),
            points=[ComparedPoint.model_validate(row) for row in told.to_dict("records")],
            table=str(path),
        ).print()
    return code


def trace_id(request: TraceRequest) -> int:
    """Prints what an id stands for, down to its fork files."""
    # Tables take half a second to load.
    from handoff.tables import trace

    found = trace.find_trace(request.identity, request.runs)
    run = read_run(find_run_folder(found["folder"]))
    print(*trace.describe_trace(found, run), sep="\n")
    if request.json:
        forks = run.folder / "forks"
        states = {
            name: trace.describe_fork_state(forks / name, then)
            for name, then in found["forks"].items()
        }
        return TraceAnswer(
            exit=COMPLETE,
            id=found["id"],
            what=found["what"],
            run=run.folder.name,
            jar=run.identity["jar"],
            forks=states,
        ).print()
    return COMPLETE


def describe_jar(_: None) -> int:
    """Writes what is generated: the jar's studies, the schemas of data/, the page of columns."""
    java = jdk.find_jdk()
    build_jar(java, wanted=True)
    write_text(STUDIES, json.dumps(jar.query_jar(java, "studies"), indent=2) + "\n")
    for cached in (load_catalog, sweep.build_sweep_model, sweep.build_entry_model):
        cached.cache_clear()
    write_text(SWEEP_SCHEMA, format_schema() + "\n")
    write_text(ANSWERS_SCHEMA, answers.format_schema() + "\n")
    # Tables take half a second to load, which other commands need not wait for.
    from handoff.claims import columns
    from handoff.tables import schema

    write_text(COLUMNS, schema.format_page(columns.TABLES))
    written = ", ".join(map(display_path, (STUDIES, SWEEP_SCHEMA, ANSWERS_SCHEMA, COLUMNS)))
    print(f"Wrote {written}.")
    return COMPLETE


def write_verdicts(_: None) -> int:
    """Writes the page of all verdicts, and the pictures of README."""
    # Statistics and drawing take seconds to load.
    from handoff.report import verdict_page

    print(f"Wrote {', '.join(display_path(path) for path in verdict_page.write_page())}.")
    return COMPLETE


def print_schema(_: None) -> int:
    """Prints the JSON schema of sweeps, for editors."""
    print(format_schema())
    return COMPLETE


def format_schema() -> str:
    return json.dumps(sweep.build_sweep_model().model_json_schema(), indent=2)
