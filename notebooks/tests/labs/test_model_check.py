"""Lab 5 with the real checker: what each kind of test finds in the six queues, and students' models
on queues that they do not know. Real Java, so beside nothing else.
"""

import re

import numpy as np
import pytest

from handoff.errors import BadInput
from handoff.grade import mutants
from handoff.labs import authoring, modelcheck
from handoff.labs.work import Work
from handoff.paths import LABS
from handoff.run.java import jar, jdk

from . import students

pytestmark = pytest.mark.machine

WRONG = LABS / "wrong" / "05"


@pytest.fixture(scope="module")
def java():
    found = jdk.find_jdk()
    jar.build_jar(found)
    return found


def find_good() -> str:
    cells = authoring.extract_solutions(authoring.SOURCE / "05_correctness.ipynb")
    (cell,) = [cell for cell in cells if cell.startswith("%%answer model")]
    return cell.partition("\n")[2]


def judge(source: str, seed: int = 1) -> tuple[bool | None, str]:
    return mutants.check_model(source, np.random.default_rng(seed), True)


def test_the_checker_and_reading_find_what_the_lab_says(java):
    """The checker believes that every write is seen at once, so it passes what lacks a volatile."""
    explored = modelcheck.explore_queues(java, modelcheck.LETTERS)
    assert [bool(wrong) for wrong in explored] == [True, False, False, True, True, True]
    read = modelcheck.read_queues(java, modelcheck.LETTERS)
    assert [bool(wrong) for wrong in read] == [False, False, True, False, False, False]
    assert "the field head is neither final nor volatile, and both offer and poll use it" in read[2]


def test_the_reference_model_passes_and_the_others_are_known(java):
    passed, told = judge(find_good())
    assert passed and told.startswith("it passes 2 right queues and finds the faults of others")
    assert set(modelcheck.FAULTS) == {
        "bound",
        "order",
        "publication",
        "freeing",
        "shared state",
        "loss",
    }
    assert all(
        re.match(r"// answer: model\n// wrong: .+\n", path.read_text())
        for path in WRONG.glob("*.java")
    )


def test_a_model_that_finds_everything_fails(java):
    passed, told = judge((WRONG / "finds_everything.java").read_text())
    assert (passed, told) == (
        False,
        "it finds a fault where there is none: Invalid execution results",
    )


def test_a_model_that_breaks_is_one_sentence(java, tmp_path):
    work = students.start(5, tmp_path).work
    source = find_good()
    work.write_answer(
        "model", source.replace("static ModelCheckingOptions options", "static int no")
    )
    with pytest.raises(BadInput, match=r"Java cannot compile it: QueueCheck\.java:"):
        modelcheck.try_model(work)
    work.write_answer("model", "public class QueueCheck { }")
    with pytest.raises(BadInput, match=r"Your model: trying it broke: .*options"):
        modelcheck.try_model(Work(work.lab, work.folder, work.course, work.pseudonym))


def test_what_a_model_prints_by_itself_counts_for_nothing(java):
    """Eight answers of its own, right ones, and then the end before any other is made."""
    lines = "".join(
        f'System.out.println("{{\\"token\\":null,\\"wrong\\":{wrong}}}");'
        for wrong in ["null"] * 2 + ['\\"x\\"'] * 6
    )
    cheat = f"static {{ {lines} System.out.flush(); Runtime.getRuntime().halt(0); }}"
    source = find_good().replace("static final int CAPACITY", f"{cheat} static final int CAPACITY")
    passed, told = judge(source)
    assert passed is False and told.startswith("trying it broke")


@pytest.mark.parametrize(
    ("right", "faulty", "told"),
    [
        (["", ""], ["x"] * 6, (True, "finds the faults of others")),
        (["", ""], ["x"] * 5 + [""], (True, "it misses one of the kind loss")),
        (["", ""], ["x"] * 4 + ["", ""], (False, "of the kinds shared state and loss")),
        (["", "= Bad =\n"], ["x"] * 6, (False, "a fault where there is none: Bad")),
    ],
)
def test_one_kind_may_be_missed(right, faulty, told):
    passed, said = mutants.judge_found(right, faulty)
    assert passed is told[0] and said.endswith(told[1])
