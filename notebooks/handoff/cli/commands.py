"""The commands beside `run`: what they print, and their exit codes."""

import json
from pathlib import Path

from handoff.catalog import load_catalog
from handoff.cli import answers
from handoff.cli.answers import CompareAnswer, ComparedPoint, TraceAnswer
from handoff.cli.measuring import build_jar
from handoff.cli.pipeline import find_run
from handoff.cli.request import CompareRequest, MergeRequest, TraceRequest
from handoff.errors import COMPLETE, REGRESSION
from handoff.files import write_text
from handoff.paths import (
    ANSWERS_SCHEMA,
    STUDIES,
    SWEEP_SCHEMA,
    display_path,
    find_run_folder,
    generated_folder,
)
from handoff.run import jar, jdk, merge, store, sweep
from handoff.text import pluralize


def find_folder(word: str, runs: Path) -> Path:
    """The folder of a run by its name or path. BadInput when there is none."""
    return find_run(word, runs) or find_run_folder(word)


def merge_runs(request: MergeRequest) -> int:
    """Copies what one run lacks of another measurement of the same run."""
    source, into = (find_folder(word, request.runs) for word in (request.source, request.into))
    done = merge.merge_runs(source, into)
    left = f" {done.corrupt} must not be read as data and were left." if done.corrupt else ""
    print(
        f"{pluralize(done.copied, 'fork')} copied into {into.name};"
        f" {done.there} it has of its own.{left}"
    )
    return COMPLETE


def compare_runs(request: CompareRequest) -> int:
    """Prints what changed and keeps it as a table.

    REGRESSION when a point of the same machine is slower.
    """
    # Statistics take a second to load, which other commands need not wait for.
    from handoff.analysis import comparison, comparison_text

    before, after = (
        store.read_run(find_folder(word, request.runs)) for word in (request.before, request.after)
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
    run = store.read_run(find_run_folder(found["folder"]))
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
    """Writes what is generated from the jar: its studies, and the schema of sweeps that follows."""
    java = jdk.find_jdk()
    build_jar(java, wanted=True)
    write_text(STUDIES, json.dumps(jar.query_jar(java, "studies"), indent=2) + "\n")
    for cached in (load_catalog, sweep.build_sweep_model, sweep.build_entry_model):
        cached.cache_clear()
    write_text(SWEEP_SCHEMA, format_schema() + "\n")
    write_text(ANSWERS_SCHEMA, answers.format_schema() + "\n")
    written = ", ".join(map(display_path, (STUDIES, SWEEP_SCHEMA, ANSWERS_SCHEMA)))
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
