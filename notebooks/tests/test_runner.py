"""A sweep can neither lie nor lose: each promise with the fault that would break it, against a `java` that does what it is told."""

import contextlib
import json
import os
import subprocess
import sys
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

import pytest

from handoff import tidy
from handoff.errors import BadInput, Busy
from handoff.notebook import environment
from handoff.run import lock, machine, runner, state, store
from handoff.run.cost import Costs

from .conftest import measured, names

EMPTY = ("failed", "timed-out", "interrupted", "quarantine")


def orders(run):
    """(order, block, fork, sorts) of every fork file."""
    files = [json.loads(path.read_text()) for path in (run.folder / "forks").glob("*.json")]
    return sorted((f["order"], f["block"], f["fork"], f["again"], int(f["params"]["sorts"])) for f in files)


def test_every_fork_is_measured_once_and_a_finished_run_does_nothing(fake_run, fake_java):
    run = fake_run(fake_java(), loads=5, forks=3)
    assert measured(run) == [""] * 15
    before = {path.name: path.stat().st_mtime_ns for path in (run.folder / "forks").iterdir()}
    assert len(before) == 15 and names(run.folder, *EMPTY) == [] and not (run.folder / "progress.json").exists()
    assert measured(run) == []
    assert {path.name: path.stat().st_mtime_ns for path in (run.folder / "forks").iterdir()} == before


def test_blocks_are_complete_shuffled_and_the_seeds(fake_run, fake_java, tmp_path):
    run = fake_run(fake_java(), loads=6, forks=3)
    measured(run)
    executed = orders(run)
    assert [order for order, *_ in executed] == list(range(18))
    assert [block for _, block, *_ in executed] == [0] * 6 + [1] * 6 + [2] * 6
    blocks = [[sorts for *_, sorts in executed[i : i + 6]] for i in (0, 6, 12)]
    assert all(sorted(block) == [1, 2, 3, 4, 5, 6] for block in blocks) and len(set(map(tuple, blocks))) > 1
    again = fake_run(fake_java(), loads=6, forks=3, folder=tmp_path / "other")
    assert [t.point.key for t in runner.in_order(again)] == [t.point.key for t in runner.in_order(run)]
    reseeded = fake_run(fake_java(), loads=6, forks=3, folder=tmp_path / "third", seed=1)
    assert [t.point.key for t in runner.in_order(reseeded)] != [t.point.key for t in runner.in_order(run)]


def test_a_failed_fork_is_tried_once_more_at_the_next_start_then_left_until_asked(fake_run, fake_java):
    fails = fake_java('case $params in *\'"sorts":"2"\'*) echo java.lang.IllegalStateException: lost; exit 1 ;; esac')
    run = fake_run(fails)
    wrong = "the JVM ended with exit code 1: java.lang.IllegalStateException: lost"
    assert sorted(measured(run)) == ["", "", wrong]
    assert measured(run) == [wrong]
    assert measured(run) == [] and len(names(run.folder, "failed")) == 2
    assert "2 of 3 forks are there; 1 failed; 0 to measure" in state.in_words(run, state.look(run), 0)
    fake_java()
    assert measured(run) == []
    state.forgive(run)
    assert measured(run) == [""]
    assert names(run.folder, "failed") == [] and len(names(run.folder, "failed/earlier")) == 2


def test_a_fork_past_its_limit_is_timed_out(fake_run, fake_java, monkeypatch):
    monkeypatch.setattr(runner.Costs, "limit_seconds", lambda self, point: 0.5)
    run = fake_run(fake_java("sleep 66.66"), loads=1)
    assert measured(run) == ["it was still running after its limit of 0 s"]
    (note,) = names(run.folder, "timed-out")
    assert note.endswith("-0.1.txt") and names(run.folder, "failed") == []
    state.forgive(run)
    assert names(run.folder, "failed/earlier") == [note.replace(".1.txt", ".1.1.txt")] and names(run.folder, "timed-out") == []


