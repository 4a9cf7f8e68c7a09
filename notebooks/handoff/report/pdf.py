"""The PDF: Typst reads numbers.json and the figures, without network."""

import json
import shutil
import tempfile
from pathlib import Path

import typst

from handoff.errors import BadInput, Failure
from handoff.paths import PAPER, generated, shown
from handoff.report.numbers import state
from handoff.run.store import Run

SOURCE = PAPER / "handoff.typ"


def build(run: Run) -> Path:
    """generated/<run>/handoff.pdf, copied to paper/handoff.pdf. BadInput when what was generated is not about the forks that are there."""
    folder = generated(run.folder)
    numbers = folder / "numbers.json"
    if not numbers.is_file() or json.loads(numbers.read_text())["forks"] != state(run):
        raise BadInput(
            f"What was generated for {run.folder.name} is not of the forks that are there now: run the stages tidy and figures first."
        )
    pdf = folder / "handoff.pdf"
    with tempfile.TemporaryDirectory() as private:
        made = Path(private) / "handoff.pdf"
        try:
            # Figures lie where the run lies: the root of what Typst may read is the file system's.
            typst.compile(SOURCE, output=made, root="/", sys_inputs={"numbers": str(numbers.resolve())})
        except typst.TypstError as failed:
            raise Failure(f"{shown(SOURCE)}: {' '.join(str(failed).split())}") from None
        shutil.copyfile(made, pdf)
    shutil.copyfile(pdf, PAPER / "handoff.pdf")
    return pdf
