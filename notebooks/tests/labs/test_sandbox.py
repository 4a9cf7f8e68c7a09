"""The sandbox: what students' code cannot reach, and what it cannot use up."""

import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from itertools import repeat
from pathlib import Path

import pytest

from handoff.grade import control, sandbox
from handoff.grade.grading import grade_folder
from handoff.labs.apart import Limits, NotRun, OverLimit, run_functions, run_limited
from handoff.labs.handin import make_pack
from handoff.paths import LABS

from . import students
from .conftest import COURSE, PROGRAM, REASON, boxed, failed


def run(code: str) -> dict:
    ((result,),) = sandbox.run_code(False, code, "x.py", [("f", [[]])])
    return result


def try_to_run(code: str) -> str:
    """Return what ended the code, or its error."""
    try:
        return str(run(code))
    except OverLimit as why:
        return str(why)


def fake_bubblewrap(folder: Path, words: str) -> str:
    """Write a bubblewrap that only prints an error, and return its path."""
    program = folder / "bwrap"
    program.write_text(f"#!/bin/sh\necho 'bwrap: {words}' >&2\nexit 1\n")
    program.chmod(0o755)
    return str(program)


def test_a_sandbox_that_does_not_start_costs_no_points(monkeypatch, tmp_path):
    found = sandbox.Bubblewrap(fake_bubblewrap(tmp_path, "no space left"))
    monkeypatch.setattr(sandbox, "find_bubblewrap", lambda: found)
    with pytest.raises(NotRun, match="bubblewrap could not start: bwrap: no space left"):
        run("def f(): return 3")


@boxed
def test_a_sandbox_can_be_made_here():
    assert PROGRAM, REASON
    assert run("def f(): return 3") == {"value": 3}


@boxed
@pytest.mark.parametrize(
    "code",
    [
        "import socket\ndef f():\n    socket.create_connection(('127.0.0.1', 22), 2)",
        "def f():\n    open('/root/.profile').read()",
        f"import os\ndef f():\n    return os.listdir({str(LABS)!r})",
        "def f():\n    open('/usr/x', 'w').write('x')",
        "import os\ndef f():\n    os.kill(os.getppid(), 9); return os.listdir('/home')[0]",
    ],
)
def test_inside_the_sandbox_nothing_can_be_reached(code):
    assert "error" in run(code)


FILL = "def f():\n for i in range(40):\n  open(f'{}/{{i}}', 'wb').write(b'x' * 10 * 2**20)"
MANY = "import os, time\ndef f():\n  while os.fork(): pass\n  time.sleep(600)"
BOMB = """
import os
def f():
    while True:
        try: os.fork()
        except OSError: pass
"""
OUTPUT = "import os\ndef f():\n  for _ in range(1024): os.write(2, b'x' * 2**20)"


@boxed
@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_files_in_memory_are_limited(folder):
    assert "No space left" in run(FILL.format(folder))["error"]


@boxed
@pytest.mark.parametrize(
    ("code", "message"),
    [
        (MANY, "more than 32 processes|temporarily unavailable|without results|memory"),
        (OUTPUT, "printed more than 50 MiB"),
        ("import time\ndef f():\n  x = bytearray(2**29); time.sleep(60)", "of memory"),
    ],
    ids=["processes", "output", "memory"],
)
def test_what_uses_too_much_is_ended(monkeypatch, code, message):
    monkeypatch.setattr(sandbox, "CODE_LIMITS", sandbox.CODE_LIMITS._replace(memory=2**28))
    assert re.search(message, try_to_run(code))
    assert run("def f(): return 1") == {"value": 1}


def is_confined() -> bool:
    """Return whether the kernel limits processes here: of a user always, of root by a group."""
    made = control.make_folders(Limits(), control.ROOT) if os.geteuid() == 0 else []
    for folder in made:
        control.remove(folder)
    return os.geteuid() != 0 or bool(made)


@boxed
@pytest.mark.skipif(not is_confined(), reason="only watched here: a control group cannot be made")
def test_a_fork_bomb_is_confined():
    assert re.search("more than|without results|memory", try_to_run(BOMB))


