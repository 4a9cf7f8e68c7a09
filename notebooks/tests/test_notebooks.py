"""The committed notebooks: no outputs, small cells, one parameter, prose around every figure."""

import ast
import os
from importlib import import_module

import nbformat
import pytest

from handoff.cli.notebook import read_parameters
from handoff.paths import (
    LATEST,
    NOTEBOOKS,
    RUNS,
    find_latest_run,
    find_run_folder,
    list_run_folders,
)

NUMBERED = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
ALL = NUMBERED + sorted((NOTEBOOKS / "labs").glob("*.ipynb"))


@pytest.fixture(params=ALL, ids=lambda path: path.stem)
def cells(request):
    return nbformat.read(request.param, as_version=4).cells


def find_imports(path):
    """Yield what a notebook imports from the package: functions, classes and modules."""
    for cell in nbformat.read(path, as_version=4).cells:
        for node in ast.walk(ast.parse(cell.source if cell.cell_type == "code" else "")):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("handoff"):
                module = import_module(node.module)
                for name in node.names:
                    yield getattr(module, name.name, None) or import_module(
                        f"{node.module}.{name.name}"
                    )


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)
def test_what_a_notebook_calls_has_a_docstring(path):
    source = path.read_text(encoding="utf-8")
    for thing in find_imports(path):
        called = [thing] if callable(thing) else []
        called += (
            [
                value
                for name, value in vars(thing).items()
                if callable(value) and f".{name}(" in source
            ]
            if hasattr(thing, "__dict__")
            else []
        )
        assert [value.__qualname__ for value in called if not value.__doc__] == []


def test_outputs_are_stripped(cells):
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)


def test_cells_and_notebooks_are_small(cells):
    assert len(cells) <= 25
    assert all(len(cell.source.splitlines()) <= 10 for cell in cells if cell.cell_type == "code")


def test_a_notebook_starts_with_its_question_and_ends_with_text(cells):
    assert cells[0].cell_type == "markdown" and cells[0].source.startswith("# ")
    assert cells[-1].cell_type == "markdown"


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)
def test_the_parameter_is_the_run(path):
    assert read_parameters(path) == (
        {"run_name", "command", "provider", "deadline", "part"}
        if path.stem == "01_measure"
        else {"run_name"}
    )


def test_the_latest_run_is_the_one_that_was_started_last(tmp_path):
    for age, name in enumerate(["reference", "own-1", "own-2"]):
        (tmp_path / name).mkdir()
        for file in ("plan.json", "run.json"):
            (tmp_path / name / file).write_text("[0]")
        os.utime(tmp_path / name / "run.json", (1e9 - age, 1e9 - age))
    assert find_latest_run(tmp_path).name == "own-1"
    assert find_run_folder(LATEST) in list_run_folders(RUNS)
