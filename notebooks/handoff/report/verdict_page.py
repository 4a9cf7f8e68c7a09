"""docs/verdicts.md, README's results and pictures: the verdicts of the shipped runs."""

import json
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from handoff.analysis.forks import compute_fork_means
from handoff.claims import verdict_table
from handoff.claims.claim_rows import (
    CHOICES,
    REST,
    RESULTS,
    describe_answer,
    describe_usual,
    tabulate_choices,
    tabulate_claims,
)
from handoff.claims.files import load_claim_files
from handoff.claims.history import describe_seen
from handoff.claims.report import describe_drift, describe_wake_ups
from handoff.claims.run_judging import describe_judging
from handoff.claims.verdicts import DECIDED, JUDGED, RULES
from handoff.errors import Failure
from handoff.files import write_json, write_text
from handoff.paths import DOCS, ROOT, RUNS, SHIPPED, TRACES, list_run_folders
from handoff.report import jdks, machines
from handoff.report.settings import describe_results
from handoff.run.store.related import find_related
from handoff.run.store.run import Run, read_run
from handoff.study import find_primary, find_study
from handoff.tables import tidy, trace
from handoff.text import format_table

PAGE = DOCS / "verdicts.md"
README = ROOT / "README.md"
PICTURES = TRACES.parent
SHOWN = ("scaling_cost", "ladder")
"""Figures that README shows, as far as the shipped run has them."""

BLOCK = re.compile(r"(<!-- results: [^>]*-->\n).*?(<!-- end -->)", re.DOTALL)

HEAD = """\
# Verdicts of the shipped runs

Written by `./run_all.sh verdicts` from `data/runs/reference*`; a test keeps it current. A verdict
stands with the ratio or level that decides, and its interval. What the words mean, and how a claim
is judged: [concepts](concepts.md). Rules and tests: version {rules}. {judging}
"""


CHOICES_HEAD = """\
Choices that the source does not state, each alone, and the number that decides with it. A choice
surely leads to another verdict if the interval of *with ÷ without* excludes 1."""


def write_page() -> list[Path]:
    """Write the pages, the pictures and README's results, and return their paths."""
    runs = list_shipped_runs()
    for run in {run.folder: run for run in runs.values()}.values():
        tidy.write_tables(run)
    tables = {study: verdict_table.build_verdict_table(run, [study]) for study, run in runs.items()}
    sections = [describe_study(study, run, tables[study]) for study, run in runs.items()]
    judging = dict.fromkeys(describe_judging(run, study) for study, run in runs.items())
    head = HEAD.format(rules=RULES.replace(", ", " of "), judging=" ".join(judging))
    shipped = runs[find_primary().name]
    write_text(PAGE, "\n".join([head, *sections, describe_tests(tables[find_primary().name])]))
    pictures = draw_pictures(shipped)
    write_results(shipped)
    two = find_related(shipped, [jdks.PROFILE])[jdks.PROFILE]
    more = jdks.describe_page(two) if two and len(two.sweep.arms) == 2 else []
    others = machines.write_machines(machines.list_machine_runs(), more)
    return [PAGE, *pictures, others, README]


def list_shipped_runs() -> dict[str, Run]:
    """Return the shipped run about each study: reference-<study> if it exists, or reference."""
    folders = {folder.name: folder for folder in list_run_folders(RUNS)}
    runs = {}
    for study in load_claim_files():
        run = read_run(folders.get(f"{SHIPPED}-{study}") or folders[SHIPPED])
        if study in {point.study for point in run.points}:
            runs[study] = run
    return runs


def describe_study(study: str, run: Run, table: pd.DataFrame) -> str:
    """Return a study's section: one row per claim, then the claims not judged, and notes."""
    decided = table["claim"].isin(table.loc[table["verdict"].isin(DECIDED), "claim"])
    file, rows = load_claim_files()[study], tabulate_claims(table)
    parts = [f"## {find_study(study).title}\n", f"{file.source}; {run.title()}.\n"]
    if file.load and file.load.unknown:
        parts.append(f"Published load unknown: {file.load.unknown}.\n")
    if seen := describe_seen(file):
        parts.append(f"{seen} How: [{study}.yml](../data/published/claims/{study}.yml).\n")
    if decided.any():
        parts += [f"{describe_usual(study, table)}\n"]
        parts += format_rows(row for row in rows if row["judged"] or row["forced"])
        parts += ["", *format_choices(tabulate_choices(table))]
    drift = " ".join(describe_drift(compute_fork_means(tidy.load_table(run, study))))
    notes = [f"- {words}" for words in (describe_wake_ups(run, study), drift) if words]
    for lines in (list_others(table[~decided]), notes):
        parts += ["", *lines] if lines else []
    return "\n".join([*parts, ""])


