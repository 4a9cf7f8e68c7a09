"""autograde.sh: what students' code cannot do, and that it costs the next student nothing."""

import os
import shutil
import socket
import subprocess
import sys
from copy import copy
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from handoff.labs.lab import load_lab
from handoff.paths import LABS, ROOT

from . import students
from .course import Course, make_environment
from .solutions import read_notebook

PROBE_WORDS = ("bwrap", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "true")


def is_forbidden() -> bool:
    """Return whether no sandbox can be made here; .ci/run requires one where it could make one."""
    if os.environ.get("HANDOFF_SANDBOX") == "required":
        return False
    return (
        not shutil.which("bwrap")
        or subprocess.run(PROBE_WORDS, capture_output=True).returncode != 0
    )


pytestmark = [
    pytest.mark.machine,
    pytest.mark.skipif(is_forbidden(), reason="needs bubblewrap, which may make a sandbox"),
]

HOSTILE = {
    "reads another submission": 'open("{course}/submitted/anna/01_hand_over/run.zip", "rb")',
    "reads the source": 'open("{course}/source/01_hand_over/01_hand_over.ipynb")',
    "reads the gradebook": 'open("{course}/gradebook.db", "rb")',
    "writes its own mark": 'open("{course}/autograded/mallory/mark", "w")',
    "changes what it handed in": 'open("run.zip", "wb")',
    "writes to the package": 'open("{root}/notebooks/handoff/labs/cheat.py", "w")',
    "writes to the system": 'open("/etc/cheat", "w")',
    "calls a server": 'socket.create_connection(("{address}", 80), 2)',
    "listens to the teacher's machine": 'socket.create_connection(("127.0.0.1", {port}), 2)',
    "fills the disk": 'fill("/tmp")',
    "fills the memory behind /dev/shm": 'fill("/dev/shm")',
    "takes all memory": "bytearray(40 * 2**30)",
    "starts processes without end": "bomb()",
    "ends other processes": "os.kill({pid}, 9)",
    "reads the teacher's environment": 'os.environ["TEACHERS_TOKEN"]',
}
HELPERS = """
import os, socket, time

def fill(folder):
    for number in range(100):
        with open(f"{folder}/{number}", "wb") as file:
            file.write(bytes(60 * 2**20))

def bomb():
    children = []
    try:
        for _ in range(5000):
            child = os.fork()
            if not child:
                time.sleep(100)
                os._exit(0)
            children.append(child)
    finally:
        for child in children:
            os.kill(child, 9)
            os.waitpid(child, 0)
"""
PROBE = """
try:
    {code}
    print("DONE: {name}")
except (OSError, MemoryError, KeyError) as error:
    print("REFUSED: {name}: " + type(error).__name__)
finally:
    for folder in ("/tmp", "/dev/shm"):
        for number in range(100):
            if os.path.exists(path := f"{{folder}}/{{number}}"):
                os.remove(path)
"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory) -> Course:
    made = Course(tmp_path_factory.mktemp("empty") / "course", 1)
    shutil.copy(LABS / "autograde.sh", made.folder)
    return made


@pytest.fixture
def course(empty, tmp_path) -> Course:
    copied = copy(empty)
    copied.folder = shutil.copytree(empty.folder, tmp_path / "course")
    return copied


def autograde(course: Course, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {"HANDOFF_ROOT": str(ROOT), "HANDOFF_PYTHON": sys.executable}
    return subprocess.run(
        [course.folder / "autograde.sh", course.name, *words],
        env=make_environment() | known | environment,
        capture_output=True,
        text=True,
    )


def make_hostile(course: Course, listening: int) -> nbformat.NotebookNode:
    """Return the solution before which everything hostile is tried, and an endless loop."""
    places = {
        "course": course.folder,
        "root": ROOT,
        "address": "192.0.2.1",
        "port": listening,
        "pid": os.getpid(),
    }
    cells = [new_code_cell(HELPERS)]
    for name, code in HOSTILE.items():
        cells.append(new_code_cell(PROBE.format(name=name, code=code.format(**places))))
    notebook = read_notebook(1)
    notebook.cells = [*cells, *notebook.cells]
    return notebook


def test_hostile_code_is_refused_and_the_next_student_gets_all_points(course, tmp_path):
    saved = students.hand_in(1, tmp_path / "work")
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        course.submit("mallory", make_hostile(course, listening.getsockname()[1]), saved)
        course.submit("nora", read_notebook(1), saved)
        ended = autograde(course, TEACHERS_TOKEN="secret")
    assert ended.returncode == 0, ended.stderr
    assert "2 of 2: nora, 0 s left" in ended.stdout
    said = course.read_outputs("mallory")
    assert [name for name in HOSTILE if f"REFUSED: {name}" not in said] == []
    assert sum(course.marks["nora"].values()) == sum(course.marks["mallory"].values()) == 10
    assert not Path("/etc/cheat").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["02_belief"], "02_belief is not a lab: choose from 01_hand_over"),
        (["01_hand_over"], "submitted/*/01_hand_over: no submission was found"),
        (["01_hand_over", "--student", "zoe"], "submitted/zoe/01_hand_over: no submission"),
    ],
)
def test_a_mistake_of_the_teacher_is_a_sentence(course, words, message):
    course.name, *rest = words
    ended = autograde(course, *rest)
    assert ended.returncode == 2 and message in ended.stderr


def test_without_a_sandbox_nothing_is_graded_unless_trusted(course, tmp_path):
    # A lab of which the course has all files, but which nbgrader's database does not know yet.
    course.name = load_lab(3).name
    for kind in ("source", "release"):
        shutil.copytree(LABS / kind / course.name, course.folder / kind / course.name)
    course.submit("anna", read_notebook(3), None)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "dirname", "readlink", "env", "sed"):
        (programs / name).symlink_to(shutil.which(name))
    ended = autograde(course, PATH=str(programs))
    assert ended.returncode == 2 and "Students' code needs a sandbox" in ended.stderr
    assert not (course.folder / "autograded").exists()
    ended = autograde(course, "--trust")
    assert ended.returncode == 0, ended.stderr
    assert course.marks["anna"] == {"claims": 4, "mean_ratio": 2, "verdicts": 0}
    assert "run.zip was not handed in with the notebook" in course.read_outputs("anna")
