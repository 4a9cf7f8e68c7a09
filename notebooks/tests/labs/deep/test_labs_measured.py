"""Every lab as a student does it, measured on this machine."""

import time

import pytest
from nbclient import NotebookClient

from handoff.cli.notebook import kernel_environment
from handoff.labs import teaching
from handoff.labs.lab import MODULES, load_lab

from ..conftest import SELF_STUDY, failed, grade

pytestmark = pytest.mark.machine
LIMIT_S = 900


@pytest.mark.parametrize("number", sorted(MODULES))
def test_a_lab_measured_here_gets_full_marks(number, tmp_path, monkeypatch):
    for key, value in kernel_environment().items():
        monkeypatch.setenv(key, value)
    lab = load_lab(number)
    folder = tmp_path / lab.name
    folder.mkdir()
    start = time.monotonic()
    notebook = teaching.read_source(lab)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=LIMIT_S, resources=resources).execute()
    print(f"lab {number}: {time.monotonic() - start:.0f} s from the first cell to the last")
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    assert not [out for out in outputs if out.output_type == "error" or out.get("name") == "stderr"]
    (file,) = folder.glob("*.zip")
    graded = grade(file, course=SELF_STUDY)
    assert failed(graded) == {} and graded.points == graded.most
