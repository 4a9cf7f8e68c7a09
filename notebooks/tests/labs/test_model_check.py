"""Lab 5 with the real checker: what each kind of test finds, and models on unknown queues."""

import numpy as np
import pytest

from handoff.errors import BadInput
from handoff.grade.java import check_model, judge_model
from handoff.labs import correctness
from handoff.labs.work import Work

from . import students
from .solutions import read_solution

pytestmark = pytest.mark.machine

GOOD = read_solution(5, "model")


def judge(source: str, seed: int = 1) -> tuple[bool | None, str]:
    return check_model(source, np.random.default_rng(seed), True)


def test_the_reference_model_passes_and_the_others_are_known(java):
    passed, reason = judge(GOOD)
    assert passed and reason.startswith("it passes 2 right queues and finds the faults of others")
    assert set(correctness.FAULTS) == {
        "bound",
        "order",
        "publication",
        "freeing",
        "shared state",
        "loss",
    }


def test_a_model_that_breaks_is_one_sentence(java, tmp_path):
    work = students.start(5, tmp_path).work
    work.write_answer("model", GOOD.replace("static ModelCheckingOptions options", "static int no"))
    with pytest.raises(BadInput, match=r"Java cannot compile it: QueueCheck\.java:"):
        correctness.try_model(work)
    work.write_answer("model", "public class QueueCheck { }")
    with pytest.raises(BadInput, match=r"Your model: trying it broke: .*options"):
        correctness.try_model(Work(work.lab, work.folder, work.course, work.pseudonym))


def test_what_a_model_prints_by_itself_counts_for_nothing(java):
    """Eight answers of its own, right ones, and then the end before any other is made."""
    lines = "".join(
        f'System.out.println("{{\\"token\\":null,\\"wrong\\":{wrong}}}");'
        for wrong in ["null"] * 2 + ['\\"x\\"'] * 6
    )
    cheat = f"static {{ {lines} System.out.flush(); Runtime.getRuntime().halt(0); }}"
    source = GOOD.replace("static final int CAPACITY", f"{cheat} static final int CAPACITY")
    passed, reason = judge(source)
    assert passed is False and reason.startswith("trying it broke")


@pytest.mark.parametrize(
    ("right", "faulty", "outcome"),
    [
        (["", ""], ["x"] * 6, (True, "finds the faults of others")),
        (["", ""], ["x"] * 5 + [""], (True, "it misses one of the kind loss")),
        (["", ""], ["x"] * 4 + ["", ""], (False, "of the kinds shared state and loss")),
        (["", "= Bad =\n"], ["x"] * 6, (False, "a fault where there is none: Bad")),
    ],
)
def test_one_kind_may_be_missed(right, faulty, outcome):
    passed, reason = judge_model(right, faulty)
    assert passed is outcome[0]
    assert reason.endswith(outcome[1])
