"""Every lab as a student does it, measured on this machine, and a class of thirty graded."""

import contextlib
import csv
import io
import shutil
import time
from pathlib import Path

import nbformat
import pytest
import yaml
from nbclient import NotebookClient

from handoff.cli.main import main
from handoff.cli.notebook import kernel_environment
from handoff.labs.handin import make_pack
from handoff.labs.lab import MODULES, load_lab
from handoff.labs.teaching import SOURCE

from .. import students
from ..conftest import SELF_STUDY, failed, grade
from ..solutions import list_wrong

pytestmark = pytest.mark.machine
LIMIT_S = 900
CLASS = 30
HEADER = (
    "Identifier,Full name,Email address,Grade,Maximum grade,Last modified (grade),Feedback comments"
)


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
    graded = grade(file, course=SELF_STUDY)
    assert failed(graded) == {} and graded.points == graded.most


def make_class(tmp_path, packs) -> str:
    """Make the packs of a class and its course's file.

    Every third student makes a slip, two share their forks, two hand in twice, the last nothing.
    """
    roster, rows = {}, [HEADER]
    slip = next(wrong for wrong in list_wrong(1) if wrong.name == "user_time_only")
    for number in range(CLASS):
        name, person = f"student-{number:02}", f"Person {number:02}"
        roster[name] = {"name": person, "email": f"{name}@example.org"}
        rows.append(f"Participant {900 + number},{person},{name}@example.org,,10.00,-,")
        if number == CLASS - 1:
            break
        opened = students.start(1, tmp_path, name, SELF_STUDY.course)
        with contextlib.redirect_stdout(io.StringIO()):
            students.run_notebook(opened, 7 if number == 8 else number)
            if number % 3 == 0:
                students.answer_again(opened, slip.answer, slip.text)
        folder = packs / f"{person}_{900 + number}_assignsubmission_file"
        folder.mkdir(parents=True)
        shutil.copy(make_pack(opened.work), folder)
        if number < 2:
            shutil.copy(make_pack(opened.work), folder / "again.zip")
    (tmp_path / "sheet.csv").write_text("\n".join(rows) + "\n")
    course = {"course": SELF_STUDY.course, "secret": SELF_STUDY.secret, "roster": roster}
    (tmp_path / "course.yml").write_text(yaml.safe_dump(course | {"worksheets": {1: "sheet.csv"}}))
    return str(tmp_path / "course.yml")


def test_a_class_of_thirty_is_graded_by_one_command(tmp_path):
    packs, out = tmp_path / "packs", tmp_path / "out"
    course = make_class(tmp_path, packs)
    start = time.monotonic()
    assert main(["grade", str(packs), "--course", course, "--out", str(out), "--trust"]) == 0
    print(f"a class of {CLASS} graded in {time.monotonic() - start:.1f} s")
    with (out / "moodle-lab1.csv").open(newline="") as sheet:
        grades = [row["Grade"] for row in csv.DictReader(sheet)]
    assert grades[:2] == ["9.00", "10.00"] and grades[7:9] == ["", ""] and grades[-1] == ""
    assert len(list((out / "feedback").glob("*.html"))) == CLASS - 1
    assert (out / "class" / "lab1.png").is_file()
    assert "student-07" in (out / "copies.md").read_text()