def test_partial_results_are_never_whole_ones(fake_run, fake_java):
    run = fake_run(fake_java('case $params in *\'"sorts":"2"\'*) exit 1 ;; esac'))
    measured(run)
    points = tidy.tidy(run)["points"]
    assert points.set_index("sorts")["found"].to_dict() == {1: 1, 2: 0, 3: 1}


@pytest.mark.parametrize("spoil", ["truncate", "edit", "copy"])
def test_a_spoilt_fork_file_is_set_aside_and_measured_again(fake_run, fake_java, spoil):
    run = fake_run(fake_java())
    measured(run)
    first, second, _ = sorted((run.folder / "forks").iterdir())
    text = first.read_text()
    content = {"truncate": text[:-100], "edit": text.replace('"wallNs":', '"wallNs":1', 1), "copy": second.read_text()}[spoil]
    first.write_text(content)
    found = state.look(run)
    assert len(found.spoilt) == 1 and len(found.measured) == 2
    assert measured(run) == [""] and len(names(run.folder, "forks")) == 3
    (kept,) = (run.folder / "quarantine").iterdir()
    assert kept.read_text() == content


@pytest.fixture
def noisy(monkeypatch):
    """The hypervisor takes half a core during the first so many forks."""

    def during(forks):
        calls, real = [0], machine.snapshot

        def snapshot(cpus):
            taken, calls[0] = real(cpus), calls[0] + 1
            stolen = 1e6 if calls[0] % 2 == 0 and calls[0] <= 2 * forks else 0
            return taken | {"cpu_s": taken["cpu_s"] | {"steal": stolen}}

        monkeypatch.setattr("handoff.run.fork.snapshot", snapshot)

    return during


def test_a_disturbed_fork_is_measured_again_at_the_end_and_both_stay(fake_run, fake_java, noisy):
    noisy(1)
    run = fake_run(fake_java(), quiet={"again": 2, "others": 1e9, "pressure": 1e9})
    assert measured(run) == [""] * 4
    executed = orders(run)
    assert [again for _, _, _, again, _ in executed] == [0, 0, 0, 1] and executed[0][4] == executed[3][4]
    table = tidy.tidy(run)
    assert table["scaling"].groupby("counted").size().to_dict() == {False: 2, True: 6} and table["points"]["disturbed"].sum() == 0
    assert measured(run) == []


def test_it_is_measured_again_a_stated_number_of_times_and_then_said(fake_run, fake_java, noisy):
    noisy(99)
    run = fake_run(fake_java(), loads=1, quiet={"again": 2, "others": 1e9, "pressure": 1e9})
    assert measured(run) == [""] * 3
    assert measured(run) == [] and len(names(run.folder, "forks")) == 3
    table = tidy.tidy(run)
    assert table["points"]["disturbed"].tolist() == [1]
    assert table["scaling"].loc[table["scaling"]["counted"], "again"].unique().tolist() == [2]


def test_a_disturbed_fork_is_taken_up_again_by_the_next_start(fake_run, fake_java, noisy):
    noisy(1)
    run = fake_run(fake_java(), loads=2, quiet={"again": 1, "others": 1e9, "pressure": 1e9})
    going = runner.measure(run)
    next(going), next(going)
    going.close()
    assert len(names(run.folder, "forks")) == 2
    assert measured(run) == [""] and [again for _, _, _, again, _ in orders(run)] == [0, 0, 1]


def mounted(folder: Path, size: str):
    """A small disk at `folder`."""
    folder.mkdir(parents=True)
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True, check=False)
    if made.returncode != 0:
        pytest.skip("a small disk needs the right to mount one")


@pytest.fixture
def small_disk(tmp_path):
    mounted(tmp_path / "disk", "128k")
    yield tmp_path / "disk"
    subprocess.run(["umount", "-l", tmp_path / "disk"], check=True)


