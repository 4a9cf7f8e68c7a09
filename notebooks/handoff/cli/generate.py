"""The commands that write what is generated: studies, schemas, the page of columns, verdicts."""

import argparse
import json

from handoff.catalog import load_catalog
from handoff.cli import answers
from handoff.cli.command import Command, add_nothing
from handoff.cli.measuring import build_jar
from handoff.errors import COMPLETE
from handoff.files import write_text
from handoff.paths import ANSWERS_SCHEMA, COLUMNS, STUDIES, SWEEP_SCHEMA, display_path
from handoff.run.java import jar, jdk
from handoff.run.plan import sweep


def describe_jar(_: argparse.Namespace) -> int:
    """Write what is generated from the jar: studies, schemas and columns."""
    java = jdk.find_jdk()
    build_jar(java, wanted=True)
    write_text(STUDIES, json.dumps(jar.query_jar(java, "studies"), indent=2) + "\n")
    for cached in (load_catalog, sweep.build_sweep_model, sweep.build_entry_model):
        cached.cache_clear()
    write_text(SWEEP_SCHEMA, format_schema() + "\n")
    write_text(ANSWERS_SCHEMA, answers.format_schema() + "\n")
    from handoff.claims import verdict_table
    from handoff.tables import schema

    write_text(COLUMNS, schema.format_page(verdict_table.describe_tables()))
    written = STUDIES, SWEEP_SCHEMA, ANSWERS_SCHEMA, COLUMNS
    print(f"Wrote {', '.join(map(display_path, written))}.")
    return COMPLETE


def write_verdicts(_: argparse.Namespace) -> int:
    """Write the pages of verdicts and of machines, README's results and pictures."""
    from handoff.report import verdict_page

    print(f"Wrote {', '.join(map(display_path, verdict_page.write_page()))}.")
    return COMPLETE


def print_schema(_: argparse.Namespace) -> int:
    print(format_schema())
    return COMPLETE


def format_schema() -> str:
    """Return the JSON schema of sweeps, which editors read."""
    return json.dumps(sweep.build_sweep_model().model_json_schema(), indent=2)


COMMANDS = {
    "describe": Command(
        "write data/studies.json and the schemas of data/ again, from the jar",
        add_nothing,
        describe_jar,
    ),
    "verdicts": Command(
        "write docs/verdicts.md, docs/machines.md, README's results and pictures again",
        add_nothing,
        write_verdicts,
    ),
    "schema": Command("print the JSON schema of sweeps", add_nothing, print_schema),
}
