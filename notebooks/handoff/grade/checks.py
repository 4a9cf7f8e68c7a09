"""The checks of one pack: ticket, forks, and each answer. Never of speed."""

import hashlib
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from handoff.errors import BadInput, HandoffError
from handoff.grade import sandbox
from handoff.grade.closeness import describe_difference, is_close, shorten
from handoff.grade.course import Course
from handoff.grade.forks import describe_forks
from handoff.grade.javaclass import check_class
from handoff.grade.mutants import check_model
from handoff.grade.submission import Submission
from handoff.labs.answers import describe_form, parse_numbers
from handoff.labs.lab import CODE, JAVA, MODEL, NUMBERS, TEXT, Answer, Function
from handoff.text import pluralize

FORKS, TRIALS = "forks", "trials"
MOST_TOLD = 400
"""Characters of a sentence: what a student's code says may be endless."""


class Check(NamedTuple):
    """One check: `passed` None where it was not made; `sentence` says why it failed, or what was
    found. Without points: for a person to read.
    """

    name: str
    points: float
    passed: bool | None
    sentence: str


class Grader(NamedTuple):
    """Whose course, and whether students' code may run without a sandbox."""

    course: Course
    trust: bool

    def check(self, submission: Submission) -> list[Check]:
        """All checks of a pack, in the order in which they are told."""
        own = [self.try_answer(submission, each) for each in submission.lab.answers]
        checks = [self.check_ticket(submission), self.check_forks(submission), *own]
        return [check._replace(sentence=check.sentence[:MOST_TOLD]) for check in checks]

    def try_answer(self, submission: Submission, answer: Answer) -> Check:
        """One answer's check; what goes wrong with it costs no other, and a set-up that lacks
        something costs nobody points unseen.
        """
        try:
            return self.check_answer(submission, answer)
        except (HandoffError, OSError, subprocess.SubprocessError) as why:
            told = f"could not be checked here: {str(why).splitlines()[0]}"
            return Check(f"answer {answer.name}", answer.points, None, told)
        except (ValueError, TypeError, LookupError, ArithmeticError) as why:
            told = f"could not be checked ({type(why).__name__}: {why})"
            return Check(f"answer {answer.name}", answer.points, False, told)

    def check_ticket(self, submission: Submission) -> Check:
        wrong = self.describe_ticket(submission)
        what = "trials" if submission.lab.trials else "forks"
        return Check("ticket", 1, not wrong, wrong or f"the {what} belong to this prediction")

    def describe_ticket(self, submission: Submission) -> str:
        """Why what was measured is not this prediction's; '' if it is."""
        if submission.lacking:
            return submission.lacking
        known = self.course.tickets
        if known is not None and submission.work.ticket not in known:
            return "its ticket was not registered before class"
        return ""

    def check_forks(self, submission: Submission) -> Check:
        run = submission.run
        if submission.trials and submission.lab.trials:
            wrong = submission.lab.trials.describe_impossible(submission.trials)
            told = f"{pluralize(len(submission.trials), 'kind')} of test, all made"
            return Check(TRIALS, 2, not wrong, wrong or told)
        if run is None:
            return Check(FORKS, 2, False, submission.lacking)
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
            passed, told = check_class(submission, text, self.trust)
            return Check(name, answer.points, passed, told)
        if answer.kind == MODEL:
            random = self.seed(submission, answer.name)
            passed, told = check_model(text, random, self.trust)
            return Check(name, answer.points, passed, told)
        assert answer.kind == NUMBERS
        wrong = self.describe_numbers(submission, answer, text)
        return Check(name, answer.points, not wrong, wrong or "right")

    def describe_numbers(self, submission: Submission, answer: Answer, text: str) -> str:
        """What is wrong with numbers and words; '' if nothing."""
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
        cases = [
            (
                function,
                [*self.draw_cases(submission, answer, function), *list_own(function, submission)],
            )
            for function in answer.functions
        ]
        calls = [(function.name, [list(case) for case in own]) for function, own in cases]
        try:
            found = sandbox.run_code(text, answer.file, calls, self.trust)
        except sandbox.NotRun as why:
            passed = None if sandbox.find_bubblewrap() is None and not self.trust else False
            return Check(name, answer.points, passed, str(why))
        for (function, own), results in zip(cases, found, strict=True):
            if wrong := judge_results(function, own, results):
                return Check(name, answer.points, False, wrong)
        number = sum(len(own) for _, own in cases)
        return Check(name, answer.points, True, f"right in {number} cases")

    def draw_cases(
        self, submission: Submission, answer: Answer, function: Function
    ) -> Iterator[list]:
        random = self.seed(submission, answer.name, function.name)
        return (list(function.draw(random)) for _ in range(function.cases))

    def seed(self, submission: Submission, *names: str) -> np.random.Generator:
        """Of what is hidden: who does not hold the course's secret cannot know it."""
        seed = "/".join([self.course.secret, submission.work.ticket, *names])
        return np.random.default_rng(int(hashlib.sha256(seed.encode()).hexdigest(), 16))


def list_own(function: Function, submission: Submission) -> list[list]:
    """Cases of the student's own forks, where these are there."""
    run = submission.run
    if function.own is None or function.rates or run is None or run.missing():
        return []
    return [list(case) for case in function.own(run)]


def judge_results(function: Function, cases: list[list], results: list[dict]) -> str:
    """What is wrong with a function's results; '' if nothing."""
    broken = next((each["error"] for each in results if "error" in each), "")
    if broken:
        return f"{function.name} ended with {broken}"
    given = [each.get("value") for each in results]
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
