"""Heap placement: the command that binds memory to nodes, and what is accepted."""

import subprocess
import sys

import pytest

from handoff.run.accept import Rejected, accept_heap
from handoff.run.java import jvm, launcher
from handoff.run.java.command import build_command
from handoff.run.plan.points import HeapPolicy
from handoff.run.plan.sweep import Jvm

ON_0, OVER_BOTH = (
    HeapPolicy(interleaved=False, nodes=[0]),
    HeapPolicy(interleaved=True, nodes=[0, 1]),
)


@pytest.mark.parametrize(
    ("policy", "pages"),
    [
        (None, {"1": 100}),
        (ON_0, None),
        (ON_0, {}),
        (ON_0, {"0": 1000}),
        (ON_0, {"0": 990, "1": 10}),
        (OVER_BOTH, {"0": 500, "1": 500}),
        (OVER_BOTH, {"0": 490, "1": 510}),
    ],
)
def test_a_heap_on_the_planned_or_on_unknown_nodes_is_accepted(policy, pages):
    accept_heap(policy, pages)


@pytest.mark.parametrize(
    ("policy", "pages", "why"),
    [
        (
            ON_0,
            {"0": 29184, "1": 36352},
            "expected the heap on node 0, but it lies 45% on node 0, 55% on node 1",
        ),
        (ON_0, {"1": 1000}, "100% on node 1"),
        (OVER_BOTH, {"0": 1000}, "expected the heap evenly over nodes 0, 1"),
        (OVER_BOTH, {"0": 600, "1": 400}, "60% on node 0, 40% on node 1"),
    ],
)
def test_a_heap_elsewhere_is_rejected(policy, pages, why):
    with pytest.raises(Rejected, match=why):
        accept_heap(policy, pages)


def test_the_java_command_follows_the_launcher_that_places_memory(
    golden_point, fake_java, tmp_path
):
    java, plain = fake_java(), golden_point
    command = build_command(java, Jvm(), plain, tmp_path)
    assert command[0] == str(java.java)
    bound = build_command(java, Jvm(), plain.model_copy(update={"heap": ON_0}), tmp_path)
    assert bound == [sys.executable, "-I", launcher.__file__, "--bind", "0", *command]
    both = build_command(java, Jvm(), plain.model_copy(update={"heap": OVER_BOTH}), tmp_path)
    assert both[3:5] == ["--interleave", "0,1"]


def test_only_first_touch_leaves_the_heap_untouched(golden_point):
    assert "-XX:+AlwaysPreTouch" in jvm.plan_flags(Jvm(), golden_point, 17)
    lazy = golden_point.model_copy(
        update={"params": golden_point.params | {"memory": "FIRST_TOUCH"}}
    )
    flags = jvm.plan_flags(Jvm(), lazy, 17)
    assert "-XX:-AlwaysPreTouch" in flags and "-XX:+AlwaysPreTouch" not in flags


def run_launcher(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-I", launcher.__file__, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_kernel_binds_the_memory():
    result = run_launcher("--bind", "0", "/bin/cat", "/proc/self/numa_maps")
    if "Operation not permitted" in result.stderr or "not known on" in result.stderr:
        pytest.skip("this container may not place memory")
    assert result.returncode == 0
    assert not result.stdout or " bind:0 " in result.stdout.splitlines()[0]


def test_a_node_that_does_not_exist_is_one_sentence():
    result = run_launcher("--bind", "63", "/bin/true")
    assert result.returncode == 1 and result.stderr.count("\n") == 1
    assert result.stderr.startswith("OSError: the kernel refuses to place memory on node 63: ")
