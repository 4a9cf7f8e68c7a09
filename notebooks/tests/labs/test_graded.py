"""Each lab's solution, graded by the real nbgrader, and its wrong ones, on made-up forks."""

import shutil
import zipfile

import nbformat
import pytest

from handoff.labs.lab import MODULES, load_lab
from handoff.paths import LABS

from . import students
from .course import SEED, Course
from .solutions import list_wrong, make_wrong, read_class, read_notebook, run_cells

pytestmark = [pytest.mark.machine, pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")]
JAVA = ("model", "exchange")
"""Cells of Java classes, whose wrong solutions are tried in deep tests, because each takes long."""


def list_points(number: int) -> dict[str, float]:
    return {part.name: sum(part.parts.values()) for part in load_lab(number).parts}


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    return tmp_path_factory.mktemp("course")


@pytest.mark.parametrize("number", sorted(MODULES))
def test_nbgrader_gives_a_solution_all_points(shared, tmp_path, java, number):
    lab, course = load_lab(number), Course(shared, number)
    released = course.folder / "release" / lab.name / f"{lab.name}.ipynb"
    assert released.read_text() == (LABS / "release" / lab.name / f"{lab.name}.ipynb").read_text()
    source = read_class(number, "exchange") if lab.own_class else ""
    saved = students.hand_in(number, tmp_path / "work", number, source)
    course.submit("right", read_notebook(number), saved)
    course.run("autograde")
    assert course.marks["right"] == list_points(number), course.read_outputs("right")


@pytest.mark.parametrize("number", sorted(MODULES))
def test_each_wrong_solution_loses_its_own_points(tmp_path, java, monkeypatch, number):
    shutil.copy(students.hand_in(number, tmp_path / "work", number), tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setenv("HANDOFF_SEED", SEED)
    wrongs = {wrong.name: wrong for wrong in list_wrong(number) if wrong.cell not in JAVA}
    right = {name: 0 if name in JAVA else points for name, points in list_points(number).items()}
    assert {name: run_cells(make_wrong(wrong)) for name, wrong in wrongs.items()} == {
        name: right | {cell: right[cell] - lost for cell, lost in wrong.loses.items()}
        for name, wrong in wrongs.items()
    }


def test_an_endless_loop_costs_its_cell_only(tmp_path):
    course = Course(tmp_path / "course", 4)
    config = course.folder / "nbgrader_config.py"
    config.write_text(config.read_text() + "c.Execute.timeout_func = lambda cell: 5\n")
    (slip,) = [wrong for wrong in list_wrong(4) if wrong.name == "every_write"]
    loop = slip._replace(replace={"    for core, kind in trace:": "    while True:"})
    course.submit("anna", make_wrong(loop), students.hand_in(4, tmp_path / "work"))
    course.run("autograde")
    assert course.marks["anna"] == list_points(4) | {"transfers": 0}


@pytest.mark.parametrize(
    "names",
    [
        [
            "Ada Lovelace_4711_assignsubmission_file_/01_hand_over.ipynb",
            "Ada Lovelace_4711_assignsubmission_file_/run.zip",
        ],
        ["lovelaceada_LATE_4711_98765_01_hand_over-2.ipynb", "lovelaceada_LATE_4711_98766_run.zip"],
    ],
    ids=["Moodle", "Canvas"],
)
def test_the_download_of_a_learning_platform_is_collected(tmp_path, names):
    course = Course(tmp_path / "course", 1)
    saved = students.hand_in(1, tmp_path / "work")
    folder = course.folder / "downloaded" / course.name / "archive"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "all.zip", "w") as packed:
        packed.writestr(names[0], nbformat.writes(read_notebook(1)))
        packed.write(saved, names[1])
    course.run("zip_collect")
    collected = course.folder / "submitted" / "4711" / course.name
    assert {file.name for file in collected.iterdir() if file.suffix != ".txt"} == {
        "01_hand_over.ipynb",
        "run.zip",
    }
    assert (collected / "run.zip").read_bytes() == saved.read_bytes()
