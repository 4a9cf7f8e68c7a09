"""The PDFs: Typst reads numbers.json or sweep.json, and the figures, without network."""

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

import typst

from handoff.claims.verdict_table import count_verdicts, load_claim_files
from handoff.claims.verdicts import JUDGED
from handoff.errors import BadInput, Failure
from handoff.paths import PAPER, RUNS, display_path, find_home, generated_folder
from handoff.registry import find_primary
from handoff.report import related_runs
from handoff.run.store import Run
from handoff.tables import tidy, trace
from handoff.text import suggest

PAPER_SOURCE, SWEEP_SOURCE = PAPER / "handoff.typ", PAPER / "sweep.typ"
STUDY_SOURCE = PAPER / "source.typ"


def build_pdfs(run: Run, study: str = "") -> list[Path]:
    """What the run makes of the claims, where it judges any or only rehearses:
    generated/<run>/handoff.pdf where it holds the primary study (of the project's own runs also
    paper/handoff.pdf), else a paper of each source, <study>.pdf; and what it varied, sweep.pdf. Of
    one `study` alone the paper of its source.

    BadInput when what was generated is not about the forks that are there, in this run or in those
    that the paper quotes beside it.
    """
    folder = generated_folder(run.folder)
    if not is_current(run, folder):
        raise BadInput(
            f"What was generated for {run.folder.name} is not of the forks that are there now: run"
            " the stages tidy and figures first."
        )
    if study:
        require_source(study, list_studies(run), run.folder.name)
        return [compile_pdf(STUDY_SOURCE, folder, study)]
    sweep = compile_pdf(SWEEP_SOURCE, folder)
    if run.sweep.verdicts and not judges_any(folder):
        return [sweep]
    if find_primary().name not in list_studies(run):
        sourced = [name for name in list_studies(run) if name in load_claim_files()]
        return [*(compile_pdf(STUDY_SOURCE, folder, name) for name in sourced), sweep]
    paper = compile_pdf(PAPER_SOURCE, folder)
    if find_home(run.folder) == RUNS:
        shutil.copyfile(paper, PAPER / "handoff.pdf")
    return [paper, sweep]


def list_studies(run: Run) -> list[str]:
    return list(dict.fromkeys(point.study for point in run.points))


def require_source(study: str, studies: Iterable[str], where: str) -> None:
    """BadInput unless the study is one of those `where` has, and has a source; the primary study's
    paper is handoff.pdf.
    """
    sourced = load_claim_files().keys() - {find_primary().name}
    allowed = [name for name in dict.fromkeys(studies) if name in sourced]
    if study not in allowed:
        raise BadInput(
            f"--source {study}: {where} holds no such source; allowed is"
            f" {', '.join(allowed) or 'none'}.{suggest(study, allowed)}"
        )


def judges_any(folder: Path) -> bool:
    """Whether a claim has a verdict that rests on forks."""
    return bool(count_verdicts(folder / "verdicts.csv").keys() & set(JUDGED))


def compile_pdf(source: Path, folder: Path, study: str = "") -> Path:
    """generated/<run>/<source's name>.pdf, or <study>.pdf."""
    pdf = folder / f"{study or source.stem}.pdf"
    with tempfile.TemporaryDirectory() as private:
        made = Path(private) / pdf.name
        try:
            # Figures lie where the run lies: the root of what Typst may read is the file system's.
            # Its own fonts are the same everywhere.
            typst.compile(
                str(source),
                output=str(made),
                root="/",
                sys_inputs={"folder": str(folder.resolve()), "study": study},
                ignore_system_fonts=True,
            )
        except typst.TypstError as failed:
            raise Failure(f"{display_path(source)}: {' '.join(str(failed).split())}") from None
        shutil.copyfile(made, pdf)
    return pdf


def is_current(run: Run, folder: Path) -> bool:
    """Whether numbers and figures are of the forks that are there now."""
    numbers = trace.read_trace(folder / "numbers.json") or {}
    swept = trace.read_trace(folder / "sweep.json") or {}
    there = tidy.list_forks(run)
    if not numbers.get("forks") == swept.get("forks") == there or numbers["companions"][
        "forks"
    ] != related_runs.list_quoted_forks(run):
        return False
    noted = [
        figure["note"].split()[-1] for figure in numbers["figures"] if " trace " in figure["note"]
    ]
    fig = [trace.read_trace(folder / "trace" / f"{identity}.json") for identity in noted]
    files = {(f"{name}.json", hashed) for name, hashed in there}
    return all(found is not None and set(found["forks"].items()) <= files for found in fig)
