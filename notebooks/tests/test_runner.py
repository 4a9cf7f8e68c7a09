"""A sweep neither invents nor loses forks, and measures what is most important first."""

import os

import pytest

from handoff.files import write_json
from handoff.run import runner
from handoff.run.cost import CostModel
from handoff.run.order import plan_order
from handoff.run.plan.points import Point, Slot
from handoff.run.plan.sweep import validate_sweep
from handoff.run.store import state
from handoff.run.store.provenance import list_starts
from handoff.run.store.run import Run
from handoff.tables import tidy

from .conftest import list_times, measured, names, orders, raise_forks, sealed

EMPTY = ("failed", "timed-out", "quarantine")
QUIET = {"others": 1e9, "pressure": 1e9}


def list_keys(run):
    return [task.point.key for task in plan_order(run)]


def test_a_finished_run_does_nothing(fake_run, fake_java):
    run = fake_run(fake_java())
    assert measured(run) == [""] * 3 and names(run.folder, *EMPTY) == []
    before = list_times(run)
    assert measured(run) == [] and list_times(run) == before
    assert not (run.folder / "progress.json").exists()


def test_blocks_are_complete_and_shuffled_by_the_seed(fake_run, fake_java, tmp_path):
    run = fake_run(fake_java(), loads=6, forks=3)
    measured(run)
    executed = orders(run)
    assert [order for order, *_ in executed] == list(range(18))
    assert [block for _, block, *_ in executed] == [0] * 6 + [1] * 6 + [2] * 6
    blocks = [[sorts for *_, sorts in executed[i : i + 6]] for i in (0, 6, 12)]
    assert all(sorted(block) == [1, 2, 3, 4, 5, 6] for block in blocks)
    assert len(set(map(tuple, blocks))) > 1
    again = fake_run(fake_java(), loads=6, forks=3, folder=tmp_path / "other")
    assert list_keys(again) == list_keys(run)
    reseeded = fake_run(fake_java(), loads=6, forks=3, folder=tmp_path / "third", seed=1)
    assert list_keys(reseeded) != list_keys(run)


def test_the_forks_of_points_with_fewer_are_spread_over_the_blocks(fake_run, fake_java):
    run = fake_run(fake_java(), loads=60, forks=4)
    fewer = [point.model_copy(update={"forks": 1}) for point in run.points[10:]]
    tasks = plan_order(run._replace(points=run.points[:10] + fewer))
    blocks = [[task.point.key for task in tasks if task.block == block] for block in range(4)]
    assert [task.block for task in tasks] == sorted(task.block for task in tasks)
    assert len(tasks) == 50 + 40
    assert all(len(set(block)) == len(block) for block in blocks)
    assert all({p.key for p in run.points[:10]} <= set(block) for block in blocks)
    assert all(15 <= len(block) <= 35 for block in blocks)


def test_a_failed_fork_is_retried_once_at_the_next_start_then_only_on_request(fake_run, fake_java):
    fails = fake_java(
        'case $params in *\'"sorts":"2"\'*) echo java.lang.IllegalStateException: lost; exit 1 ;;'
        " esac"
    )
    run = fake_run(fails)
    wrong = "the JVM ended with exit code 1: java.lang.IllegalStateException: lost"
    assert sorted(measured(run)) == ["", "", wrong]
    points = tidy.write_tables(run)["points"]
    assert points.set_index("sorts")["found"].to_dict() == {1: 1, 2: 0, 3: 1}
    assert measured(run) == [wrong]
    assert [file.name for file in list_starts(run.folder)] == ["001.json", "002.json"]
    assert measured(run) == [] and len(names(run.folder, "failed")) == 2
    summary = state.summarize_state(run, state.scan_run(run), 0)
    assert "2 of 3 forks measured; 1 failed; 0 to measure" in summary
    fake_java()
    assert measured(run) == []
    state.reset_failures(run)
    assert measured(run) == [""]
    assert names(run.folder, "failed") == [] and len(names(run.folder, "failed/earlier")) == 2


def test_forks_that_another_runner_added_meanwhile_are_not_set_aside(fake_run, fake_java):
    run = fake_run(fake_java(), loads=1)
    assert measured(raise_forks(run, {run.points[0].key: 2})) == [""] * 2
    assert measured(run) == [] and names(run.folder, "quarantine") == []


def test_a_pipe_among_the_forks_is_set_aside_and_not_waited_for(fake_run, fake_java):
    run = fake_run(fake_java(), loads=1)
    os.mkfifo(run.folder / "forks" / f"{run.points[0].name}-0.json")
    (sentence,) = state.scan_run(run).corrupt
    assert "it is not a file" in sentence


