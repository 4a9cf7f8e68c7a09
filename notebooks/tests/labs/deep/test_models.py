"""Lab 5's models on every fault: the reference finds each, and each wrong model fails."""

import tempfile
from pathlib import Path

import numpy as np
import pytest

from handoff.grade.java import check_model
from handoff.labs import correctness, ownclass
from handoff.run.java import jar, jdk

from ..solutions import Wrong, list_wrong, read_solution

pytestmark = pytest.mark.machine
WRONG = [wrong for wrong in list_wrong(5) if wrong.answer == correctness.ANSWER]


def test_the_reference_finds_every_fault_and_passes_what_is_right():
    java = jdk.find_jdk()
    jar.build_jar(java)
    faults = [fault for own in correctness.FAULTS.values() for fault in own]
    with tempfile.TemporaryDirectory() as name:
        ownclass.compile_class(java, read_solution(5, "model"), Path(name), correctness.CLASS)
        for subject in correctness.RIGHT:
            assert correctness.check_queues(java, Path(name), [subject]) == [""]
        for fault in faults:
            (wrong,) = correctness.check_queues(java, Path(name), [fault])
            assert wrong, fault


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_a_wrong_model_fails_whatever_is_drawn(wrong: Wrong, seed):
    passed, reason = check_model(wrong.text, np.random.default_rng(seed), True)
    assert passed is False, reason


@pytest.mark.parametrize(
    ("name", "finds"), [("frees_first", True), ("publishes_first", True), ("plain", False)]
)
def test_the_checker_finds_what_hammering_may_leave_and_passes_what_lacks_a_volatile(
    tmp_path, name, finds
):
    java = jdk.find_jdk()
    jar.build_jar(java)
    (wrong,) = [wrong for wrong in list_wrong(6) if wrong.name == name]
    ownclass.compile_class(java, wrong.text, tmp_path)
    assert bool(ownclass.explore(java, tmp_path)) is finds
