"""docs/verdicts.md, README's results and pictures: the verdicts of the shipped runs."""

import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd

from handoff.analysis.forks import compute_fork_means
from handoff.claims import verdict_table
from handoff.claims.figure import format_ours
from handoff.claims.files import load_claim_files
from handoff.claims.judgings import describe_judgings
from handoff.claims.load import shorten_load
from handoff.claims.model import ClaimFile
from handoff.claims.readings import TOGETHER, describe_joint, tabulate_readings
from handoff.claims.report import ClaimsReport, describe_drift, describe_wake_ups
from handoff.claims.verdicts import FORCED, JUDGED, RULES
from handoff.errors import Failure
from handoff.files import write_text
from handoff.paths import DOCS, ROOT, RUNS, SHIPPED, TRACES, generated_folder, list_run_folders
from handoff.registry import find_primary, find_study
from handoff.report import jdks, machines, related_runs
from handoff.report.claim_rows import tabulate_claims
from handoff.report.findings import list_findings
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy
from handoff.text import format_table

PAGE = DOCS / "verdicts.md"
README = ROOT / "README.md"
PICTURES = TRACES.parent
SHOWN = ("scaling_cost", "scaling", "claims-scaling", "ladder")
"""Figures that README and docs show, as far as the shipped run has them."""
RESULTS = ("P1", "P3", "P8", "P11", "P6")
"""Claims whose findings README has."""

BLOCK = re.compile(r"(<!-- results: [^>]*-->\n).*?(<!-- end -->)", re.DOTALL)

HEAD = """\
# Verdicts of the shipped runs

Written by `./run_all.sh verdicts` from `data/runs/reference*`; a test keeps it current. *Theirs* is
what the source's own numbers say by the same test. *Ours* is the ratio (or level) that decides,
with the interval that decides; where a claim can be read in several ways, each has its row.
Coverage stands in the verdict: "at 1 of 11 points". What the words mean:
[concepts](concepts.md); how a claim is judged: [data/README](../data/README.md#intervals).

Rules and tests: version {rules}; how often they err, in simulation: [rates](rates.md).
{judgings}
"""


def write_page() -> list[Path]:
    """Write the pages, the pictures and README's results, and return their paths."""
    runs = list_shipped_runs()
    for run in {run.folder: run for run in runs.values()}.values():
        tidy.write_tables(run)
    tables = {study: verdict_table.build_verdict_table(run, [study]) for study, run in runs.items()}
    sections = [describe_study(study, run, tables[study]) for study, run in runs.items()]
    judgings = dict.fromkeys(words for run in runs.values() for words in describe_judgings(run))
    head = HEAD.format(rules=RULES.replace(", ", " of "), judgings="\n- ".join(judgings))
    shipped = runs[find_primary().name]
    write_text(PAGE, "\n".join([head, *sections, describe_tests(tables[find_primary().name])]))
    pictures = draw_pictures(shipped)
    write_results(shipped)
    others = machines.write_machines(machines.list_machine_runs(), PICTURES)
    two = related_runs.find_related(shipped)[jdks.PROFILE]
    if two and len(two.sweep.arms) == 2:
        jdks.write_jdks(two)
        others.append(jdks.PAGE)
    return [PAGE, *pictures, *others, README]


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
    """Return a study's section: one row per claim and reading, then the claims not judged."""
    decided = table["verdict"].isin((*JUDGED, *FORCED))
    file = load_claim_files()[study]
    parts = [f"## {find_study(study).title}\n", f"{file.source}; {run.title()}.\n"]
    if file.load and file.load.unknown:
        parts.append(f"Published load unknown: {file.load.unknown}.\n")
    parts += describe_together(file, table)
    if decided.any():
        rows = [list_cells(row) for row in table[decided].itertuples()]
        parts += format_table(["", "it says", "theirs", "ours", "here", "load"], rows)
    drift = " ".join(describe_drift(compute_fork_means(tidy.load_table(run, study))))
    notes = [f"- {words}" for words in (describe_wake_ups(run, study), drift) if words]
    for lines in (list_others(table[~decided]), notes):
        parts += ["", *lines] if lines else []
    return "\n".join([*parts, ""])


