"""Students who solved every lab, and the mark of tests that need a sandbox.

HANDOFF_SANDBOX=required, which .ci/run sets where bubblewrap works, makes a missing sandbox a
failure. Elsewhere these tests are skipped, and a warning at the end of the tests says so.
"""

import contextlib
import io
import json
import os
import shutil
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from handoff import archive
from handoff.grade import checks, sandbox
from handoff.grade.grading import Graded, grade_pack
from handoff.grade.submission import Course
from handoff.labs import handin
from handoff.labs.handin import make_pack
from handoff.labs.lab import MODULES, load_lab
from handoff.labs.student import StudentLab
from handoff.labs.work import Work

from . import students

FIRST_SEED = 10
"""Of the forks of solved labs, made up by seed plus number."""

COURSE = Course(course="made-up", secret="not for students")
SELF_STUDY = COURSE.model_copy(update={"course": "self-study"})
WITHOUT_JAVA = sorted(number for number in MODULES if load_lab(number).own_class is None)

REQUIRED = os.environ.get("HANDOFF_SANDBOX") == "required"
PROGRAM, REASON = sandbox.find_bubblewrap()
if PROGRAM is None and not REQUIRED:
    warnings.warn(f"SANDBOX TESTS SKIPPED: {REASON}", stacklevel=1)
boxed = pytest.mark.skipif(PROGRAM is None and not REQUIRED, reason=REASON)


@pytest.fixture
def no_checker(monkeypatch):
    """Try no real Java; other tests do, while nothing else runs."""
    monkeypatch.setattr(checks, "check_model", lambda *_: (1.0, "not tried"))
    monkeypatch.setattr(handin, "try_java", lambda *_: (1.0, "not tried"))


@pytest.fixture(scope="session")
def solved(tmp_path_factory) -> Callable[[int], StudentLab]:
    """Return a function that returns a student who solved a lab, with what the notebook printed."""
    home = tmp_path_factory.mktemp("solved")

    @cache
    def solve(number: int) -> StudentLab:
        student, said = students.start(number, home), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said):
            if number in WITHOUT_JAVA:
                patch.setattr(handin, "try_java", lambda *_: (1.0, "not tried"))
            students.run_notebook(student, seed=FIRST_SEED + number)
        student.said = said.getvalue()
        return student

    return solve


@pytest.fixture
def copy_of(solved, tmp_path):
    """Return a function that copies a solved lab, for tests that change it."""

    def copy(number: int, pseudonym: str = "anna") -> Work:
        before = solved(number).work
        shutil.copytree(before.folder, tmp_path / "work", dirs_exist_ok=True)
        return Work(before.lab, tmp_path / "work", before.course, pseudonym)

    return copy


def grade(file, trust: bool = True, course: Course = COURSE) -> Graded:
    return grade_pack(file, checks.Grader(course, trust))


def failed(graded: Graded) -> dict[str, str]:
    """Return the checks that did not pass, without those that depend on a failed condition."""
    return {check.name: check.sentence for check in graded.checks if check.passed is not True}


def list_conditions(graded: Graded) -> dict[str, str]:
    """Return the failed conditions."""
    conditions = [check for check in graded.checks if not check.points]
    return {check.name: check.sentence for check in conditions if check.passed is False}


def update_json(file: Path, change: dict) -> None:
    """Change some keys of a JSON file."""
    file.write_text(json.dumps(json.loads(file.read_text()) | change))


def repack(work: Work, change: Callable[[Path], object]) -> Path:
    """Make the pack, and pack it once more after a change of its unpacked folder."""
    file, inside = make_pack(work), work.folder.parent / "inside"
    archive.unpack_archive(file, inside)
    change(inside)
    archive.pack_folder(inside, file)
    return file
