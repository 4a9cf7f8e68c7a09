"""Heap placement: the command that binds memory to nodes, and what is accepted."""

import subprocess
import sys
from contextlib import nullcontext

import pytest

from handoff.catalog import load_catalog
from handoff.errors import BadInput
from handoff.run import planning
from handoff.run.accept import Rejected, accept_heap
from handoff.run.java import command, jar, launcher
from handoff.run.java.command import build_command
from handoff.run.plan import expansion
from handoff.run.plan.points import HeapPolicy, Point
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.settings import Jvm
from handoff.run.plan.sweep import load_sweep

ON_0 = HeapPolicy(interleaved=False, nodes=[0])
OVER_BOTH = HeapPolicy(interleaved=True, nodes=[0, 1])
ELSEWHERE = "expected the heap on node 0, but it lies 45% on node 0, 55% on node 1"


@pytest.mark.parametrize(
    ("policy", "pages", "why"),
    [
        (None, {"1": 100}, ""),
        (ON_0, None, ""),
        (ON_0, {}, ""),
        (ON_0, {"0": 1000}, ""),
        (ON_0, {"0": 990, "1": 10}, ""),
        (OVER_BOTH, {"0": 500, "1": 500}, ""),
        (OVER_BOTH, {"0": 490, "1": 510}, ""),
        (ON_0, {"0": 29184, "1": 36352}, ELSEWHERE),
        (ON_0, {"1": 1000}, "100% on node 1"),
        (OVER_BOTH, {"0": 1000}, "expected the heap evenly over nodes 0, 1"),
        (OVER_BOTH, {"0": 600, "1": 400}, "60% on node 0, 40% on node 1"),
    ],
)
def test_only_a_heap_on_the_planned_or_on_unknown_nodes_is_accepted(policy, pages, why):
    with pytest.raises(Rejected, match=why) if why else nullcontext():
        accept_heap(policy, pages)


def test_the_java_command_follows_the_launcher_that_places_memory(
    golden_point, fake_java, tmp_path
):
    java = fake_java()
    plain, bound, both = (
        build_command(java, Jvm(), golden_point.model_copy(update={"heap": heap}), tmp_path)
        for heap in (None, ON_0, OVER_BOTH)
    )
    assert plain[0] == str(java.java)
    assert bound == [sys.executable, "-I", launcher.__file__, "--bind", "0", *plain]
    assert both[3:5] == ["--interleave", "0,1"]


def test_the_kernel_binds_the_memory():
    words = [sys.executable, "-I", launcher.__file__, "--bind", "0"]
    words += ["/bin/cat", "/proc/self/numa_maps"]
    result = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    if "SYS_NICE" in result.stderr or "unknown on" in result.stderr:
        pytest.skip("this container may not place memory")
    assert result.returncode == 0
    assert not result.stdout or " bind:0 " in result.stdout.splitlines()[0]


def test_a_node_that_does_not_exist_is_one_sentence():
    heap = HeapPolicy(interleaved=False, nodes=[63])
    said = command.find_refusal([Point(study="scaling", params={}, shots=1, heap=heap)])
    assert said.startswith("the kernel refuses to place memory on node 63: ") and "\n" not in said


def test_without_permission_only_a_place_that_was_asked_for_is_refused(
    monkeypatch, sweep_file, fake_java
):
    def check(jdk, points, root):
        slot = {"role": "producer", "cpu": 0, "node": 0, "oversubscribed": False}
        heaps = {"PRODUCER": {"interleaved": False, "nodes": [0]}}
        answer = {"plan": {"threads": [slot]}}
        return [answer | {"heap": heaps.get(point.params["memory"])} for point in points]

    def refuse(points):
        return "the kernel refuses" if any(point.heap for point in points) else ""

    def plan(entry):
        asked = SweepRequest("own", "own.yml", "", load_sweep(sweep_file(entry)))
        return planning.plan_points(asked, fake_java())

    here = {"topology": {"cpus": [], "quota": 2}, "memory_gib": 4}
    monkeypatch.setattr(jar, "check_points", check)
    monkeypatch.setattr(command, "find_refusal", refuse)
    monkeypatch.setattr(planning, "describe_here", lambda *_: here)
    (point,) = plan("")
    assert (point.params["memory"], point.unplaced) == ("FIRST_TOUCH", True)
    with pytest.raises(BadInput, match=r"own\.yml: the kernel refuses"):
        plan("memory: PRODUCER")


def test_a_collector_that_places_the_heap_itself_keeps_its_place(sweep_file):
    sweep = load_sweep(sweep_file("collector: [PARALLEL, PARALLEL_NUMA]"))
    points = expansion.expand_points(sweep, "own.yml", 2, unplaced=True)
    placed = {point.params["collector"]: point.unplaced for point in points}
    assert placed == {"PARALLEL": True, "PARALLEL_NUMA": False}


def test_every_collector_of_the_jar_has_its_flags():
    for spec in load_catalog().values():
        (collector,) = [one for one in spec.parameters if one.name == "collector"]
        assert collector.values == list(command.COLLECTORS)
