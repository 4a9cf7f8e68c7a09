"""The order of a run's forks: what is most important comes first, in complete blocks."""

import pytest

from handoff.run.order import plan_order
from handoff.run.plan.points import Point, Slot
from handoff.run.plan.sweep import validate_sweep
from handoff.run.store.run import Run

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
