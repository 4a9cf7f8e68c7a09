"""docs/verdicts.md and README's pictures: verdicts of the shipped runs on all published claims."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd

from handoff.claims import verdict_table
from handoff.claims.files import load_claim_files
from handoff.claims.load import shorten_load
from handoff.claims.report import ClaimsReport, format_ours
from handoff.claims.verdicts import JUDGED
from handoff.files import write_text
from handoff.paths import DOCS, RUNS, SHIPPED, list_run_folders
from handoff.registry import find_primary, find_study
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy

PAGE = DOCS / "verdicts.md"
PICTURES = DOCS / "pictures"

HEAD = """\
# Verdicts of the shipped runs

Written by `./run_all.sh verdicts` from `data/runs/reference*`; a test keeps it current. *Theirs* is
what the source's own numbers say by the same test. *Ours* is the ratio (or level) that decides,
with its 90 % interval; where a claim can be read in several ways, each has its row. Coverage stands
in the verdict: "at 1 of 11 points". *Matched load*: at the value that costs here about what the
source's did. What the words mean: [concepts](concepts.md); how a
claim is judged: [data/README](../data/README.md).
"""


def list_shipped_runs() -> dict[str, Run]:
    """Return the shipped run about each study: reference-<study> if it exists, or reference."""
    folders = {folder.name: folder for folder in list_run_folders(RUNS)}
    runs = {}
    for study in load_claim_files():
        run = read_run(folders.get(f"{SHIPPED}-{study}") or folders[SHIPPED])
        if study in {point.study for point in run.points}:
            runs[study] = run
    return runs


def write_page() -> list[Path]:
    """Write the page and the pictures, and return their paths."""
    runs = list_shipped_runs()
    for run in {run.folder: run for run in runs.values()}.values():
        tidy.write_tables(run)
    sections = [describe_study(study, run) for study, run in runs.items()]
    write_text(PAGE, "\n".join([HEAD, *sections]))
    return [PAGE, *draw_pictures(runs[find_primary().name])]


def describe_study(study: str, run: Run) -> str:
    """Return a study's section: one row per claim and reading, then the claims not judged."""
    table = verdict_table.build_verdict_table(run, [study])
    judged = table[table["verdict"].isin(JUDGED)]
    rows = [format_row(row) for row in judged.itertuples()]
    file = load_claim_files()[study]
    parts = [f"## {find_study(study).title}\n", f"{file.source}; {run.title()}.\n"]
    if file.load and file.load.unknown:
        parts.append(f"Published load unknown: {file.load.unknown}.\n")
    if rows:
        head = ["", "it says", "theirs", "ours", "here", "load"]
        parts += [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *rows]
    others = list_others(table[~table["verdict"].isin(JUDGED)])
    return "\n".join([*parts, *others, ""])


def format_row(row: Any) -> str:
    name = f"{row.claim} {row.reading}".strip()
    cells = [name, row.says, row.theirs, format_ours(row), f"**{row.words}**"]
    cells.append(shorten_load(row.load))
    return f"| {' | '.join(cell.replace('|', '/').rstrip('.') for cell in cells)} |"


def list_others(rows: pd.DataFrame) -> list[str]:
    """Return why these claims have no verdict, one line per reason."""
    alike: dict[tuple[str, str], list[str]] = {}
    for row in rows.itertuples():
        alike.setdefault((row.verdict, row.reason), []).append(f"{row.claim} {row.reading}".strip())
    sentences = [
        f"- {', '.join(dict.fromkeys(names))}: {verdict}. {reason}"
        for (verdict, reason), names in alike.items()
    ]
    return ["", *sentences] if sentences else []


def draw_pictures(run: Run) -> list[Path]:
    """Draw the paper's claims, and its figures 3 to 8 on one page, as SVG; return the paths."""
    # Only the pictures need the study's figures, which take long to load.
    from handoff.studies.scaling.figures import ScalingFigures

    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        claims = ClaimsReport(run, find_primary().name)
        claims.folder = Path(folder)
        claims.figure(find_primary().name)
        ScalingFigures(run, Path(folder)).page()
        made = [Path(folder) / "figures" / f"{name}.svg" for name in ("claims-scaling", "scaling")]
        return [Path(shutil.copy(path, PICTURES / path.name)) for path in made]
