"""The archive that is handed in with a notebook, and the archives that grading refuses."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from handoff import archive
from handoff.errors import BadInput
from handoff.labs.lab import MODULES, load_lab
from handoff.labs.saved import save_work
from handoff.labs.student import StudentLab, open_lab

from . import students
from .solutions import read_guess, read_notebook, run_cells

LENT = [number for number in MODULES if load_lab(number).forks_borrowed]


@pytest.fixture
def grading(tmp_path, monkeypatch):
    """Return a function that opens a lab as nbgrader does, with an archive next to the notebook."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.chdir(tmp_path)

    def open_saved(number: int, saved: Path | None) -> StudentLab:
        if saved:
            shutil.copy(saved, tmp_path / "run.zip")
        return open_lab(number)

    return open_saved


def change_saved(saved: Path, change) -> Path:
    """Change what an archive holds, as its folder."""
    inside = saved.parent / "inside"
    archive.unpack_archive(saved, inside)
    change(inside)
    archive.pack_folder(inside, saved)
    return saved


def change_json(pattern: str, change):
    """Return a function that changes the first file of this name in an archive's folder."""

    def rewrite(folder: Path) -> None:
        file = min(folder.glob(pattern))
        file.write_text(json.dumps(change(json.loads(file.read_text()))))

    return rewrite


def drop(pattern: str):
    return lambda folder: min(folder.glob(pattern)).unlink()


FORK, PLAN = "runs/*/forks/*.json", "runs/*/plan.json"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            change_json(FORK, lambda fork: fork | {"seconds": fork["seconds"] + 1}),
            "run.zip: .* is not read as data: ",
        ),
        (drop(FORK), "1 fork missing"),
        (change_json(PLAN, lambda plan: plan[:-1]), "run.zip: the run is of another sweep than"),
        (
            change_json(PLAN, lambda plan: [point | {"forks": 1} for point in plan]),
            "run.zip: the run is of another sweep than",
        ),
        (change_json(PLAN, lambda plan: [1]), "run.zip: "),
        (drop("prediction.json"), "run.zip: Predict first"),
    ],
)
def test_a_run_that_was_changed_does_not_count(grading, tmp_path, change, message):
    lab = grading(1, change_saved(students.hand_in(1, tmp_path / "work"), change))
    with pytest.raises(BadInput, match=message):
        lab.measure()
    assert lab.check("numbers", {"queue_ns_1": 1}) == 0


def test_a_missing_archive_costs_what_is_compared_with_it(grading, capsys):
    lab = grading(1, None)
    lab.predict(**read_guess(1))
    with pytest.raises(BadInput, match=r"run\.zip was not handed in with the notebook"):
        lab.measure()
    assert lab.check("per_fork", lab.lab.references["per_fork"], hidden=True) == 4
    assert lab.check("numbers", {"queue_ns_1": 1}) == 0
    assert "nothing to compare with: run.zip was not handed in" in capsys.readouterr().out


def test_another_prediction_than_the_one_measured_with_is_refused(grading, tmp_path):
    lab = grading(1, students.hand_in(1, tmp_path / "work"))
    lab.predict(**read_guess(1))
    with pytest.raises(BadInput, match="measured with another prediction"):
        lab.predict(**read_guess(1) | {"queue_cores_1": 1})


def test_nothing_is_saved_before_all_is_measured(tmp_path):
    work = students.start(1, tmp_path)
    with pytest.raises(BadInput, match="Nothing is measured yet"):
        save_work(work)
    run = students.measure(work, 1)
    min((run.folder / "forks").iterdir()).unlink()
    with pytest.raises(BadInput, match="1 fork missing"):
        save_work(work)
    assert not (tmp_path / "run.zip").exists()


def test_the_archive_says_nothing_about_who_made_it(tmp_path):
    inside = tmp_path / "inside"
    archive.unpack_archive(students.hand_in(1, tmp_path / "work"), inside)
    assert json.loads((inside / "prediction.json").read_text()) == read_guess(1)
    assert str(tmp_path) not in "".join(file.read_text() for file in inside.rglob("*.json"))


@pytest.mark.parametrize("number", LENT)
def test_a_lab_can_be_done_whole_on_borrowed_forks(tmp_path, monkeypatch, capsys, number):
    monkeypatch.chdir(tmp_path)
    notebook = read_notebook(number)
    for cell in notebook.cells:
        cell.source = cell.source.replace("lab.measure()", "lab.borrow()")
    assert sum(run_cells(notebook).values()) == 10
    assert "of the shipped run" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "run.zip") as saved:
        assert sorted(saved.namelist()) == ["borrowed.json", "prediction.json"]
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert sum(run_cells(notebook).values()) == 10


def test_a_lab_that_no_shipped_forks_fit_is_a_sentence(tmp_path):
    with pytest.raises(BadInput, match="No shipped forks fit lab 5"):
        StudentLab(students.start(5, tmp_path)).borrow()


def test_who_measured_does_not_borrow(tmp_path):
    work = students.start(1, tmp_path)
    students.measure(work, 1)
    with pytest.raises(BadInput, match="You have measured forks of your own"):
        StudentLab(work).borrow()
