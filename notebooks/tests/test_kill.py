"""Sweeps killed at any instant or started twice end like an undisturbed one; JVMs are real."""

import json
import os
import random
import signal
import subprocess
import sys

import pytest

from handoff.cli.notebook import kernel_environment
from handoff.paths import ROOT
from handoff.run import planning
from handoff.run.order import plan_order
from handoff.run.plan import selection
from handoff.run.store import state
from handoff.run.store.run import read_run

from .conftest import list_times, names, read_files, run_all
from .test_process import eventually, left

pytestmark = pytest.mark.machine

MEASURE = """
import sys
from pathlib import Path
from handoff.run.store.run import read_run
from handoff.run import runner
for task, outcome in runner.measure_run(read_run(Path(sys.argv[1]))):
    assert not outcome.wrong, outcome
"""


def kill_and_resume(sweep_file, tmp_path, java, kills, seed):
    """Measure sweeps of six real forks until the runner was killed `kills` times; each is whole."""
    entry = "mechanism: SEQUENTIAL, sorts: [1, 2, 3], events: 1000"
    sweep = sweep_file(entry, top="jvm: {heap: 81m}\nseed: 5")
    sweep.write_text(sweep.read_text().replace("fitting: 1", "fitting: 2"))
    asked, planner = selection.select_sweep(str(sweep), [], []), planning.LocalPlanner(java)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    generator, count, sweeps = random.Random(seed), 0, 0
    while count < kills:
        sweeps += 1
        run = planning.prepare_run(asked, planner, tmp_path / str(sweeps), create=True)
        while run.missing():
            limit_s = generator.uniform(0, 4) if count < kills else None
            count += kill_runner(run, limit_s, temporary)
        files = zip(read_files(run), names(run.folder, "forks"), strict=True)
        planned = enumerate(f"{task.name}.json" for task in plan_order(run))
        assert {fork["order"]: name for fork, name in files} == dict(planned)
        assert names(run.folder, "failed", "timed-out", "quarantine") == []
        assert list(run.folder.rglob("*.tmp")) == [] == list(temporary.iterdir())
        assert state.scan_run(run).corrupt == []


def kill_runner(run, after_s, temporary) -> bool:
    """Start the runner and kill it after `after_s` seconds; return whether it was killed."""
    env = kernel_environment() | {"TMPDIR": str(temporary)}
    child = subprocess.Popen([sys.executable, "-c", MEASURE, str(run.folder)], env=env)
    try:
        child.wait(after_s)
        assert child.returncode == 0
        return False
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        assert eventually(lambda: not left("-Xmx81m"))
        return True


def victim(kind, child, folder):
    """Return the process id of a part of the command that is measuring."""
    if kind == "command":
        return child.pid
    if kind == "kernel":
        return json.loads((folder / "progress.json").read_text())["pid"]
    pids = left("handoff.cli.notebook" if kind == "papermill" else "benchmarks.jar\0scaling")
    # Others may measure on this machine, too.
    return int(min(set(pids) & set(left(str(folder.parents[1]))), key=int))


def test_nothing_outlives_a_killed_command_and_the_next_start_completes(sweep_file, tmp_path, java):
    resume(*stop_part(sweep_file, tmp_path / "runs", "command", signal.SIGKILL, -9, ""))


def test_an_interrupt_costs_the_fork_under_way_and_is_no_failure(sweep_file, tmp_path, java):
    continues = "continues from here"
    _, folder = stop_part(sweep_file, tmp_path / "runs", "command", signal.SIGINT, 130, continues)
    assert len(names(folder, "forks")) < 3 and names(folder, "failed", "timed-out") == []


def stop_part(sweep_file, runs, kind, number, code, message):
    """Send a signal to a part of a command that measures three forks, after the first of them.

    Check that nothing of the command outlives it; return the sweep and the run's folder.
    """
    sweep = sweep_file("mechanism: SEQUENTIAL, sorts: [15, 16, 17]", top="jvm: {heap: 83m}")
    command = [ROOT / "run_all.sh", sweep, "measure", "--data", runs]
    env, pipe = os.environ | {"TMPDIR": str(runs.parent)}, subprocess.PIPE
    child = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env)
    assert eventually(lambda: list(runs.glob("*/forks/*.json")), 120), "a finished fork"
    assert eventually(lambda: left("-Xmx83m"), 60), "a measuring JVM"
    (folder,) = runs.iterdir()
    before = list_times(read_run(folder))
    os.kill(victim(kind, child, folder), number)
    _, err = child.communicate(timeout=60)
    assert child.returncode == code and message in err and err.count("\n") <= 1
    # Notebook, kernel and guard have the folder of temporary files in their command lines.
    assert eventually(lambda: not left("-Xmx83m") and not left(str(runs.parent)))
    assert before and before.items() <= list_times(read_run(folder)).items()
    return sweep, folder


def resume(sweep, folder):
    """Measure the forks that a stopped command left, and none of the others again."""
    before = list_times(read_run(folder))
    ended = run_all(sweep, "measure", "--data", folder.parent)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"{len(before)} of 3 forks measured" in ended.stdout
    after = list_times(read_run(folder))
    assert len(after) == 3 and before.items() <= after.items()
