"""Shipped forks for students who cannot measure: whole labs, labelled, and nobody else's."""

import contextlib
import io
import json

import pytest

from handoff.errors import BadInput
from handoff.labs.handin import make_pack
from handoff.labs.lab import MODULES, load_lab

from . import students
from .conftest import grade, list_conditions

LENT = [number for number in MODULES if load_lab(number).forks_borrowed]


def borrow(number: int, home, pseudonym: str = "anna"):
    """Solve a lab on borrowed forks, and return the student with what was printed."""
    opened = students.start(number, home, pseudonym)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        for cell in students.list_cells(opened):
            students.run_cell(opened, "lab.borrow()" if cell == "lab.measure()" else cell)
    return opened, said.getvalue()


@pytest.mark.parametrize("number", LENT)
def test_a_lab_can_be_done_whole_on_borrowed_forks(tmp_path, number):
    opened, said = borrow(number, tmp_path)
    assert "of the shipped run" in said and "10 of 10 points" in said
    graded = grade(make_pack(opened.work))
    assert graded.points == graded.most == 10
    (label,) = [check.sentence for check in graded.checks if check.answer == "forks"]
    assert label.startswith("BORROWED") and graded.entry is None and not graded.fingerprints


def test_borrowed_forks_that_were_changed_are_refused(tmp_path):
    opened, _ = borrow(1, tmp_path)
    file = opened.run.folder / "plan.json"
    file.write_text(json.dumps(json.loads(file.read_text())[:-1]))
    graded = grade(make_pack(opened.work))
    assert "not those of the shipped run" in list_conditions(graded)["forks"]
    assert graded.points == 4


@pytest.mark.parametrize("number", sorted(set(MODULES) - set(LENT) - {6}))
def test_a_lab_that_no_shipped_forks_fit_is_a_sentence(tmp_path, number):
    with pytest.raises(BadInput, match=f"No shipped forks fit lab {number}"):
        students.start(number, tmp_path).borrow()


def test_who_measured_does_not_borrow(tmp_path):
    opened = students.start(1, tmp_path)
    students.measure(opened.work, 1)
    with pytest.raises(BadInput, match="You have measured forks of your own"):
        opened.borrow()