def test_a_disk_that_fills_up_costs_the_fork_under_way(fake_run, fake_java, small_disk):
    run = fake_run(fake_java(), loads=40, folder=small_disk / "full-00000000")
    with pytest.raises(BadInput, match=r"full-00000000: No space left on device.*What is measured is kept; mend this"):
        measured(run)
    there = names(run.folder, "forks")
    assert 0 < len(there) < 40 and all(name.endswith(".json") for name in there)
    assert len(state.look(run).measured) == len(there) and names(run.folder, "quarantine") == []
    subprocess.run(["mount", "-o", "remount,size=4m", small_disk], check=True)
    assert measured(run) == [""] * (40 - len(there)) and len(state.look(run).measured) == 40
    assert names(run.folder, *EMPTY) == []


def test_a_full_temporary_disk_stops_the_sweep_instead_of_failing_every_fork(fake_run, fake_java, monkeypatch):
    run = fake_run(fake_java("exit 1"))
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(BadInput, match=r"No space left on device \(.*What is measured is kept"):
        measured(run)
    assert names(run.folder, "failed") == []


def test_a_broken_run_beside_this_one_is_no_obstacle(fake_run, fake_java, tmp_path):
    run = fake_run(fake_java())
    measured(run)
    other = fake_run(fake_java(), folder=tmp_path / "runs" / "fake-11111111")
    measured(other)
    (run.folder / "plan.json").write_text("[{")
    (run.folder / "run.json").write_text('{"machine":"m", ')
    assert Costs(other.folder.parent, "m").shot_s and store.changed(other) == ""
    with pytest.raises(BadInput, match=r"run\.json, machine\.json or plan\.json is not whole"):
        store.read(run.folder)


def test_a_read_only_folder_is_one_sentence(fake_run, fake_java, small_disk):
    run = fake_run(fake_java(), folder=small_disk / "fixed-00000000")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(BadInput, match="fixed-00000000: Read-only file system"):
        measured(run)


def test_a_clock_set_back_in_the_middle_changes_nothing(fake_run, fake_java, monkeypatch):
    stamps = iter(["2026-01-02T00:00:00+00:00", "2026-01-01T00:00:00+00:00", "1999-01-01T00:00:00+00:00"] * 9)
    real = machine.snapshot
    monkeypatch.setattr("handoff.run.fork.snapshot", lambda cpus: real(cpus) | {"utc": next(stamps)})
    run = fake_run(fake_java(), loads=3)
    going = runner.measure(run)
    next(going)
    going.close()
    assert measured(run) == ["", ""] and [order for order, *_ in orders(run)] == [0, 1, 2]
    table = tidy.tidy(run)["scaling"]
    assert (table["seconds"] > 0).all() and table["counted"].all()


def test_java_disappearing_half_way_stops_with_one_sentence_and_no_failed_forks(fake_run, fake_java):
    java = fake_java()
    run = fake_run(java)
    going = runner.measure(run)
    next(going)
    java.java.unlink()
    with pytest.raises(BadInput, match="java was changed or removed while measuring"):
        list(going)
    assert len(names(run.folder, "forks")) == 1 and names(run.folder, *EMPTY) == []
    fake_java()
    assert measured(run) == ["", ""]


def test_a_jar_rebuilt_half_way_stops(fake_run, fake_java, tmp_path, monkeypatch):
    monkeypatch.setattr(store.jar, "JAR", tmp_path / "benchmarks.jar")
    (tmp_path / "benchmarks.jar").write_text("old")
    going = runner.measure(fake_run(fake_java()))
    next(going)
    (tmp_path / "benchmarks.jar").write_text("newer")
    with pytest.raises(BadInput, match=r"benchmarks\.jar was changed"):
        list(going)


def test_what_a_killed_runner_left_half_written_is_cleared_and_said(fake_run, fake_java):
    run = fake_run(fake_java())
    going = runner.measure(run)
    next(going)
    going.close()
    (run.folder / "forks" / "scaling-12345678-0.tmp").write_text('{"schema"')
    waiting = [task for task in runner.in_order(run) if not (run.folder / "forks" / f"{task.name}.json").exists()]
    state.begin(run, waiting[0])
    assert "1 of 3 forks are there; 1 interrupted; 2 to measure" in state.in_words(run, state.look(run), 2)
    assert measured(run) == ["", ""] and len(names(run.folder, "forks")) == 3 and names(run.folder, *EMPTY) == []


