"""Every lab as a student does it, measured on this machine, and a class of thirty graded."""

import contextlib
import io
import shutil
import time
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from handoff.cli.notebook import kernel_environment
from handoff.grade.checks import Grader
from handoff.grade.grading import grade_folder, grade_pack
from handoff.grade.submission import Course
from handoff.labs.handin import make_pack
from handoff.labs.lab import MODULES, load_lab
from handoff.labs.teaching import SOURCE

from .. import students

pytestmark = pytest.mark.machine
LIMIT_S = 900
CLASS = 30
COURSE = Course(course="self-study", secret="not for students")


def execute(name: str, folder: Path) -> nbformat.NotebookNode:
    """Run the notebook with solutions in a student's folder."""
    notebook = nbformat.read(SOURCE / f"{name}.ipynb", as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=LIMIT_S, resources=resources).execute()
    return notebook


@pytest.mark.parametrize("number", sorted(MODULES))
def test_a_lab_measured_here_gets_full_marks(number, tmp_path, monkeypatch):
    for key, value in kernel_environment().items():
        monkeypatch.setenv(key, value)
    lab = load_lab(number)
    folder = tmp_path / lab.name
    folder.mkdir()
    start = time.monotonic()
    notebook = execute(lab.name, folder)
    print(f"lab {number}: {time.monotonic() - start:.0f} s from the first cell to the last")
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    assert not [out for out in outputs if out.output_type == "error" or out.get("name") == "stderr"]
    (file,) = folder.glob("*.zip")
    graded = grade_pack(file, Grader(COURSE, True))
    lost = {check.name: check.sentence for check in graded.checks if check.passed is not True}
    assert lost == {} and graded.points == graded.most


def test_a_class_of_thirty_is_graded_in_one_go(tmp_path):
    packs = tmp_path / "packs"
    packs.mkdir()
    for number in range(CLASS):
        opened = students.start(1, tmp_path, f"student-{number:02}", COURSE.course)
        with contextlib.redirect_stdout(io.StringIO()):
            students.run_notebook(opened, number)
        shutil.copy(make_pack(opened.work), packs)
    start = time.monotonic()
    graded = grade_folder(packs, COURSE, True, lambda line: None)
    print(f"{CLASS} packs graded in {time.monotonic() - start:.1f} s")
    assert len(graded) == CLASS and all(each.points == each.most for each in graded)
