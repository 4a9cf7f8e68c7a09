"""The papers: Typst reads numbers.json or sweep.json, and the figures, without network."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import typst

from handoff.claims.files import load_claim_files
from handoff.claims.verdict_table import count_verdicts
from handoff.claims.verdicts import JUDGED
from handoff.errors import BadInput, Failure
from handoff.files import write_bytes
from handoff.paths import PAPER, RUNS, display_path, find_home, generated_folder
from handoff.registry import find_primary
from handoff.report import related_runs
from handoff.run.store.run import Run
from handoff.tables import tidy, trace
from handoff.text import suggest

PAPER_SOURCE, SWEEP_SOURCE = PAPER / "handoff.typ", PAPER / "sweep.typ"
STUDY_SOURCE = PAPER / "source.typ"


class Source(NamedTuple):
    """A Typst file, and the study that it is to be about where it is not about all."""

    file: Path
    study: str = ""

    @property
    def name(self) -> str:
        """How what is made of it is called."""
        return self.study or self.file.stem


def list_sources(run: Run, study: str = "") -> list[Source]:
    """What the run makes of the claims, where it judges any or only rehearses: the paper where it
    holds the primary study, else one of each source; and what it varied. Of one `study` alone the
    paper of its source.

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
        return [Source(STUDY_SOURCE, study)]
    if run.sweep.verdicts and not judges_any(folder):
        return [Source(SWEEP_SOURCE)]
    if find_primary().name in list_studies(run):
        return [Source(PAPER_SOURCE), Source(SWEEP_SOURCE)]
    sourced = [name for name in list_studies(run) if name in load_claim_files()]
    return [*(Source(STUDY_SOURCE, name) for name in sourced), Source(SWEEP_SOURCE)]


def build_pdfs(run: Run, study: str = "") -> list[Path]:
    """generated/<run>/NAME.pdf of each source; of the project's own runs the paper also as
    paper/handoff.pdf.
    """
    made = []
    for source in list_sources(run, study):
        pdf = generated_folder(run.folder) / f"{source.name}.pdf"
        write_bytes(pdf, compile_source(source, pdf.parent, "pdf"))
        if source.file == PAPER_SOURCE and find_home(run.folder) == RUNS:
            shutil.copyfile(pdf, PAPER / pdf.name)
        made.append(pdf)
    return made


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


def compile_source(source: Source, folder: Path, form: Literal["pdf", "html"]) -> bytes:
    """From what lies in `folder`. Failure names the place in the source."""
    words = {"folder": str(folder.resolve()), "study": source.study, "form": form}
    try:
        # Figures lie where the run lies: the root of what Typst may read is the file system's. Its
        # own fonts are the same everywhere.
        return typst.compile(
            str(source.file), format=form, root="/", sys_inputs=words, ignore_system_fonts=True
        )
    except typst.TypstError as failed:
        raise Failure(f"{display_path(source.file)}: {' '.join(str(failed).split())}") from None


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
