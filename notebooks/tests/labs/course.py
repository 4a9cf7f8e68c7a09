"""A course in a folder of its own, graded by the real nbgrader."""

import contextlib
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pytest
from jupyter_core.application import NoStart

from handoff.labs.lab import load_lab
from handoff.paths import LABS, NOTEBOOKS

MISSING = "requirements-teaching.lock is not installed"
api = pytest.importorskip("nbgrader.api", reason=MISSING)
apps = pytest.importorskip("nbgrader.apps", reason=MISSING)

SEED = "not for students"


class Course:
    """A copy of the course with one lab; `marks` are points by student and test cell.

    Several labs may share a folder, and so nbgrader's database, which takes two seconds to make.
    """

    def __init__(self, folder: Path, number: int) -> None:
        self.folder, self.name = folder, load_lab(number).name
        (folder / "source").mkdir(parents=True, exist_ok=True)
        shutil.copy(LABS / "nbgrader_config.py", folder)
        shutil.copy(LABS / "source" / "header.ipynb", folder / "source")
        shutil.copytree(LABS / "source" / self.name, folder / "source" / self.name)
        self.run("generate_assignment")

    def run(self, command: str) -> None:
        """Run one of nbgrader's commands on the lab in this process, which imports it once."""
        with contextlib.chdir(self.folder), pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "path", [*sys.path])
            for name, value in make_environment().items():
                patch.setenv(name, value)
            app = apps.NbGraderApp.instance()
            try:
                app.initialize([command, self.name])
                with contextlib.suppress(NoStart):
                    app.start()
            finally:
                app.reset()

    def submit(self, student: str, notebook: nbformat.NotebookNode, saved: Path | None) -> Path:
        """Put a notebook, and the archive if there is one, where nbgrader collects."""
        target = self.folder / "submitted" / student / self.name
        target.mkdir(parents=True)
        nbformat.write(notebook, target / f"{self.name}.ipynb")
        if saved:
            shutil.copy(saved, target / "run.zip")
        return target

    @property
    def marks(self) -> Mapping[str, Mapping[str, float]]:
        with api.Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as book:
            return {
                submission.student.id: {
                    grade.cell.name.removeprefix("check-"): grade.auto_score
                    for notebook in submission.notebooks
                    for grade in notebook.grades
                    if grade.cell.name.startswith("check-")
                }
                for submission in book.assignment_submissions(self.name)
            }

    def read_outputs(self, student: str) -> str:
        """Return all that the cells of a graded notebook printed, errors included."""
        file = self.folder / "autograded" / student / self.name / f"{self.name}.ipynb"
        outputs = [
            output
            for cell in nbformat.read(file, as_version=4).cells
            for output in cell.get("outputs", [])
        ]
        return "\n".join(out.get("text", "") + out.get("evalue", "") for out in outputs)


def make_environment() -> dict[str, str]:
    """Return the environment of nbgrader, whose programs must be on PATH."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": path, "PYTHONPATH": str(NOTEBOOKS), "HANDOFF_SEED": SEED}
