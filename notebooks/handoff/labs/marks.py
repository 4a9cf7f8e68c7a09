"""The list of checks of a lab, with points per key: the same for a student and for the grader.

`lab.check()` makes it on visible cases, `grade` on hidden ones. An answer that follows from the
student's own earlier answer is right, so that one slip costs its points once.
"""

import hashlib
import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from handoff.errors import BadInput, HandoffError
from handoff.labs.apart import NotRun, OverLimit
from handoff.labs.check import WRONG_CODE, Check, fail, grade_key, judge_function
from handoff.labs.close import describe_gap, is_close
from handoff.labs.handin import describe_form, describe_value, parse_numbers
from handoff.labs.lab import CODE, JAVA, MODEL, NUMBERS, TEXT, Answer, Function, Known
from handoff.labs.work import Work

VISIBLE_CASES = 3
FEWEST_TO_VARY = 3
"""Results from which a function that always returns the same is not followed."""

RunCode = Callable[[str, str, list[tuple[str, list]]], list[list[dict]]]
TryJava = Callable[[Answer, str], tuple[float, str]]
"""Tries a class or a model; returns the share of the points earned, and a sentence."""


class Recorded:
    """A student's function, as its results on known cases; another case raises KeyError."""

    def __init__(self, cases: Sequence[Sequence[Any]], values: Sequence[Any]) -> None:
        self.values = dict(zip(map(spell, cases), values, strict=True))

    def __call__(self, *case: Any) -> Any:
        return self.values[spell(case)]


def spell(case: Sequence[Any]) -> str:
    return json.dumps(list(case))


class Marker(NamedTuple):
    """Marks one student's work: how code is run and Java tried, and which cases are drawn.

    `measured` is None if nothing that counts was measured, which `reason` explains.
    """

    work: Work
    measured: Any
    reason: str
    run_code: RunCode
    try_java: TryJava
    secret: str | None = None

    def mark(self) -> list[Check]:
        """Make all checks, in the order of the answers."""
        functions = {name: f.reference for name, f in self.work.lab.functions.items()}
        follow = Known(self.measured, functions, {})
        return [
            check for answer in self.work.lab.answers for check in self.try_answer(answer, follow)
        ]

    def try_answer(self, answer: Answer, follow: Known) -> list[Check]:
        """Check one answer; an error becomes a result, so that the other answers are checked.

        An error of the set-up costs no points.
        """
        try:
            return self.check_answer(answer, follow)
        except OverLimit as why:
            return fail(answer, str(why))
        except (NotRun, HandoffError, OSError, subprocess.SubprocessError) as why:
            sentence = f"could not be checked here: {str(why).splitlines()[0]}"
            return fail(answer, sentence, earned=None)
        except WRONG_CODE as why:
            return fail(answer, f"could not be computed ({type(why).__name__}: {why})")

    def check_answer(self, answer: Answer, follow: Known) -> list[Check]:
        wrong = describe_form(self.work, answer)
        if answer.kind == TEXT:
            sentence = wrong or "for your teacher to read"
            return [Check(answer.name, "", 0.0, 0.0, sentence, ok=not wrong)]
        text = self.work.read_answer(answer)
        if text is None or not text.strip() or (wrong and answer.kind != NUMBERS):
            return fail(answer, wrong)
        if answer.kind == CODE:
            return self.check_code(answer, text, follow)
        if answer.kind in (JAVA, MODEL):
            share, sentence = self.try_java(answer, text)
            return [Check(answer.name, "", answer.points, share * answer.points, sentence)]
        return self.check_numbers(answer, text, follow)

    def check_numbers(self, answer: Answer, text: str, follow: Known) -> list[Check]:
        """Check numbers and words, each key by itself."""
        try:
            given = parse_numbers(text, answer.name)
        except BadInput as wrong:
            return fail(answer, str(wrong))
        if answer.judge:
            found = answer.judge(given)
            follow.given[answer.name] = given
            return [grade_key(answer, key, found[key], "right") for key in answer.keys]
        if self.measured is None:
            return fail(answer, f"nothing to compare with: {self.reason}")
        assert answer.expected
        functions = {name: f.reference for name, f in self.work.lab.functions.items()}
        strict = answer.expected(Known(self.measured, functions, {}))
        follow.given[answer.name] = keep_numbers(given, strict)
        followed = compute_followed(answer, follow)
        return [check_key(answer, key, given, strict, followed) for key in answer.keys]

    def check_code(self, answer: Answer, text: str, follow: Known) -> list[Check]:
        """Run the functions on drawn cases and on the student's forks, and compare."""
        drawn = [list(self.draw_cases(answer, function)) for function in answer.functions]
        own = [self.list_own(function) for function in answer.functions]
        calls = [
            (function.name, [*cases, *mine])
            for function, cases, mine in zip(answer.functions, drawn, own, strict=True)
        ]
        before = [
            (function.via[0], cases)
            for function, cases in zip(answer.functions, drawn, strict=True)
            if function.via
        ]
        results = self.run_code(text, answer.file, [*calls, *before])
        earlier = iter(results[len(calls) :])
        checks = []
        for function, cases, mine, made in zip(
            answer.functions, drawn, own, results[: len(calls)], strict=True
        ):
            via = next(earlier) if function.via else []
            where = "hidden" if self.secret else "visible"
            checks += judge_function(
                answer, function, [*cases, *mine], len(cases), made, via, where
            )
            record(function, mine, made[len(cases) :], follow)
        return checks

    def draw_cases(self, answer: Answer, function: Function) -> Iterator[list]:
        """Draw cases from the grader's secret; without one, a few that are always the same."""
        words = [str(self.secret), self.work.ticket] if self.secret else ["visible"]
        seed = "/".join([*words, str(self.work.lab.number), answer.name, function.name])
        random = np.random.default_rng(int(hashlib.sha256(seed.encode()).hexdigest(), 16))
        few = not (self.secret or function.rates)
        number = min(VISIBLE_CASES, function.cases) if few else function.cases
        return (list(function.draw(random)) for _ in range(number))

    def list_own(self, function: Function) -> list[list]:
        """List the cases of the student's own forks."""
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


def compute_followed(answer: Answer, follow: Known) -> dict[str, Any]:
    """Return what follows from the student's earlier answers; {} if nothing can."""
    assert answer.expected
    try:
        return answer.expected(follow)
    except (HandoffError, *WRONG_CODE):
        return {}


def check_key(
    answer: Answer,
    key: str,
    given: Mapping[str, Any],
    strict: Mapping[str, Any],
    followed: Mapping[str, Any],
) -> Check:
    """Compare one value with the expected one, and with what follows from earlier answers."""
    value = given.get(key)
    if value is None or (wrong := describe_value(value)):
        return grade_key(answer, key, wrong if value is not None else "it is missing", "")
    if is_close(value, strict[key]):
        return grade_key(answer, key, "", "right")
    if key in followed and is_close(value, followed[key]):
        return grade_key(answer, key, "", "right: it follows from your own earlier answer")
    due = followed.get(key, strict[key])
    return grade_key(answer, key, f"{describe_gap(value, due)} from your own measurement", "")


def record(function: Function, cases: list[list], made: list[dict], follow: Known) -> None:
    """Let later answers follow from the results on the student's own forks.

    A function that fails, or always returns the same, is not followed.
    """
    if not cases or any("error" in result for result in made):
        return
    values = [result.get("value") for result in made]
    if len(values) >= FEWEST_TO_VARY and len(set(map(repr, values))) == 1:
        return
    follow.functions[function.name] = Recorded(cases, values)