@boxed
def test_a_batch_of_hostile_packs_is_graded_to_its_end(solved, tmp_path):
    packs = tmp_path / "packs"
    packs.mkdir()
    for name, code in {"bomb": MANY, "output": OUTPUT}.items():
        work = students.start(1, tmp_path, name).work
        shutil.copytree(solved(1).work.folder / "answers", work.answers)
        students.measure(work, seed=len(name))
        work.write_answer("per_fork", code.replace("def f()", "def per_fork(fork, warmup)"))
        shutil.copy(make_pack(work), packs)
    alias = solved(1).work.answers / "where.yml"
    bomb = "a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(9))
    pack = make_pack(solved(1).work)
    with zipfile.ZipFile(pack) as good, zipfile.ZipFile(packs / pack.name, "w") as made:
        for entry in good.namelist():
            made.writestr(entry, bomb if entry.endswith(alias.name) else good.read(entry))
    graded = grade_folder(packs, COURSE, False)
    lost = {pack.pseudonym: failed(pack) for pack in graded}
    assert "aliases (*name) are not allowed" in lost["anna"]["where"]
    assert "per_fork: ns" in lost["bomb"] and "per_fork: sleeps" in lost["bomb"]
    assert "printed more than 50 MiB" in lost["output"]["per_fork: ns"]


def test_what_a_command_leaves_running_does_not_delay_its_results():
    ended = run_limited(["sh", "-c", "sleep 60 & echo 3"], b"", Limits(wall_s=10))
    assert (ended.returncode, ended.stdout) == (0, b"3\n")


def test_code_that_never_ends_is_ended_by_its_cpu_time(monkeypatch):
    monkeypatch.setattr("handoff.labs.apart.Limits", lambda: Limits(cpu_s=0.5))
    with pytest.raises(OverLimit, match=r"more than 0\.5 s of CPU time"):
        run_functions("def f():\n    while True: pass", "x.py", [("f", [[]])])


def test_what_waits_for_ever_is_not_judged():
    with pytest.raises(NotRun, match="did not end within 1 s of the clock"):
        run_limited(["sleep", "60"], b"", Limits(wall_s=1))


def test_a_large_input_that_is_read_late_and_both_outputs_pass_through():
    data = b"x" * 2**20
    late = "sleep 0.5; cat; echo no >&2; exit 3"
    ended = run_limited(["sh", "-c", late], data, Limits(wall_s=30))
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, data, b"no\n")


@pytest.mark.parametrize(
    ("file", "content", "remedy"),
    [
        ("APPARMOR", "1", "apparmor_parser -r /etc/apparmor.d/bwrap"),
        ("CONTAINERS", "", "--security-opt seccomp=unconfined"),
    ],
)
def test_bubblewraps_own_words_and_a_remedy_are_printed(
    monkeypatch, tmp_path, file, content, remedy
):
    program = fake_bubblewrap(tmp_path, "setting up uid map: Permission denied")
    sign = tmp_path / "sign"
    sign.write_text(content)
    monkeypatch.setattr(sandbox, "CONTAINERS", ())
    monkeypatch.setattr(sandbox, file, (sign,) if file == "CONTAINERS" else sign)
    monkeypatch.setattr(sandbox.shutil, "which", lambda _: program)
    none, reason = sandbox.find_bubblewrap.__wrapped__()
    assert none is None and "bwrap: setting up uid map: Permission denied. " in reason
    assert remedy in reason


def test_a_control_group_without_permission_is_done_without(tmp_path):
    assert control.make_folders(Limits(), tmp_path / "missing") == []
    (tmp_path / "cgroup.controllers").touch()
    (folder,) = control.make_folders(Limits(processes=2, memory=7), tmp_path)
    assert (folder / "pids.max").read_text() == "16"
    assert (folder / "memory.max").read_text() == "7"


def test_a_pack_that_uses_too_much_cpu_time_is_a_sentence(monkeypatch):
    monkeypatch.setattr(sandbox, "PACK_CPU_S", 1)
    with pytest.raises(NotRun, match="more than 1 s of CPU time"):
        sandbox.run_apart(sum, repeat(0))
    assert sandbox.run_apart(spin_freely) == 0


def spin_freely() -> int:
    code = "import time\nwhile time.process_time() < 1.5: pass"
    with sandbox.lift_limits():
        return subprocess.run([sys.executable, "-c", code]).returncode


def test_a_pack_that_takes_too_long_can_clean_up(monkeypatch, tmp_path):
    monkeypatch.setattr(sandbox, "PACK_WALL_S", 0.5)
    with pytest.raises(NotRun, match="was not graded within"):
        sandbox.run_apart(hold, tmp_path / "made")
    assert list(tmp_path.iterdir()) == []


def hold(file: Path) -> None:
    file.touch()
    try:
        time.sleep(60)
    finally:
        file.unlink()
