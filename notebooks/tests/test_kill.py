"""Killed at any instant, started twice: the result is that of a sweep that nobody disturbed, and
nothing is left. All JVMs are real.
"""

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
from handoff.run.java import jar, jdk
from handoff.run.order import plan_order
from handoff.run.plan import selection
from handoff.run.store import state

from .conftest import names, run_all
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


@pytest.fixture(scope="module")
def java():
    found = jdk.find_jdk()
    jar.build_jar(found)
    return found


def test_killed_at_random_instants_the_result_is_that_of_an_uninterrupted_sweep(
    sweep_file, tmp_path, java
):
    kill_and_resume(sweep_file, tmp_path, java, kills=2, seed=20)


def kill_and_resume(sweep_file, tmp_path, java, kills, seed):
    """Sweeps of six real forks, one after another until the runner was killed so many times; each
    ends as if it never had been.
    """
    sweep = sweep_file(
        "mechanism: SEQUENTIAL, sorts: [1, 2, 3], events: 1000", top="jvm: {heap: 281m}\nseed: 5"
    )
    sweep.write_text(
        sweep.read_text()
        .replace("fitting: 1", "fitting: 2")
        .replace("shots: 2, warmup: 1, events: 81920, ", "shots: 1, warmup: 0, ")
    )
    (tmp_path / "tmp").mkdir()
    generator, count, sweeps = random.Random(seed), 0, 0
    while count < kills:
        sweeps += 1
        run = planning.prepare_run(
            selection.select_sweep(str(sweep), [], []),
            planning.LocalPlanner(java),
            tmp_path / str(sweeps),
            create=True,
        )
        while run.missing():
            count += killed(
                run, generator.uniform(0, 4) if count < kills else None, tmp_path / "tmp"
            )
        assert files(run) == expected(run)
        assert (
            names(run.folder, "failed", "timed-out", "quarantine", "interrupted") == []
            and list(run.folder.rglob("*.tmp")) == []
        )
        assert state.scan_run(run).corrupt == [] and list((tmp_path / "tmp").iterdir()) == []


def killed(run, after_s, temporary) -> bool:
    """Starts the runner and kills it after so many seconds, or lets it end;
    whether it was killed.
    """
    child = subprocess.Popen(
        [sys.executable, "-c", MEASURE, str(run.folder)],
        env=kernel_environment() | {"TMPDIR": str(temporary)},
    )
    try:
        child.wait(after_s)
        assert child.returncode == 0
        return False
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        assert eventually(lambda: not left("-Xmx281m"))
        return True


def files(run):
    """What each fork file says of its place; the names prove that no fork is there twice."""
    read = {path.name: json.loads(path.read_text()) for path in (run.folder / "forks").iterdir()}
    return {
        name: (fork["order"], fork["block"], fork["fork"], fork["params"]["sorts"])
        for name, fork in read.items()
    }


def expected(run):
    return {
        f"{t.name}.json": (order, t.block, t.number, t.point.params["sorts"])
        for order, t in enumerate(plan_order(run))
    }


def started(sweep, runs):
    command = [ROOT / "run_all.sh", sweep, "measure", "--data", runs]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def victim(kind, child, folder):
    """The process id of a part of the command that is measuring."""
    if kind == "command":
        return child.pid
    if kind == "kernel":
        return json.loads((folder / "progress.json").read_text())["pid"]
    found = left("handoff.cli.execute" if kind == "papermill" else "benchmarks.jar\0scaling")
    return int(min(found, key=int))


def test_nothing_outlives_a_killed_command_and_the_next_start_completes(sweep_file, tmp_path, java):
    kill_part(sweep_file, tmp_path / "runs", "command", -signal.SIGKILL, "")


def kill_part(sweep_file, runs, kind, code, told):
    """Kills a part of a command that measures two forks, looks for what it left, and starts the
    command again.
    """
    sweep = sweep_file("mechanism: SEQUENTIAL, sorts: [1, 2]", top="jvm: {heap: 283m}")
    child = started(sweep, runs)
    assert eventually(lambda: left("-Xmx283m"), 60), "a measuring JVM"
    (folder,) = runs.iterdir()
    os.kill(victim(kind, child, folder), signal.SIGKILL)
    _, err = child.communicate(timeout=60)
    assert child.returncode == code and told in err and err.count("\n") <= 1
    assert eventually(
        lambda: not left("-Xmx283m") and not left("01_measure") and not left("handoff-guard")
    )
    done = len(names(folder, "forks"))
    ended = run_all(sweep, "measure", "--data", runs)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"{done} of 2 forks measured" in ended.stdout and len(names(folder, "forks")) == 2


def test_of_two_simultaneous_starts_one_measures_and_the_other_says_who(sweep_file, tmp_path, java):
    # Enough forks that the first still measures when the patience of the second ends.
    sweep = sweep_file("mechanism: SEQUENTIAL, sorts: 1..7")
    both = [started(sweep, tmp_path / "runs") for _ in range(2)]
    parts = [child.communicate(timeout=120)[1] for child in both]
    assert sorted(child.returncode for child in both) == [0, 5], parts
    assert "Another runner is active on this machine: process " in "".join(parts)
    (folder,) = (tmp_path / "runs").iterdir()
    assert (
        len(names(folder, "forks")) == 7
        and names(folder, "failed", "quarantine", "interrupted") == []
    )
