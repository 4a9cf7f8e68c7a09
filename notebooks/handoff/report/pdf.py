"""The PDF: Typst reads numbers.json and the figures, without network."""

import shutil
import tempfile
from pathlib import Path

import typst

from handoff import tidy, trace
from handoff.errors import BadInput, Failure
from handoff.paths import PAPER, RUNS, generated, shown
from handoff.report import companions
from handoff.run.store import Run

SOURCE = PAPER / "handoff.typ"


def build(run: Run) -> Path:
    """generated/<run>/handoff.pdf; of the project's own runs also paper/handoff.pdf.

    BadInput when what was generated is not about the forks that are there, in this run or in those that the paper quotes beside it.
    """
    folder = generated(run.folder)
    if not current(run, folder):
        raise BadInput(
            f"What was generated for {run.folder.name} is not of the forks that are there now: run the stages tidy and figures first."
        )
    pdf = folder / "handoff.pdf"
    with tempfile.TemporaryDirectory() as private:
        made = Path(private) / "handoff.pdf"
        try:
            # Figures lie where the run lies: the root of what Typst may read is the file system's. Its own fonts are the same everywhere.
            typst.compile(SOURCE, output=made, root="/", sys_inputs={"folder": str(folder.resolve())}, ignore_system_fonts=True)
        except typst.TypstError as failed:
            raise Failure(f"{shown(SOURCE)}: {' '.join(str(failed).split())}") from None
        shutil.copyfile(made, pdf)
    if run.folder.parent == RUNS:
        shutil.copyfile(pdf, PAPER / "handoff.pdf")
    return pdf


def current(run: Run, folder: Path) -> bool:
    """Whether numbers and figures are of the forks that are there now."""
    numbers = trace.read(folder / "numbers.json") or {}
    there = tidy.identity(run)
    if numbers.get("forks") != there or numbers["companions"]["forks"] != companions.state(run):
        return False
    noted = [figure["note"].split()[-1] for figure in numbers["figures"] if " trace " in figure["note"]]
    drawn = [trace.read(folder / "trace" / f"{identity}.json") for identity in noted]
    files = {(f"{name}.json", hashed) for name, hashed in there}
    return all(found is not None and set(found["forks"].items()) <= files for found in drawn)