def format_rows(rows: Iterable[dict]) -> list[str]:
    """Return the table of these claims in Markdown, with the test as a line of its own."""
    listed = list(rows)
    headings = ["claim", "the source says", *list_settings(listed), REST]
    cells = []
    for row in listed:
        answers = [describe_answer(answer) for answer in row["answers"]]
        line = (row["claim"], join_test(row), *answers, row["rest"])
        cells.append([clean_cell(cell) for cell in line])
    return format_table(headings, cells)


def join_test(row: dict) -> str:
    """Return what the source says, and how it is tested on a line of its own."""
    return f"{row['says']}<br>*{row['test']}*" if row["test"] else row["says"]


def list_settings(rows: list[dict]) -> list[str]:
    return [answer["setting"] for answer in rows[0]["answers"]] if rows else []


def clean_cell(words: str) -> str:
    return words.replace("|", "/")


def format_choices(rows: list[dict]) -> list[str]:
    """Return the table of what the source leaves open, '' where nothing was measured."""
    if not rows:
        return []
    cells = [
        [row[key] + " (surely another)" * (key == "verdict" and row["changes"]) for key in CHOICES]
        for row in rows
    ]
    return [CHOICES_HEAD, "", *format_table([*CHOICES.values()], cells)]


def list_others(rows: pd.DataFrame) -> list[str]:
    """Return why these claims have no verdict, one line per reason."""
    alike: dict[tuple[str, str], list[str]] = {}
    for row in rows.drop_duplicates(["claim", "verdict", "reason"]).itertuples():
        alike.setdefault((row.verdict, row.reason), []).append(row.claim)
    return [
        f"- {', '.join(names)}: {verdict}. {reason}" for (verdict, reason), names in alike.items()
    ]


def describe_tests(table: pd.DataFrame) -> str:
    """Return for each claim of the paper its sentence, its test, and when it could have failed."""
    parts = ["## From sentence to test\n"]
    for name, settings in table.groupby("claim", sort=False):
        claim = load_claim_files()[find_primary().name].claims[str(name)]
        risks = {describe_risk(row): row.setting for row in settings.itertuples()}
        words = [f"{where}: {risk}" if len(risks) > 1 else risk for risk, where in risks.items()]
        parts += [
            f"**{name}**, {claim.place}",
            f"- *The study says*: {claim.says}",
            f"- *Test*: {claim.because}.",
            f"- *It could have failed here*: {' '.join(words)}\n",
        ]
    return "\n".join(parts)


def describe_risk(row: Any) -> str:
    """Return whether a claim could have failed on the run's machine, and at which points."""
    if row.verdict in JUDGED:
        return f"yes, with {row.coverage or 'its one point'}."
    return f"no: {row.verdict}. {row.reason}"


def write_results(run: Run) -> None:
    """Write the results of the run into README, between their two comments."""
    study = find_primary().name
    table = verdict_table.build_verdict_table(run, [study])
    rows = {row["claim"]: row for row in tabulate_claims(table)}
    shown = [rows[claim] for claim in RESULTS if claim in rows]
    cells = [
        [row["claim"], join_test(row), *(describe_answer(answer) for answer in row["answers"])]
        for row in shown
    ]
    lines = format_table(["", "the study says", *list_settings(shown)], cells)
    results = "\n".join([*lines, "", *describe_results(table, list(rows.values())), ""])
    text, found = BLOCK.subn(
        lambda match: match[1] + results + match[2], README.read_text(encoding="utf-8")
    )
    if found != 1:
        raise Failure("README.md has no place for results: a comment 'results:', and 'end'.")
    write_text(README, text)


def draw_pictures(run: Run) -> list[Path]:
    """Draw README's pictures as SVG, with the traces that they name; return the paths."""
    # Only the pictures need the studies' figures, which take long to load.
    from handoff.studies.ladder.figures import LadderFigures
    from handoff.studies.scaling.figures import ScalingFigures

    shutil.rmtree(PICTURES / TRACES.name, ignore_errors=True)
    (PICTURES / TRACES.name).mkdir(parents=True)
    made = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ScalingFigures(run, folder).cost()
        LadderFigures(run, folder).figure()
        for shown in SHOWN:
            picture = folder / "figures" / f"{shown}.svg"
            if not picture.exists():
                continue
            words = json.loads((folder / "figures" / "print" / f"{shown}.json").read_text("utf-8"))
            made.append(Path(shutil.copy(picture, PICTURES / picture.name)))
            # A picture of two runs has a trace of each.
            for identity in re.findall(r"trace ([0-9a-f]{8})", words["note"]):
                record = trace.find_trace(identity, RUNS)
                write_json(PICTURES / TRACES.name / f"{identity}.json", record)
    return made