class Recording:
    """An executor of many processes that remembers how many forks it was given at once."""

    def __init__(self, pool):
        self.pool, self.flying, self.most = pool, 0, 0

    def submit(self, work, /, *args) -> Future:
        self.flying += 1
        self.most = max(self.most, self.flying)
        future = self.pool.submit(work, *args)
        future.add_done_callback(lambda _: setattr(self, "flying", self.flying - 1))
        return future


def test_any_executor_measures_and_never_has_more_forks_than_places(fake_run, fake_java):
    run = fake_run(fake_java("sleep 0.05"), loads=9)
    with ProcessPoolExecutor(3) as pool:
        executor = Recording(pool)
        assert measured(run, executor=executor, places=3) == [""] * 9
    assert executor.most <= 3 and len(state.look(run).measured) == 9
    assert sorted(order for order, *_ in orders(run)) == list(range(9))


def test_an_interrupt_costs_the_fork_under_way(fake_run, fake_java):
    run = fake_run(fake_java(f"[ -e /proc/{os.getpid()} ] && kill -INT {os.getpid()}; sleep 67.67"), loads=2)
    with pytest.raises(KeyboardInterrupt):
        measured(run)
    assert names(run.folder, "forks") == [] and len(names(run.folder, "interrupted")) == 1
    fake_java()
    assert measured(run) == ["", ""] and names(run.folder, *EMPTY) == []


def test_the_expected_time_is_learnt_from_earlier_forks_of_this_machine(fake_run, fake_java):
    run = fake_run(fake_java("sleep 0.2"), loads=2)
    guessed = Costs(run.folder.parent, "m")
    assert guessed.shot_s == {} and guessed.fork_seconds(run.points[0]) > 1
    next(runner.measure(run))
    learnt = Costs(run.folder.parent, "m")
    assert len(learnt.shot_s) == 1
    # These shots are next to nothing, so what a fork took is what any fork takes.
    assert all(0.2 < learnt.fork_seconds(point) < 1 for point in run.points)
    twice = run.points[0].model_copy(update={"shots": 4})
    assert learnt.fork_seconds(twice) >= learnt.fork_seconds(run.points[0])
    assert Costs(run.folder.parent, "another machine").shot_s == {}


@contextlib.contextmanager
def another(what):
    """Another process that holds the machine's lock."""
    script = f"from handoff.run import lock\nwith lock.held({what!r}, 0):\n  print(1, flush=True)\n  input()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()) as process:
        process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def test_a_start_while_another_runner_is_active_names_it(fake_run, fake_java, monkeypatch):
    monkeypatch.setattr(lock, "PATIENCE_S", 0.1)
    run = fake_run(fake_java())
    with another("measuring quick-12345678") as process, pytest.raises(Busy) as told:
        measured(run)
    assert f"process {process.pid}, measuring quick-12345678, since 20" in str(told.value)
    assert measured(run) == [""] * 3


def test_the_machines_lock_goes_with_its_holder():
    with another("holding") as process:
        with pytest.raises(Busy, match="holding"), lock.held("me", 0):
            pass
        process.kill()
        with lock.held("me", 5):
            assert json.loads(lock.FILE.read_text())["what"] == "me"


def test_a_cleaner_that_removes_the_locks_file_lets_the_next_start_make_another():
    with another("holding"):
        lock.FILE.unlink()
        with lock.held("me", 0):
            assert json.loads(lock.FILE.read_text())["what"] == "me"


def test_what_holds_the_lock_may_ask_for_it_again_and_keeps_it_until_the_end(monkeypatch):
    with lock.held("outer"):
        with lock.held("inner", 0):
            pass
        monkeypatch.setattr(lock, "HOLDERS", {})
        with pytest.raises(Busy, match="outer"), lock.held("someone else", 0):
            pass
        monkeypatch.undo()


def test_processes_forked_under_the_lock_do_not_keep_it(fake_run, fake_java):
    run = fake_run(fake_java())
    with ProcessPoolExecutor(1) as pool:
        assert measured(run, executor=pool, places=1) == [""] * 3
        with lock.held("the next", 0):
            pass
