"""The list of checks of a lab, with points per key: the same for a student and for the grader.

`lab.check()` makes it on visible cases, `grade` on hidden ones. An answer that follows from the
student's own earlier answer is right, so that one slip costs its points once.
"""

import subprocess
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from handoff.errors import BadInput, HandoffError
from handoff.labs.answers import (
    Answer,
    Code,
    Function,
    JavaClass,
    Known,
    Numbers,
    Text,
    describe_value,
    parse_numbers,
)
from handoff.labs.apart import NotRun, OverLimit
from handoff.labs.check import (
    WRONG_CODE,
    Check,
    Results,
    describe_error,
    describe_gap,
    fail,
    grade_key,
    is_close,
    make_condition,
)
from handoff.labs.work import Work, hash_text

VISIBLE_CASES = 3

Calls = list[tuple[str, list]]
"""Names of functions, each with its cases."""


class Marker(NamedTuple):
    """Marks one student's work: how code is run and Java tried, and which cases are drawn.

    `measured` is None if nothing that counts was measured, which `reason` explains. `try_java`
    tries a class or a model, and returns the share of the points earned, and a sentence.
    """

    work: Work
    measured: Any
    reason: str
    run_code: Callable[[str, str, Calls], list[list[dict]]]
    try_java: Callable[[JavaClass, str], tuple[float, str]]
    secret: str | None = None

    def mark(self) -> list[Check]:
        lab = self.work.lab
        follow = Known(self.measured, lab.references, {})
        return [check for answer in lab.answers for check in self.try_answer(answer, follow)]

    def try_answer(self, answer: Answer, follow: Known) -> list[Check]:
        """Check one answer; an error becomes a result, so that the other answers are checked.

        An error of the set-up costs no points.
        """
        try:
            return self.check_answer(answer, follow)
        except OverLimit as why:
            return fail(answer, str(why))
        except (NotRun, HandoffError, OSError, subprocess.SubprocessError) as why:
            reason = (str(why).splitlines() or [type(why).__name__])[0]
            return fail(answer, f"could not be checked here: {reason}", earned=None)
        except WRONG_CODE as why:
            return fail(answer, describe_error(why))

    def check_answer(self, answer: Answer, follow: Known) -> list[Check]:
        wrong = self.work.describe_form(answer)
        if isinstance(answer, Text):
            return [make_condition(answer.name, wrong, "for your teacher to read")]
        text = self.work.read_answer(answer) or ""
        if not text.strip() or (wrong and not isinstance(answer, Numbers | Code)):
            return fail(answer, wrong)
        if isinstance(answer, Code):
            return self.check_code(answer, text, follow)
        if isinstance(answer, JavaClass):
            share, sentence = self.try_java(answer, text)
            return [Check(answer.name, "", answer.points, share * answer.points, sentence)]
        assert isinstance(answer, Numbers)
        return self.check_numbers(answer, text, follow)

    def check_numbers(self, answer: Numbers, text: str, follow: Known) -> list[Check]:
        """Check numbers and words, each key by itself."""
        try:
            given = parse_numbers(text, answer.name)
        except BadInput as wrong:
            return fail(answer, str(wrong))
        if answer.judge:
            found = answer.judge(given)
            follow.given[answer.name] = given
            return [grade_key(answer, key, found[key]) for key in answer.keys]
        if self.measured is None:
            return fail(answer, f"nothing to compare with: {self.reason}")
        assert answer.expected
        strict = answer.expected(Known(self.measured, self.work.lab.references, {}))
        follow.given[answer.name] = keep_numbers(given, strict)
        try:
            followed = answer.expected(follow)
        except (HandoffError, *WRONG_CODE):
            followed = {}
        return [check_key(answer, key, given.get(key), strict, followed) for key in answer.keys]

    def check_code(self, answer: Code, text: str, follow: Known) -> list[Check]:
        """Run the functions on drawn cases and on the student's forks, and compare."""
        cases = [(f, self.draw_cases(answer, f), self.list_own(f)) for f in answer.functions]
        calls = []
        for function, drawn, own in cases:
            calls.append((function.name, [*drawn, *own]))
            if function.via:
                calls.append((function.via[0], drawn))
        made = iter(self.run_calls(text, answer.file, calls))
        checks = []
        for function, drawn, own in cases:
            results = next(made)
            earlier = next(made) if function.via else []
            tried = Results(function, drawn, own, results, earlier)
            try:
                checks += tried.judge(answer, "hidden" if self.secret else "visible")
            except WRONG_CODE as why:
                checks += [grade_key(answer, key, describe_error(why)) for key in function.parts]
            tried.record(follow)
        return checks

    def run_calls(self, text: str, file: str, calls: Calls) -> list[list[dict]]:
        """Run all calls in one process; if they use too much, each in one of its own.

        A function that never ends costs only its own points.
        """
        try:
            return self.run_code(text, file, calls)
        except OverLimit as why:
            if len(calls) > 1:
                return [self.run_calls(text, file, [call])[0] for call in calls]
            return [[{"error": f"OverLimit: {why}"}] * len(cases) for _, cases in calls]

    def draw_cases(self, answer: Code, function: Function) -> list[list]:
        """Draw cases from the grader's secret; without one, a few that are always the same."""
        words = [self.secret, self.work.ticket] if self.secret else ["visible"]
        seed = "/".join([*words, str(self.work.lab.number), answer.name, function.name])
        random = np.random.default_rng(int(hash_text(seed), 16))
        whole = self.secret or function.rates
        number = function.cases if whole else min(VISIBLE_CASES, function.cases)
        return [list(function.draw(random)) for _ in range(number)]

    def list_own(self, function: Function) -> list[list]:
        if function.own is None or self.measured is None:
            return []
        return [list(case) for case in function.own(self.measured)]


def keep_numbers(given: Mapping[str, Any], due: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given values of the same type as the expected ones, which later ones follow."""
    return {
        key: value
        for key, value in given.items()
        if key in due
        and isinstance(value, str) == isinstance(due[key], str)
        and not describe_value(value)
    }


def check_key(
    answer: Answer, key: str, value: Any, strict: Mapping[str, Any], followed: Mapping[str, Any]
) -> Check:
    """Compare one value with the expected one, and with what follows from earlier answers."""
    wrong = "it is missing" if value is None else describe_value(value)
    if wrong or is_close(value, strict[key]):
        return grade_key(answer, key, wrong)
    if key in followed and is_close(value, followed[key]):
        return grade_key(answer, key, "", "right: it follows from your own earlier answer")
    due = followed.get(key, strict[key])
    return grade_key(answer, key, f"{describe_gap(value, due)} from your own measurement")
