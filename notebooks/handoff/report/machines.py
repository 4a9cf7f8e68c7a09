"""docs/machines.md: what runs of several machines say, side by side and never pooled."""

import re
from pathlib import Path

from handoff.claims import verdicts
from handoff.claims.files import load_claim_files
from handoff.claims.verdict_table import build_verdict_table
from handoff.files import write_text
from handoff.paths import DOCS, RUNS, SHIPPED, list_run_folders
from handoff.run.host.machine import count_usable, count_usable_cores
from handoff.run.store.run import Run, read_run
from handoff.study import find_primary
from handoff.tables import tidy
from handoff.text import format_table

PAGE = DOCS / "machines.md"
NAMES = (SHIPPED, "machine-")
"""What the names of run archives start with that the page reads."""

PROFILES = ("quick", "full", "paper")
"""Profiles that hold the study's points, so that their runs can be compared."""

MARKS = {
    verdicts.REPRODUCED: "●",
    verdicts.DIRECTION: "✚",
    verdicts.SMALLER: "▼",
    verdicts.LARGER: "▲",
    verdicts.UNDECIDED: "◆",
    verdicts.CONTRADICTED: "✖",
    verdicts.INCONCLUSIVE: "■",
    verdicts.HOLDS: "○",
    verdicts.FAILS: "×",
}
NONE = "–"

QUEUE, POOL, ALONE = "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "SEQUENTIAL"
HEAD = """\
# Verdicts by machine

Written by `./run_all.sh verdicts` from the runs of the paper's study in `data/runs` whose names
start with `reference` or `machine-`. Machines are never pooled: each run is judged by itself, by
the same rules. To add a machine, [send its run](../.github/ISSUE_TEMPLATE/run.yml).
"""


def list_machine_runs() -> list[Run]:
    """Return the runs of the paper's study in data/runs that are to be shown, the shipped first."""
    named = [folder for folder in list_run_folders(RUNS) if folder.name.startswith(NAMES)]
    runs = [
        run
        for run in map(read_run, sorted(named, key=lambda f: (f.name != SHIPPED, f.name)))
        if run.identity["profile"] in PROFILES
        and any(point.study == find_primary().name for point in run.points)
    ]
    for run in runs:
        tidy.write_tables(run)
    return runs


def write_machines(runs: list[Run], more: list[str]) -> Path:
    """Write the page, with `more` at its end, and return its path."""
    lines = [HEAD, *describe_machines(runs), "", *describe_verdicts(runs), "", *more]
    write_text(PAGE, "\n".join(lines))
    return PAGE


def describe_machines(runs: list[Run]) -> list[str]:
    """Return the table of machines; what a run says of itself is cleaned of markup."""
    rows = []
    for run in runs:
        shots = tidy.load_table(run, find_primary().name)
        rows.append(
            {
                "run": run.folder.name,
                "processor": clean(run.machine["cpu"] or run.machine["architecture"]),
                "sockets": count_usable(run.machine, "socket") or "?",
                "cores": count_usable_cores(run.machine),
                "kind": "virtual" if run.machine["topology"]["virtual"] else "physical",
                "JDK": clean(run.identity["jdk"]),
                "measured": clean(run.identity["started"])[:10],
                "sessions": shots["session"].nunique() if len(shots) else 0,
                "forks": len(shots.drop_duplicates(["point", "fork"])),
            }
        )
    return format_table(list(rows[0]), [row.values() for row in rows])


def describe_verdicts(runs: list[Run]) -> list[str]:
    """Return the table of verdicts, one mark per claim and setting."""
    tables = {run.folder.name: build_verdict_table(run, [find_primary().name]) for run in runs}
    marks: dict[str, dict[str, str]] = {}
    for name, table in tables.items():
        marks[name] = {}
        for row in table.itertuples():
            before = marks[name].get(row.claim, "")
            marks[name][row.claim] = f"{before} {MARKS.get(row.verdict, NONE)}".strip()
    claims = list(dict.fromkeys(claim for known in marks.values() for claim in known))
    body = [[name, *(known.get(claim, NONE) for claim in claims)] for name, known in marks.items()]
    legend = ", ".join(f"{mark} {verdict}" for verdict, mark in MARKS.items())
    settings = list(load_claim_files()[find_primary().name].settings)
    return [
        "## Verdicts",
        "",
        *format_table(["run", *claims], body),
        "",
        f"Two marks: {' and '.join(settings)}. {legend}, {NONE} not judged there. How many points a"
        " verdict stands for: [verdicts](verdicts.md).",
    ]


def clean(words: object) -> str:
    """Return at most 80 characters of a stranger's words, without markup, links and mentions."""
    plain = re.sub(r"[^\w .,+()@-]|@(?=\S)|www\.", "", str(words), flags=re.ASCII | re.IGNORECASE)
    return plain[:80].strip()
