"""The PDF: Typst reads numbers.json and the figures, without network."""

import shutil
import tempfile
from pathlib import Path

import typst

from handoff.errors import BadInput, Failure
from handoff.paths import PAPER, RUNS, display_path, generated_folder
from handoff.report import related_runs
from handoff.run.store import Run
from handoff.tables import tidy, trace

SOURCE = PAPER / "handoff.typ"


def build_pdf(run: Run) -> Path:
    """generated/<run>/handoff.pdf; of the project's own runs also paper/handoff.pdf.

    BadInput when what was generated is not about the forks that are there, in this run or in those
    that the paper quotes beside it.
    """
    folder = generated_folder(run.folder)
    if not is_current(run, folder):
        raise BadInput(
            f"What was generated for {run.folder.name} is not of the forks that are there now: run"
            " the stages tidy and figures first."
        )
    pdf = folder / "handoff.pdf"
    with tempfile.TemporaryDirectory() as private:
        made = Path(private) / "handoff.pdf"
        try:
            # Figures lie where the run lies: the root of what Typst may read is the file system's.
            # Its own fonts are the same everywhere.
            typst.compile(
                str(SOURCE),
                output=str(made),
                root="/",
                sys_inputs={"folder": str(folder.resolve())},
                ignore_system_fonts=True,
            )
        except typst.TypstError as failed:
            raise Failure(f"{display_path(SOURCE)}: {' '.join(str(failed).split())}") from None
        shutil.copyfile(made, pdf)
    if run.folder.parent == RUNS:
        shutil.copyfile(pdf, PAPER / "handoff.pdf")
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