def list_cells(row: Any) -> list[str]:
    name = f"{row.claim} {row.reading}".strip()
    words = (name, row.says, row.theirs, format_ours(row), f"**{row.words}**")
    return [cell.replace("|", "/").rstrip(".") for cell in (*words, shorten_load(row.load))]


def describe_together(file: ClaimFile, table: pd.DataFrame) -> list[str]:
    """Return the verdict of each judged claim under each reading, where there are several."""
    readings = tabulate_readings(file, table)
    if readings.columns.size < 3:
        return []
    shown = readings[readings[TOGETHER].map(lambda words: not words.startswith("not "))]
    rows = format_table(["", *readings.columns], shown.itertuples())
    return ["", *rows, "", *describe_joint(file.joint, readings), ""]


def list_others(rows: pd.DataFrame) -> list[str]:
    """Return why these claims have no verdict, one line per reason."""
    alike: dict[tuple[str, str], list[str]] = {}
    for row in rows.itertuples():
        alike.setdefault((row.verdict, row.reason), []).append(f"{row.claim} {row.reading}".strip())
    return [
        f"- {', '.join(dict.fromkeys(names))}: {verdict}. {reason}"
        for (verdict, reason), names in alike.items()
    ]


def describe_tests(table: pd.DataFrame) -> str:
    """Return for each claim of the paper its sentence, its test, and when it could have failed."""
    parts = ["## From sentence to test\n"]
    for identity, claim in load_claim_files()[find_primary().name].claims.items():
        rows = table[table["claim"] == identity]
        parts += [
            f"**{identity}**, {claim.place}",
            f"- *Sentence*: {claim.says}",
            f"- *Test*: {claim.because}.",
            f"- *It could have failed here*: {describe_risk(rows)}\n",
        ]
    return "\n".join(parts)


def describe_risk(rows: pd.DataFrame) -> str:
    """Return where a claim was judged, so that it could have failed, or why it could not be."""
    judged = rows[rows["verdict"].isin(JUDGED)]
    if judged.empty:
        return f"no: {rows['verdict'].iloc[0]}. {rows['reason'].iloc[0]}"
    where = dict.fromkeys(row.coverage for row in judged.itertuples() if row.coverage)
    forced = rows[rows["verdict"].isin(FORCED)]
    also = f" Not judged: {', '.join(forced['reading'])}." if len(forced) else ""
    return f"yes, with {'; '.join(where) or 'its one point'}.{also}"


def write_results(run: Run) -> None:
    """Write the results of the run into README, between their two comments."""
    study = find_primary().name
    rows = {row["claim"]: row for row in tabulate_claims(ClaimsReport(run, study), study)}
    findings = list_findings([rows[claim] for claim in RESULTS if claim in rows])
    results = "".join(f"- {sentence}\n" for sentence in findings)
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
    primary, made = find_primary().name, []
    with tempfile.TemporaryDirectory() as folder:
        figures, claims = ScalingFigures(run, Path(folder)), ClaimsReport(run, primary)
        claims.folder = Path(folder)
        claims.figure(primary)
        figures.cost()
        figures.page()
        LadderFigures(run, Path(folder)).figure()
        for name in SHOWN:
            if not (figures.folder / f"{name}.svg").exists():
                continue
            words = json.loads((figures.folder / "print" / f"{name}.json").read_text("utf-8"))
            record = f"{words['note'].split()[-1]}.json"
            traced = generated_folder(run.folder) / "trace" / record
            picture = figures.folder / f"{name}.svg"
            made.append(Path(shutil.copy(picture, PICTURES / picture.name)))
            shutil.copy(traced, PICTURES / TRACES.name / record)
    return made
