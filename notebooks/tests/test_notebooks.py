"""The committed notebooks: no outputs, small cells, one parameter, figures drawn in the cells."""

import ast
import json
from importlib import import_module

import matplotlib.pyplot as plt
import nbformat
import pytest

from handoff.cli.notebook import read_parameters
from handoff.errors import BadInput
from handoff.paths import (
    LATEST,
    NOTEBOOKS,
    RUNS,
    find_latest_run,
    find_run_folder,
    list_run_folders,
)
from handoff.study import load_studies
from handoff.tables import tidy

NUMBERED = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
DRAWING = [path for path in NUMBERED if "## Your turn" in path.read_text(encoding="utf-8")]


@pytest.fixture(params=NUMBERED, ids=lambda path: path.stem)
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
def test_a_notebook_has_the_run_as_its_parameter_and_calls_what_has_a_docstring(path):
    source = path.read_text(encoding="utf-8")
    for thing in find_imports(path):
        parts = getattr(thing, "__dict__", {}).items()
        called = [thing, *(value for name, value in parts if f".{name}(" in source)]
        undocumented = [value for value in called if callable(value) and not value.__doc__]
        assert [value.__qualname__ for value in undocumented] == []
    more = {"command", "deadline", "at_least"} if path.stem == "01_measure" else set()
    assert read_parameters(path) == {"run_name"} | more


def test_a_notebook_has_small_cells_without_outputs_from_question_to_text(cells):
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)
    assert len(cells) <= 27
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    assert all(len(text.splitlines()) <= 15 for text in code)
    assert cells[0].cell_type == "markdown" and cells[0].source.startswith("# ")
    assert cells[-1].cell_type == "markdown"


def test_each_study_has_a_notebook_that_draws():
    words = {word for study in load_studies().values() for word in study.list_notebooks()}
    assert {path.stem.partition("_")[2] for path in DRAWING} == words | {"your_own_figure"}


@pytest.mark.filterwarnings("error")
def test_the_readers_notebook_draws_what_a_small_run_has(small):
    """Those of studies draw random small sweeps: see test_any_sweep.py."""
    names = {}
    for cell in nbformat.read(NOTEBOOKS / "85_your_own_figure.ipynb", as_version=4).cells:
        exec(cell.source if cell.cell_type == "code" else "", names)
        names["run_name"] = str(small.folder)
    (axes,) = names["fig"].axes
    assert len(axes.collections) >= names["forks"]["mechanism"].nunique()
    plt.close("all")


def test_the_notebook_of_another_study_says_what_the_run_has(small):
    with pytest.raises(BadInput, match=r"did not measure ring; it has .*counters"):
        tidy.load_table(small, "ring")


def test_the_latest_run_is_the_one_that_was_started_or_extended_last(tmp_path):
    def write(name, day, **more):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "plan.json").write_text("[0]")
        identity = {"started": f"2026-11-{day}T00:00:00+00:00"} | more
        (tmp_path / name / "run.json").write_text(json.dumps(identity))

    # The files of a run that was unpacked are the newest.
    for name, day in (("reference", 23), ("own-1", 22), ("own-2", 21)):
        write(name, day)
    assert find_latest_run(tmp_path).name == "own-1"
    write("own-2", 21, extensions=[{"began": "2026-11-22T00:00:00.001+00:00"}])
    assert find_latest_run(tmp_path).name == "own-2"
    assert find_run_folder(LATEST) in list_run_folders(RUNS)