def test_a_fork_past_its_limit_is_timed_out(fake_run, fake_java, monkeypatch):
    monkeypatch.setattr(runner.CostModel, "limit_seconds", lambda self, point: 0.5)
    run = fake_run(fake_java("sleep 66.66"), loads=1)
    assert measured(run) == ["it was still running after its limit of 0 s"]
    (note,) = names(run.folder, "timed-out")
    assert note.endswith("-0.1.txt") and names(run.folder, "failed") == []
    state.reset_failures(run)
    assert names(run.folder, "failed/earlier") == [note.replace(".1.txt", ".1.1.txt")]
    assert names(run.folder, "timed-out") == []


def test_a_damaged_fork_file_is_set_aside_and_measured_again(fake_run, fake_java):
    run = fake_run(fake_java())
    measured(run)
    first, *_ = sorted((run.folder / "forks").iterdir())
    cut = first.read_text()[:-100]
    first.write_text(cut)
    scan = state.scan_run(run)
    assert len(scan.corrupt) == 1 and len(scan.measured) == 2
    assert measured(run) == [""] and len(names(run.folder, "forks")) == 3
    (kept,) = (run.folder / "quarantine").iterdir()
    assert kept.read_text() == cut


def test_a_disturbed_fork_is_measured_again_at_the_end_and_both_stay(fake_run, fake_java, noisy):
    noisy(1)
    run = fake_run(fake_java(), quiet=QUIET | {"again": 2})
    assert measured(run) == [""] * 4
    executed = orders(run)
    assert [again for *_, again, _ in executed] == [0, 0, 0, 1]
    assert executed[0][4] == executed[3][4]
    table = tidy.write_tables(run)
    assert table["scaling"].groupby("counted").size().to_dict() == {False: 5, True: 3}
    assert table["points"]["disturbed"].sum() == 0
    assert measured(run) == []


def test_it_is_measured_again_a_set_number_of_times_and_then_reported(fake_run, fake_java, noisy):
    noisy(99)
    run = fake_run(fake_java(), loads=1, quiet=QUIET | {"again": 2})
    assert measured(run) == [""] * 3
    assert measured(run) == [] and len(names(run.folder, "forks")) == 3
    table = tidy.write_tables(run)
    assert table["points"]["disturbed"].tolist() == [1]
    assert table["scaling"].loc[table["scaling"]["counted"], "again"].unique().tolist() == [2]


def test_a_measured_fork_is_expected_to_take_as_long_again_with_its_warm_up(fake_run, golden):
    run = fake_run(loads=1)
    point = run.points[0].model_copy(update={"warmup": 0, "warmup_limit": 5})
    write_json(run.folder / "plan.json", [point.model_dump()])
    write_json(run.folder / "forks" / f"{point.name}-0.json", sealed(golden, seconds=9.0))
    assert CostModel(run.folder.parent, "m").fork_seconds(point) == pytest.approx(9.0)
    assert CostModel(run.folder.parent, "another machine").known == {}


SWEEP = {"about": "x", "forks": {"fitting": 1}, "studies": {"hops": [{"shots": 1, "warmup": 0}]}}


def make_point(study, mechanism, forks, shared=False):
    slots = [Slot(role="producer", cpu=0, oversubscribed=shared)]
    params = {"mechanism": mechanism}
    return Point(study=study, params=params, shots=1, forks=forks, threads=slots)


@pytest.fixture
def run(tmp_path):
    points = [
        make_point("hops", "CACHE_LINE", 2),
        make_point("scaling", "ARRAY_BLOCKING_QUEUE", 1, shared=True),
        make_point("scaling", "SEQUENTIAL", 3),
        make_point("scaling", "DISRUPTOR_STRIPED", 3),
        make_point("latency", "DISRUPTOR_4", 1),
    ]
    return Run(tmp_path, validate_sweep(SWEEP, "own.yml"), {}, {}, points)


def test_studies_come_by_importance_in_complete_blocks(run):
    order = [(task.point.study, task.point.oversubscribed) for task in plan_order(run)]
    stages = list(dict.fromkeys(order))
    expected = [("scaling", False), ("scaling", True), ("latency", False), ("hops", False)]
    assert stages == expected and sorted(order, key=expected.index) == order
    blocks = {}
    for task in plan_order(run):
        blocks.setdefault(task.block, []).append(task.point.params["mechanism"])
    first = [sorted(blocks[block]) for block in range(3)]
    assert first == [["DISRUPTOR_STRIPED", "SEQUENTIAL"]] * 3
    assert sorted(blocks) == list(range(7))


def test_a_second_session_repeats_all_stages(run):
    both = run._replace(identity={"sessions": 2})
    order = [(task.point.study, task.number) for task in plan_order(both)]
    half = len(plan_order(run))
    assert [study for study, _ in order[:half]] == [study for study, _ in order[half:]]
    assert len({(task.point.key, task.number) for task in plan_order(both)}) == 2 * half
