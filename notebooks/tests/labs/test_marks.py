"""The list of checks: full marks for the reference, and one slip costs its own part once."""

import re

import pytest

from handoff.errors import BadInput
from handoff.labs.answers import Known
from handoff.labs.check import describe_gap, is_close
from handoff.labs.handin import make_pack
from handoff.labs.lab import MODULES
from handoff.labs.lessons import sentence
from handoff.labs.marks import Marker
from handoff.labs.student import StudentLab

from . import students
from .conftest import WITHOUT_JAVA, failed, grade
from .solutions import Wrong, list_wrong, read_solution

pytestmark = pytest.mark.usefixtures("no_checker")

JAVA_ANSWERS = ("exchange", "model")
WRONG = [wrong for number in MODULES for wrong in list_wrong(number)]
PYTHON_WRONG = [wrong for wrong in WRONG if wrong.answer not in JAVA_ANSWERS]
FIRST_WRONG = [next(w for w in PYTHON_WRONG if w.lab == n) for n in WITHOUT_JAVA]


@pytest.mark.parametrize("number", WITHOUT_JAVA)
def test_the_notebook_with_solutions_runs_to_its_end_and_gets_full_marks(solved, number):
    opened = solved(number)
    assert "10 of 10 points" in opened.said and "Complete: pack it." in opened.said
    assert f"lab{number}-anna.zip" in opened.said and list(opened.compare()["what"])
    graded = grade(make_pack(opened.work))
    assert failed(graded) == {} and graded.points == graded.most == 10


def test_every_lab_has_five_wrong_solutions():
    assert min(len(list_wrong(number)) for number in MODULES) >= 5


@pytest.mark.parametrize("wrong", PYTHON_WRONG, ids=lambda wrong: f"{wrong.lab}-{wrong.name}")
def test_a_wrong_solution_loses_its_own_points_and_no_others(copy_of, wrong: Wrong):
    work = copy_of(wrong.lab)
    students.answer_again(StudentLab(work), wrong.answer, wrong.text)
    graded = grade(make_pack(work))
    assert wrong.loses and list(failed(graded)) == wrong.loses, failed(graded)
    parts = work.lab.find_answer(wrong.answer).parts
    assert graded.points >= 10 - sum(parts[name.split(": ")[-1]] for name in wrong.loses)


@pytest.mark.parametrize("wrong", FIRST_WRONG, ids=lambda wrong: f"{wrong.lab}-{wrong.name}")
def test_the_students_check_sees_what_the_grader_sees(copy_of, capsys, wrong: Wrong):
    work = copy_of(wrong.lab)
    students.answer_again(StudentLab(work), wrong.answer, wrong.text)
    capsys.readouterr()
    assert not StudentLab(work).check()
    said = capsys.readouterr().out
    assert "Complete" not in said
    lost = [line for line in said.splitlines() if re.match(r" *0 of ", line)]
    assert [line.split("  ")[-1] != "right" for line in lost] == [True] * len(wrong.loses)
    assert all(name in said for name in wrong.loses)


@pytest.mark.parametrize("number", WITHOUT_JAVA)
def test_a_pack_without_answers_gets_nothing(copy_of, number):
    work = copy_of(number)
    for file in work.answers.iterdir():
        file.unlink()
    graded = grade(make_pack(work))
    assert graded.points == 0 and graded.most == 10


def test_each_number_is_marked_by_itself(copy_of):
    work = copy_of(1)
    text = (work.answers / "numbers.yml").read_text()
    text = re.sub(r"queue_ns_1: .*", "queue_ns_1: 1.5e3", text)
    text = re.sub(r"queue_sleeps_1: .*", f"queue_sleeps_1: {10**400}", text)
    (work.answers / "numbers.yml").write_text(text.replace("queue_cores_1", "cores"))
    lost = failed(grade(make_pack(work)))
    wrong = ["numbers: queue_ns_1", "numbers: queue_cores_1", "numbers: queue_sleeps_1"]
    assert list(lost) == wrong
    assert "YAML reads it as text" in lost["numbers: queue_ns_1"]
    assert lost["numbers: queue_cores_1"] == "it is missing"
    assert lost["numbers: queue_sleeps_1"] == "it is not a finite number"


def test_a_word_follows_from_the_two_numbers_before_it(copy_of):
    work = copy_of(1)
    answer = {"extra_wall_ns": 100.0, "extra_cpu_ns": 10.0, "where": "sleeping"}
    StudentLab(work).answer("where", answer)
    assert list(failed(grade(make_pack(work)))) == ["where: extra_wall_ns", "where: extra_cpu_ns"]


CONSTANT = {
    2: ("statistics", {"differ": "False"}, "splits: pooled_different"),
    3: ("mean", {"mean_ratio": "2.0"}, "verdicts: mean_ratio"),
    7: ("times", {"quantile": "7.0", "bucketed": "8.0"}, "times: bucketed"),
    8: (
        "functions",
        {"break_even": "[None, None]", "serial_share": "0.5"},
        "verdict: serial_share_100",
    ),
}
"""By lab, what functions of an answer always return, and a part that follows from one."""


