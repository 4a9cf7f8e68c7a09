"""The PDFs: Typst reads numbers.json or sweep.json, and the figures, without network."""

import shutil
import tempfile
from pathlib import Path

import pandas as pd
import typst

from handoff.claims.verdicts import JUDGED
from handoff.errors import BadInput, Failure
from handoff.paths import PAPER, RUNS, display_path, generated_folder
from handoff.report import related_runs
from handoff.run.store import Run
from handoff.tables import tidy, trace

PAPER_SOURCE, SWEEP_SOURCE = PAPER / "handoff.typ", PAPER / "sweep.typ"


def build_pdfs(run: Run) -> list[Path]:
    """What the run makes of the claims, generated/<run>/handoff.pdf, where it judges any or only
    rehearses; and what it varied, sweep.pdf. Of the project's own runs the first also is
    paper/handoff.pdf.

    BadInput when what was generated is not about the forks that are there, in this run or in those
    that the paper quotes beside it.
    """
    folder = generated_folder(run.folder)
    if not is_current(run, folder):
        raise BadInput(
            f"What was generated for {run.folder.name} is not of the forks that are there now: run"
            " the stages tidy and figures first."
        )
    judges = not run.sweep.verdicts or judges_any(folder)
    sources = [PAPER_SOURCE, SWEEP_SOURCE] if judges else [SWEEP_SOURCE]
    pdfs = [compile_pdf(source, folder) for source in sources]
    if judges and run.folder.parent == RUNS:
        shutil.copyfile(pdfs[0], PAPER / "handoff.pdf")
    return pdfs


def judges_any(folder: Path) -> bool:
    """Whether a claim has a verdict that rests on forks."""
    verdicts = folder / "verdicts.csv"
    return verdicts.is_file() and bool(pd.read_csv(verdicts)["verdict"].isin(JUDGED).any())


def compile_pdf(source: Path, folder: Path) -> Path:
    """generated/<run>/<source's name>.pdf."""
    pdf = folder / source.with_suffix(".pdf").name
    with tempfile.TemporaryDirectory() as private:
        made = Path(private) / pdf.name
        try:
            # Figures lie where the run lies: the root of what Typst may read is the file system's.
            # Its own fonts are the same everywhere.
            typst.compile(
                str(source),
                output=str(made),
                root="/",
                sys_inputs={"folder": str(folder.resolve())},
                ignore_system_fonts=True,
            )
        except typst.TypstError as failed:
            raise Failure(f"{display_path(source)}: {' '.join(str(failed).split())}") from None
        shutil.copyfile(made, pdf)
    return pdf


def is_current(run: Run, folder: Path) -> bool:
    """Whether numbers and figures are of the forks that are there now."""
    numbers = trace.read_trace(folder / "numbers.json") or {}
    there = tidy.list_forks(run)
    if numbers.get("forks") != there or numbers["companions"][
        "forks"
    ] != related_runs.list_quoted_forks(run):
        return False
    noted = [
        figure["note"].split()[-1] for figure in numbers["figures"] if " trace " in figure["note"]
    ]
    fig = [trace.read_trace(folder / "trace" / f"{identity}.json") for identity in noted]
    files = {(f"{name}.json", hashed) for name, hashed in there}
    return all(found is not None and set(found["forks"].items()) <= files for found in fig)
