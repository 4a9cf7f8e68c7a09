"""Lab 5's models on every fault: the reference finds each, and each wrong model fails."""

import tempfile
from pathlib import Path

import numpy as np
import pytest

from handoff.grade.java import check_model
from handoff.labs import correctness, ownclass
from handoff.paths import LABS
from handoff.run.java import jar, jdk

from ..test_model_check import GOOD

pytestmark = pytest.mark.machine
WRONG = sorted((LABS / "wrong" / "05").glob("*.java"))


def test_the_reference_finds_every_fault_and_passes_what_is_right():
    java = jdk.find_jdk()
    jar.build_jar(java)
    faults = [fault for own in correctness.FAULTS.values() for fault in own]
    with tempfile.TemporaryDirectory() as name:
        ownclass.compile_class(java, GOOD, Path(name), correctness.CLASS)
        for subject in correctness.RIGHT:
            assert correctness.check_queues(java, Path(name), [subject]) == [""]
        for fault in faults:
            (wrong,) = correctness.check_queues(java, Path(name), [fault])
            assert wrong, fault


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_a_wrong_model_fails_whatever_is_drawn(path, seed):
    passed, reason = check_model(path.read_text(), np.random.default_rng(seed), True)
    assert passed is False, reason


@pytest.mark.parametrize(
    ("name", "finds"), [("frees_first", True), ("publishes_first", True), ("plain", False)]
)
def test_the_checker_finds_what_hammering_may_leave_and_passes_what_lacks_a_volatile(
    tmp_path, name, finds
):
    java = jdk.find_jdk()
    jar.build_jar(java)
    ownclass.compile_class(java, (LABS / "wrong" / "06" / f"{name}.java").read_text(), tmp_path)
    assert bool(ownclass.explore(java, tmp_path)) is finds
