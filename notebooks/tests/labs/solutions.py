"""The notebooks with solutions, and wrong answers: notebooks/labs/wrong/NN.yml."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import nbformat

from handoff.files import read_yaml
from handoff.labs.lab import load_lab
from handoff.paths import LABS


class Wrong(NamedTuple):
    """A wrong answer: a solution's cell in which some text is replaced, and the points it loses.

    `loses` has the points lost by test cell, without its prefix.
    """

    lab: int
    cell: str
    name: str
    wrong: str
    replace: dict[str, str]
    loses: Mapping[str, float] = {}

    @property
    def text(self) -> str:
        text = read_cell(self.lab, self.cell)
        for old, new in self.replace.items():
            assert old in text, f"{self.name}: {old!r} is not in the solution"
            text = text.replace(old, new)
        return text

    @property
    def source(self) -> str:
        """Return the text of a Java class, without the cell's first line."""
        return self.text.partition("\n")[2]


def read_notebook(number: int) -> nbformat.NotebookNode:
    name = load_lab(number).name
    return nbformat.read(LABS / "source" / name / f"{name}.ipynb", as_version=4)


@cache
def read_cell(number: int, name: str) -> str:
    """Return the solution in the cell of this name."""
    cells = read_notebook(number).cells
    (text,) = [c.source for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == name]
    return text


def read_class(number: int, name: str) -> str:
    """Return the Java class in the solution's cell of this name."""
    return read_cell(number, name).partition("\n")[2]


def read_guess(number: int) -> dict[str, Any]:
    """Return what the notebook with solutions predicts."""
    scope: dict[str, Any] = {}
    exec(read_cell(number, "predict").replace("lab.predict(**guess)", ""), scope)
    return scope["guess"]


def list_wrong(lab: int) -> Sequence[Wrong]:
    """List the wrong answers of a lab; each says in a sentence what is wrong."""
    content = read_yaml(LABS / "wrong" / f"{lab:02}.yml")
    return [
        Wrong(lab, cell, name, **entry)
        for cell, entries in content.items()
        for name, entry in entries.items()
    ]


def make_wrong(wrong: Wrong) -> nbformat.NotebookNode:
    """Return the notebook with solutions in which one cell is wrong."""
    notebook = read_notebook(wrong.lab)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == wrong.cell:
            cell.source = wrong.text
    return notebook


def run_cells(notebook: nbformat.NotebookNode) -> dict[str, float]:
    """Run a notebook in this process, and return the points by test cell, 0 where it fails.

    This takes a tenth of nbgrader's time. Cells that write a Java class are left out.
    """
    scope = {"__name__": "notebook", "display": lambda *shown: None}
    points = {}
    for cell in notebook.cells:
        if cell.cell_type != "code" or cell.source.startswith("%%"):
            continue
        marked = cell.metadata.get("nbgrader", {})
        with suppress(Exception):
            if marked.get("grade"):
                name = marked["grade_id"].removeprefix("check-")
                points[name] = 0.0
                checks = re.findall(r"^lab\.check.*", cell.source, re.MULTILINE)
                points[name] = [eval(check, scope) for check in checks][-1]
            else:
                exec(cell.source, scope)
    return points
