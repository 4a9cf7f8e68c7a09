"""The notebooks as they are committed: clean, small, one parameter, prose around every figure."""

import nbformat
import pytest

from handoff.cli.notebook import read_parameters
from handoff.paths import NOTEBOOKS

NUMBERED = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
ALL = NUMBERED + sorted((NOTEBOOKS / "labs").glob("*.ipynb"))


@pytest.fixture(params=ALL, ids=lambda path: path.stem)
def cells(request):
    return nbformat.read(request.param, as_version=4).cells


def test_there_are_notebooks():
    assert len(NUMBERED) >= 4 and len(ALL) > len(NUMBERED)


def test_outputs_are_stripped(cells):
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)


def test_cells_and_notebooks_are_small(cells):
    assert len(cells) <= 25
    assert all(len(cell.source.splitlines()) <= 10 for cell in cells if cell.cell_type == "code")


def test_a_notebook_begins_with_its_question_and_ends_with_words(cells):
    assert cells[0].cell_type == "markdown" and cells[0].source.startswith("# ")
    assert cells[-1].cell_type == "markdown"


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)
def test_the_parameter_is_the_run(path):
    assert read_parameters(path) == (
        {"run_name", "command", "deadline"} if path.stem == "01_measure" else {"run_name"}
    )