@pytest.mark.parametrize("number", CONSTANT)
def test_a_function_that_always_returns_the_same_is_not_followed(copy_of, number):
    answer, results, follows = CONSTANT[number]
    text = read_solution(number, answer)
    for name, result in results.items():
        text += f"\ndef {name}(*_):\n    return {result}\n"
    work = copy_of(number)
    students.answer_again(StudentLab(work), answer, text)
    lost = failed(grade(make_pack(work)))
    assert {follows, *(f"{answer}: {name}" for name in results)} <= set(lost)


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("def buckets(", "it defines no function bucketed"),
        ("import os\ndef bucketed(*_): os._exit(0)\ndef buckets(", "it ended without results"),
        ("def bucketed(*_): return 10**5000\ndef buckets(", "ValueError: Exceeds the limit"),
        ("def bucketed(*_): return 10**400\ndef buckets(", "wrong in 40 of 40 cases"),
    ],
)
def test_a_function_that_fails_costs_the_others_nothing(copy_of, head, reason):
    work = copy_of(7)
    work.write_answer("times", read_solution(7, "times").replace("def bucketed(", head))
    lost = failed(grade(make_pack(work)))
    assert list(lost) == ["times: bucketed"] and reason in lost["times: bucketed"]


def test_a_claim_that_cannot_be_judged_costs_the_other_nothing(solved):
    first = sentence.REFERENCE["A1"]
    broken = first | {"test": [first["test"][0] | {"times": "events"}]}
    faults = sentence.try_claims(sentence.REFERENCE | {"A1": broken})
    assert faults == {"A1": "could not be computed (KeyError: 'events')", "A2": ""}
    with pytest.raises(BadInput, match=r"Your claims could not be computed .KeyError: 'events'"):
        sentence.judge_own({"A1": broken}, solved(3).run)


def test_an_error_without_words_is_named_by_its_type(solved):
    def raise_error(*_: object) -> None:
        raise OSError

    marker = Marker(solved(5).work, None, "", None, raise_error)
    (check,) = marker.try_answer(solved(5).lab.find_answer("model"), Known(None, {}, {}))
    assert (check.earned, check.sentence) == (None, "could not be checked here: OSError")


CODE = {
    "raises": ("raise ValueError('no')", "ended with ValueError: no"),
    "exits": ("import sys\ndef per_fork(f, w): sys.exit(3)", "ended with SystemExit: 3"),
    "kills": ("import os\ndef per_fork(f, w): os._exit(0)", "it ended without results"),
    "prints": ("def per_fork(f, w):\n    print('[[{}]]')\n    return 1", "in a hidden case it is"),
    "nan": ("def per_fork(f, w): return {'ns': float('nan')}", "in a hidden case"),
    "strange": ("def per_fork(f, w): return object()", "a object"),
    "other": ("def per_fork(a): return 1", "TypeError"),
    "missing": ("def per_frok(f, w): return 1", "it defines no function per_fork"),
}


@pytest.mark.parametrize("name", CODE)
def test_code_that_does_not_end_well_is_a_sentence(copy_of, name):
    code, message = CODE[name]
    text = code if name == "missing" or "def " in code else f"{code}\ndef per_fork(f, w): pass"
    work = copy_of(1)
    work.write_answer("per_fork", text)
    assert message in failed(grade(make_pack(work)))["per_fork: ns"]


@pytest.mark.parametrize(
    ("given", "due", "close"),
    [
        (1.004, 1.0, True),
        (1.006, 1.0, False),
        ("1.0", 1.0, False),
        (True, 1.0, False),
        (None, None, True),
        pytest.param(10**400, 1.0, False, id="large"),
        ([10.0, 20.04], [10.0, 20.0], True),
        ([10.0, 20.06], [10.0, 20.0], False),
        ({"a": 1}, {"a": 1.0}, True),
        ({}, {"a": 1.0}, False),
        ("different", "different", True),
    ],
)
def test_close_means_half_a_percent(given, due, close):
    assert is_close(given, due) is close


@pytest.mark.parametrize(
    ("given", "due", "sentence"),
    [
        (3.0, 2.0, "is 3; right is 2 (1.5 times as much)"),
        ("a", 2.0, "is 'a'; right is 2"),
        pytest.param(10**400, 2.0, f"is 1{'0' * 79}; right is 2", id="large"),
        ([1, 2, 4], [1, 2, 3], "has at place 2 4; right is 3"),
        ([1], [1, 2, 3], "has 1 values; right is 3"),
    ],
)
def test_a_gap_is_said_in_numbers(given, due, sentence):
    assert describe_gap(given, due) == sentence
