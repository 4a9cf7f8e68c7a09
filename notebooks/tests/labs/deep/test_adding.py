"""labs/ADDING.md, followed to the letter in a copy of the tree: its lab can be done and graded."""

import os
import re
import shutil
import subprocess
import sys

from handoff.paths import ROOT, SHIPPED

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "target", "runs", "generated", "__pycache__", "*.egg-info", ".*_cache"
)
BLOCK = re.compile(r"^```(\w+) file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SCRIPT = """
import sys
from pathlib import Path
from handoff.grade.checks import Grader
from handoff.grade.grading import grade_pack
from handoff.grade.submission import Course
from handoff.labs.handin import make_pack
from tests.labs import solutions, students

student = students.start(10, Path(sys.argv[1]))
students.run_notebook(student, 10)
grader = Grader(Course(course="made-up", secret="not for students"), True)
print("RIGHT", round(grade_pack(make_pack(student.work), grader).points))
(wrong,) = solutions.list_wrong(10)
students.answer_again(student, wrong.answer, wrong.text)
graded = grade_pack(make_pack(student.work), grader)
lost = [check.name for check in graded.checks if not check.passed]
print("WRONG", round(graded.points), lost == wrong.loses)
"""


def test_a_lab_is_added_by_the_page(tmp_path):
    copy = tmp_path / "handoff"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    (copy / "data" / "runs").mkdir()
    shutil.copy(ROOT / "data" / "runs" / f"{SHIPPED}.zip", copy / "data" / "runs")
    page = (copy / "notebooks" / "labs" / "ADDING.md").read_text()
    for language, name, content in BLOCK.findall(page):
        file = copy / name
        if language == "diff":
            (before,) = re.findall(r"^ (.*)$", content, re.MULTILINE)
            (added,) = re.findall(r"^\+(.*)$", content, re.MULTILINE)
            text = file.read_text()
            assert f"\n{before}\n" in text
            file.write_text(text.replace(f"\n{before}\n", f"\n{before}\n{added}\n"))
        else:
            file.write_text(content)
    run(copy, "-m", "handoff.labs.teaching")
    assert "Lab 10 for the teacher" in (copy / "notebooks/labs/teacher/10_lock.md").read_text()
    assert (
        "lock_over_volatile=...,  # a number" in (copy / "notebooks/labs/10_lock.ipynb").read_text()
    )
    said = run(copy, "-c", SCRIPT, str(tmp_path / "home"))
    assert {"RIGHT 10", "WRONG 4 True"} <= set(said.splitlines())


def run(copy, *words: str) -> str:
    ended = subprocess.run(
        [sys.executable, *words],
        cwd=copy / "notebooks",
        env=os.environ | {"PYTHONPATH": str(copy / "notebooks")},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout
