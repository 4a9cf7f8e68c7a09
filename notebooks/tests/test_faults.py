"""Faults around a sweep: each is reported in one sentence, and no finished fork is lost.

Disks, clocks, a missing Java, interrupts, two runners.
"""

import os
import shutil
import subprocess
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from unittest.mock import Mock

import pytest

from handoff.errors import BadInput, Busy
from handoff.files import write_text
from handoff.paths import JAR
from handoff.run import planning, runner
from handoff.run.cost import CostModel
from handoff.run.host import lock, machine
from handoff.run.store import state
from handoff.run.store.run import read_run
from handoff.tables import tidy

from .conftest import measured, names, orders

EMPTY = ("failed", "timed-out", "quarantine")


@pytest.fixture
def small_disk(tmp_path):
    """Mount a disk of 128 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", disk]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small disk needs the right to mount one")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def test_a_disk_that_fills_up_costs_only_the_current_fork(fake_run, fake_java, small_disk):
    run = fake_run(fake_java(), loads=40, folder=small_disk / "full-00000000")
    message = r"full-00000000: No space left on device.*Finished forks are kept; fix this"
    with pytest.raises(BadInput, match=message):
        measured(run)
    files = names(run.folder, "forks")
    assert 0 < len(files) < 40 and all(name.endswith(".json") for name in files)
    assert len(state.scan_run(run).measured) == len(files) and names(run.folder, "quarantine") == []
    subprocess.run(["mount", "-o", "remount,size=4m", small_disk], check=True)
    assert measured(run) == [""] * (40 - len(files)) and len(state.scan_run(run).measured) == 40
    assert names(run.folder, *EMPTY) == []


def test_a_full_temporary_disk_stops_the_sweep_instead_of_failing_every_fork(
    fake_run, fake_java, monkeypatch
):
    run = fake_run(fake_java("exit 1"))
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(BadInput, match=r"No space left on device \(.*Finished forks are kept"):
        measured(run)
    assert names(run.folder, "failed") == []


def test_a_damaged_run_does_not_disturb_the_others(fake_run, fake_java, tmp_path):
    run = fake_run(fake_java())
    measured(run)
    other = fake_run(fake_java(), folder=tmp_path / "runs" / "fake-11111111")
    measured(other)
    (run.folder / "plan.json").write_text("[{")
    (run.folder / "run.json").write_text("[1]")
    assert CostModel(other.folder.parent, "m").known and planning.explain_new_run(other) == ""
    with pytest.raises(BadInput, match=r"(run\.json or machine\.json|plan\.json) is damaged"):
        read_run(run.folder)


def test_a_clock_set_back_during_a_sweep_changes_nothing(fake_run, fake_java, monkeypatch):
    dates = ["2026-01-02", "2026-01-01", "1999-01-01"]
    stamps = iter([f"{date}T00:00:00+00:00" for date in dates] * 9)
    real = machine.take_snapshot
    monkeypatch.setattr(
        "handoff.run.fork.take_snapshot", lambda cpus: real(cpus) | {"utc": next(stamps)}
    )
    run = fake_run(fake_java(), loads=3)
    outcomes = runner.measure_run(run)
    next(outcomes)
    outcomes.close()
    assert measured(run) == ["", ""] and [order for order, *_ in orders(run)] == [0, 1, 2]
    table = tidy.write_tables(run)["scaling"]
    assert (table["seconds"] > 0).all() and table["counted"].eq(~table["warmup"]).all()


@pytest.mark.parametrize(
    ("name", "change"),
    [("java", Path.unlink), ("benchmarks.jar", lambda file: file.write_text("newer"))],
)
def test_a_java_or_jar_that_is_changed_stops_the_sweep_without_failed_forks(
    fake_run, fake_java, name, change
):
    java = fake_java()
    jar = shutil.copy(JAR, java.java.parent / "benchmarks.jar")
    run = fake_run(java._replace(jar=jar))
    outcomes = runner.measure_run(run)
    next(outcomes)
    change(java.java.parent / name)
    with pytest.raises(BadInput, match=f"{name} was changed or removed while measuring"):
        list(outcomes)
    assert len(names(run.folder, "forks")) == 1 and names(run.folder, *EMPTY) == []


def test_files_left_half_written_by_a_killed_runner_are_removed(fake_run, fake_java):
    run = fake_run(fake_java())
    outcomes = runner.measure_run(run)
    next(outcomes)
    outcomes.close()
    (run.folder / "forks" / "scaling-12345678-0.tmp").write_text('{"schema"')
    summary = state.summarize_state(run, state.scan_run(run), 2)
    assert "1 of 3 forks measured; 2 to measure" in summary
    assert measured(run) == ["", ""] and len(names(run.folder, "forks")) == 3
    assert names(run.folder, *EMPTY) == []


def test_an_interrupt_while_a_file_is_written_leaves_no_part_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "file.json", "{}")
    assert list(tmp_path.iterdir()) == []


def test_a_start_while_another_runner_is_active_names_it(fake_run, fake_java, monkeypatch):
    monkeypatch.setattr(lock, "TIMEOUT_S", 0.1)
    run = fake_run(fake_java())
    with lock.hold_lock("measuring quick-12345678"):
        lock.HOLDING_THREADS.clear()
        with pytest.raises(Busy) as text:
            measured(run)
    assert f"process {os.getpid()}, measuring quick-12345678, since 20" in str(text.value)


def test_a_start_that_waits_names_the_other_one_and_then_continues(monkeypatch, capsys):
    monkeypatch.setenv(lock.WAIT, "1")
    held, done = Event(), []

    def hold():
        with lock.hold_lock("another sweep"):
            held.set()
            time.sleep(0.5)
            done.append("another sweep")

    with ThreadPoolExecutor(1) as pool:
        pool.submit(hold)
        held.wait()
        with lock.hold_lock("mine", patience_s=0.1):
            assert done == ["another sweep"]
    out = capsys.readouterr().out
    assert out.startswith("Waiting for process ") and "another sweep" in out


def test_the_holder_of_the_lock_may_take_it_again_and_keeps_it_until_the_end(monkeypatch):
    with lock.hold_lock("outer"):
        with lock.hold_lock("inner", 0):
            pass
        monkeypatch.setattr(lock, "HOLDING_THREADS", set())
        with pytest.raises(Busy, match="outer"), lock.hold_lock("someone else", 0):
            pass
        monkeypatch.undo()


def test_processes_forked_under_the_lock_do_not_keep_it(fake_run, fake_java):
    assert measured(fake_run(fake_java())) == [""] * 3
    with ProcessPoolExecutor(1) as pool:
        with lock.hold_lock("the first", 0):
            pool.submit(os.getpid).result()
        with lock.hold_lock("the next", 0):
            pass


def test_a_lock_on_a_file_that_was_replaced_meanwhile_does_not_count(tmp_path, monkeypatch):
    file = tmp_path / "lock"

    def replace_file(handle, operation):
        file.unlink()
        file.touch()

    monkeypatch.setattr(lock.fcntl, "flock", replace_file)
    assert lock.try_lock(file) is None
