"""Papers, compiled by Typst from numbers.json or sweep.json and the figures, offline."""

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
from handoff.report import related_runs
from handoff.run.store.related import find_related
from handoff.run.store.run import Run
from handoff.study import find_primary
from handoff.tables import tidy, trace
from handoff.text import console, suggest

PAPER_SOURCE, SWEEP_SOURCE = PAPER / "handoff.typ", PAPER / "sweep.typ"
STUDY_SOURCE = PAPER / "source.typ"


class Source(NamedTuple):
    """Typst file, and the study that the paper is about; '' for all."""

    file: Path
    study: str = ""

    @property
    def name(self) -> str:
        """Name of the PDF and the page, without suffix."""
        return self.study or self.file.stem


def list_sources(run: Run, study: str) -> list[Source]:
    """Return the sources of a run's papers, or the one about the source of `study`.

    A run with forks of the primary study has the paper; another one that judges claims, or only
    rehearses, has one paper per source; a user's sweep that judges nothing has none of these. Every
    run has the report of what its sweep varied. Raise BadInput unless what was generated is about
    the forks that now exist, here and in quoted runs.
    """
    folder = generated_folder(run.folder)
    if not is_current(run, folder):
        raise BadInput(
            f"The numbers and figures of {run.folder.name} do not match its forks: run the stages"
            " tidy and figures first."
        )
    studies = tidy.list_studies(run)
    if study:
        require_source(study, studies, run.folder.name)
        return [Source(STUDY_SOURCE, study)]
    judged = count_verdicts(folder / "verdicts.csv").keys() & set(JUDGED)
    if run.is_own and not judged:
        return [Source(SWEEP_SOURCE)]
    if find_primary().name in studies:
        return [Source(PAPER_SOURCE), Source(SWEEP_SOURCE)]
    if run.sweep.verdicts and not judged:
        return [Source(SWEEP_SOURCE)]
    sourced = [name for name in studies if name in load_claim_files()]
    return [*(Source(STUDY_SOURCE, name) for name in sourced), Source(SWEEP_SOURCE)]


def build_pdfs(run: Run, study: str = "") -> list[Path]:
    """Write generated/<run>/NAME.pdf for each source, and return the paths.

    The paper of a run in data/runs is copied to paper/handoff.pdf.
    """
    paths = []
    for source in list_sources(run, study):
        pdf = generated_folder(run.folder) / f"{source.name}.pdf"
        write_bytes(pdf, compile_source(source, pdf.parent, "pdf"))
        if source.file == PAPER_SOURCE and find_home(run.folder) == RUNS:
            shutil.copyfile(pdf, PAPER / pdf.name)
        paths.append(pdf)
    return paths


def require_source(study: str, studies: Iterable[str], where: str) -> None:
    """Raise BadInput unless the study has a source and is among `studies`, those of `where`.

    The primary study is refused, because its paper is handoff.pdf.
    """
    sourced = load_claim_files().keys() - {find_primary().name}
    known = [name for name in dict.fromkeys(studies) if name in sourced]
    if study not in known:
        choices = f"choose from {', '.join(known)}" if known else "it has no other sources"
        raise BadInput(
            f"--source {study}: {where} has no such source; {choices}.{suggest(study, known)}"
        )


def compile_source(
    source: Source, folder: Path, form: Literal["pdf", "html"], tags: bool = True
) -> bytes:
    """Compile a source with the numbers and figures in `folder`.

    Raise Failure, which names the place in the source, for an error in it. If Typst fails by an
    internal error while it tags a PDF for screen readers, compile without tags and say so.
    """
    words = {"folder": str(folder.resolve()), "study": source.study, "form": form}
    try:
        # Figures can be anywhere, so Typst may read the whole file system. Its own fonts are the
        # same on every machine.
        return typst.compile(
            str(source.file),
            format=form,
            root="/",
            sys_inputs=words,
            ignore_system_fonts=True,
            pdf_tags=tags,
        )
    except typst.TypstError as error:
        message = " ".join(str(error).split())
    if form == "pdf" and tags and "internal error" in message:
        # It depends on where pages break, not on the text.
        untagged = compile_source(source, folder, form, tags=False)
        console.print(
            f"{source.name}.pdf has no tags for screen readers, because Typst failed to make them;"
            " its figures and numbers are the same."
        )
        return untagged
    raise Failure(f"{display_path(source.file)}: {message}")


def is_current(run: Run, folder: Path) -> bool:
    """Return whether numbers and figures are about exactly the forks that now exist."""
    numbers = trace.read_trace(folder / "numbers.json") or {}
    swept = trace.read_trace(folder / "sweep.json") or {}
    forks = tidy.list_forks(run)
    if not numbers.get("forks") == swept.get("forks") == forks:
        return False
    quoted = related_runs.list_quoted_forks(find_related(run, related_runs.PROFILES))
    if numbers["companions"]["forks"] != quoted:
        return False
    notes = [figure["note"] for figure in numbers["figures"] if " trace " in figure["note"]]
    records = [trace.read_trace(folder / "trace" / f"{note.split()[-1]}.json") for note in notes]
    files = {(f"{name}.json", hashed) for name, hashed in forks}
    return all(record is not None and set(record["forks"].items()) <= files for record in records)
