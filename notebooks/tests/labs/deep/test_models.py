"""Labs 5 and 6: what the real checker finds, each wrong model and each wrong class."""

import itertools
import re

import pytest

from handoff.labs import bytecode, ownclass
from handoff.labs.lessons import correctness

from ..solutions import Wrong, list_wrong, read_class
from ..test_model_check import judge  # noqa: F401
from ..test_own_class import FINDS

pytestmark = pytest.mark.machine
WRONG = [wrong for wrong in list_wrong(5) if wrong.cell == "model"]


def test_the_reference_finds_every_fault_and_passes_what_is_right(java, tmp_path):
    ownclass.compile_class(java, read_class(5, "model"), tmp_path, bytecode.MODEL_NAME)
    for subject in (*correctness.RIGHT, *itertools.chain(*correctness.FAULTS.values())):
        wrong = ownclass.find_faults(java, "check", [subject], tmp_path)[subject]
        assert bool(wrong) == (subject not in correctness.RIGHT), subject


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_a_wrong_model_fails_whatever_is_drawn(judge, wrong: Wrong, seed):  # noqa: F811
    share, reason = judge(wrong.source, str(seed))
    assert share < 1, reason


def test_the_checker_and_reading_find_what_the_lab_says(java):
    """The checker assumes that every write is seen at once, so it misses a missing volatile."""
    explored, read = correctness.explore_queues(java), correctness.read_queues(java)
    assert [letter for letter, wrong in explored.items() if wrong] == list("ADEF")
    assert [letter for letter, wrong in read.items() if wrong] == ["C"]
    assert "field head is neither final nor volatile, and both offer and poll use it" in read["C"]


@pytest.mark.parametrize(
    "wrong", [*list_wrong(6), *list_wrong(9)], ids=lambda wrong: f"{wrong.lab}-{wrong.name}"
)
def test_a_wrong_class_breaks_the_rule_that_it_is_to_break(java, tmp_path, wrong: Wrong):
    ownclass.compile_class(java, wrong.source, tmp_path / "classes")
    assert re.search(FINDS[wrong.name], ownclass.judge_class(java, tmp_path / "classes")[1])
