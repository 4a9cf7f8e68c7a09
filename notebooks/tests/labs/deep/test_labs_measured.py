"""Every lab as a student does it, measured on this machine, and graded."""

import time

import pytest
from nbclient import NotebookClient

from handoff.cli.notebook import kernel_environment
from handoff.labs.lab import MODULES, load_lab

from ..course import Course
from ..solutions import read_notebook

pytestmark = pytest.mark.machine
LIMIT_S = 900


@pytest.mark.parametrize("number", sorted(MODULES))
def test_a_lab_measured_here_gets_full_marks(number, tmp_path, monkeypatch):
    for key, value in kernel_environment().items():
        monkeypatch.setenv(key, value)
    lab, course = load_lab(number), Course(tmp_path / "course", number)
    folder = tmp_path / lab.name
    folder.mkdir()
    start = time.monotonic()
    notebook, resources = read_notebook(number), {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=LIMIT_S, resources=resources).execute()
    print(f"lab {number}: {time.monotonic() - start:.0f} s from the first cell to the last")
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    assert not [out for out in outputs if out.output_type == "error" or out.get("name") == "stderr"]
    course.submit("anna", notebook, folder / "run.zip")
    course.run("autograde")
    assert course.marks["anna"] == {part.name: sum(part.parts.values()) for part in lab.parts}
    course.run("generate_feedback")
    (feedback,) = (course.folder / "feedback").rglob("*.html")
    assert "(Score: 10.0 / 12.0)" in feedback.read_text()
