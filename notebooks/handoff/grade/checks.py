"""The checks of one pack: its ticket, its forks and each answer, never its speed."""

import hashlib
import math
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from handoff.errors import BadInput, HandoffError
from handoff.grade import sandbox
from handoff.grade.forks import describe_forks
from handoff.grade.java import check_class, check_model
from handoff.grade.submission import Course, Submission
from handoff.labs.handin import describe_form, parse_numbers
from handoff.labs.lab import CODE, JAVA, MODEL, NUMBERS, TEXT, Answer, Function
from handoff.text import pluralize

FORKS, TRIALS = "forks", "trials"
MOST_CHARACTERS = 400
"""Longest sentence of a check, because a student's code may print without end."""

NUMBER_TOLERANCE = 0.005


class Check(NamedTuple):
    """One check: `passed` is None if it was not made; `sentence` is the reason or the result.

    A check without points is for a person to read.
    """

    name: str
    points: float
    passed: bool | None
    sentence: str


class Grader(NamedTuple):
    """A course, and whether students' code may run without a sandbox."""

    course: Course
    trust: bool

    def check(self, submission: Submission) -> list[Check]:
        """Make all checks of a pack."""
        answers = [self.try_answer(submission, answer) for answer in submission.lab.answers]
        checks = [self.check_ticket(submission), self.check_forks(submission), *answers]
        return [check._replace(sentence=check.sentence[:MOST_CHARACTERS]) for check in checks]

    def try_answer(self, submission: Submission, answer: Answer) -> Check:
        """Check one answer, and turn an error into a result, so that other answers are checked.

        An error of the grader's set-up costs no points.
        """
        try:
            return self.check_answer(submission, answer)
        except (HandoffError, OSError, subprocess.SubprocessError) as why:
            sentence = f"could not be checked here: {str(why).splitlines()[0]}"
            return Check(f"answer {answer.name}", answer.points, None, sentence)
        except (ValueError, TypeError, LookupError, ArithmeticError) as why:
            sentence = f"could not be checked ({type(why).__name__}: {why})"
            return Check(f"answer {answer.name}", answer.points, False, sentence)

    def check_ticket(self, submission: Submission) -> Check:
        wrong = self.describe_ticket(submission)
        what = "trials" if submission.lab.trials else "forks"
        return Check("ticket", 1, not wrong, wrong or f"the {what} belong to this prediction")

    def describe_ticket(self, submission: Submission) -> str:
        """Return why the measurement does not belong to this prediction, or ''."""
        if submission.reason:
            return submission.reason
        known = self.course.tickets
        if known is not None and submission.work.ticket not in known:
            return "its ticket was not registered before class"
        return ""

    def check_forks(self, submission: Submission) -> Check:
        run = submission.run
        if submission.trials and submission.lab.trials:
            wrong = submission.lab.trials.describe_impossible(submission.trials)
            sentence = f"{pluralize(len(submission.trials), 'kind')} of test, all made"
            return Check(TRIALS, 2, not wrong, wrong or sentence)
        if run is None:
            return Check(FORKS, 2, False, submission.reason)
        wrong = describe_forks(run)
        here = len(run.tasks()) - len(run.missing())
        return Check(FORKS, 2, not wrong, wrong or f"{pluralize(here, 'fork')}, all accepted")

    def check_answer(self, submission: Submission, answer: Answer) -> Check:
        name = f"answer {answer.name}"
        wrong = describe_form(submission.work, answer)
        if answer.kind == TEXT:
            return Check(name, 0, not wrong, wrong or "for the teacher to read")
        if wrong:
            return Check(name, answer.points, False, wrong)
        text = submission.work.read_answer(answer) or ""
        if answer.kind == CODE:
            return self.check_code(submission, answer, text)
        if answer.kind == JAVA:
            return Check(name, answer.points, *check_class(submission, text, self.trust))
        if answer.kind == MODEL:
            random = self.seed(submission, answer.name)
            return Check(name, answer.points, *check_model(text, random, self.trust))
        assert answer.kind == NUMBERS
        wrong = self.describe_numbers(submission, answer, text)
        return Check(name, answer.points, not wrong, wrong or "right")

    def describe_numbers(self, submission: Submission, answer: Answer, text: str) -> str:
        """Return what is wrong with an answer of numbers and words, or ''."""
        measured = submission.measured
        if measured is None:
            return "what it speaks of is not there"
        try:
            given = parse_numbers(text, answer.name)
            if answer.judge:
                return answer.judge(given, measured)
            assert answer.expected
            due = answer.expected(measured, submission.work.require())
        except BadInput as refused:
            return str(refused)
        differing = [key for key in due if not is_close(given.get(key), due[key])]
        return describe_difference(differing[0], given, due) if differing else ""

    def check_code(self, submission: Submission, answer: Answer, text: str) -> Check:
        name = f"answer {answer.name}"
        tests = [
            (
                function,
                [*self.draw_cases(submission, answer, function), *list_own(function, submission)],
            )
            for function in answer.functions
        ]
        calls = [(function.name, [list(case) for case in cases]) for function, cases in tests]
        try:
            results = sandbox.run_code(text, answer.file, calls, self.trust)
        except sandbox.NotRun as why:
            passed = None if sandbox.find_bubblewrap() is None and not self.trust else False
            return Check(name, answer.points, passed, str(why))
        for (function, cases), values in zip(tests, results, strict=True):
            if wrong := judge_results(function, cases, values):
                return Check(name, answer.points, False, wrong)
        number = sum(len(cases) for _, cases in tests)
        return Check(name, answer.points, True, f"right in {number} cases")

    def draw_cases(
        self, submission: Submission, answer: Answer, function: Function
    ) -> Iterator[list]:
        random = self.seed(submission, answer.name, function.name)
        return (list(function.draw(random)) for _ in range(function.cases))

    def seed(self, submission: Submission, *names: str) -> np.random.Generator:
        """Return the generator of hidden cases, seeded with the course's secret."""
        seed = "/".join([self.course.secret, submission.work.ticket, *names])
        return np.random.default_rng(int(hashlib.sha256(seed.encode()).hexdigest(), 16))


def list_own(function: Function, submission: Submission) -> list[list]:
    """List the cases of the student's own forks, if the pack has all of them."""
    run = submission.run
    if function.own is None or function.rates or run is None or run.missing():
        return []
    return [list(case) for case in function.own(run)]


def judge_results(function: Function, cases: list[list], results: list[dict]) -> str:
    """Return what is wrong with a function's results, or ''."""
    error = next((result["error"] for result in results if "error" in result), "")
    if error:
        return f"{function.name} ended with {error}"
    given = [result.get("value") for result in results]
    if function.rates:
        return function.rates(given, cases)
    for number, (case, value) in enumerate(zip(cases, given, strict=True)):
        due = function.reference(*case)
        if not is_close(value, due):
            where = "hidden case" if number < function.cases else "case of your own forks"
            return (
                f"{function.name} returned {shorten(value)} in a {where}; right is {shorten(due)}"
            )
    return ""


def is_close(given: Any, due: Any, tolerance: float = NUMBER_TOLERANCE) -> bool:
    """Compare an answer with the expected one; numbers within a relative tolerance.

    For the ends of an interval the tolerance is relative to its width.
    """
    if isinstance(due, dict):
        return isinstance(given, dict) and all(
            is_close(given.get(key), value, tolerance) for key, value in due.items()
        )
    if isinstance(due, list):
        if not isinstance(given, list) or len(given) != len(due):
            return False
        if len(due) == 2 and all(isinstance(end, float) for end in [*given, *due]):
            room = tolerance * abs(due[1] - due[0])
            return all(abs(g - d) <= room for g, d in zip(given, due, strict=True))
        return all(is_close(g, d, tolerance) for g, d in zip(given, due, strict=True))
    if isinstance(due, bool) or due is None or isinstance(due, str):
        return type(given) is type(due) and given == due
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        return False
    return abs(given - due) <= tolerance * abs(due) + 1e-12


def describe_difference(key: str, given: Mapping[str, Any], due: Mapping[str, Any]) -> str:
    return f"{key} is {shorten(given.get(key))}; your own forks say {shorten(due[key])}"


def shorten(value: Any) -> str:
    """Format a value for a sentence."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {shorten(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(shorten, value)) + "]"
    return repr(value)[:80]
