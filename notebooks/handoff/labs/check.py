"""One check of a lab, and the checks of a function's results."""

from typing import Any, NamedTuple

from handoff.labs.close import describe_gap, is_close, shorten
from handoff.labs.lab import Answer, Function
from handoff.text import pluralize

WRONG_CODE = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError)
"""What computing from a student's data may raise."""


class Check(NamedTuple):
    """One check: `earned` is None if it could not be made; `sentence` is the reason or result.

    A check without points is a condition, or for a person to read; `ok` is false if it fails.
    """

    answer: str
    key: str
    points: float
    earned: float | None
    sentence: str
    ok: bool = True

    @property
    def name(self) -> str:
        return self.answer if self.key in ("", self.answer) else f"{self.answer}: {self.key}"

    @property
    def passed(self) -> bool | None:
        return None if self.earned is None else self.ok and self.earned >= self.points


def fail(answer: Answer, sentence: str, earned: float | None = 0.0) -> list[Check]:
    """Return the same result for all parts of an answer; a part without points cannot fail."""
    return [
        Check(answer.name, key, points, earned, sentence) for key, points in answer.parts.items()
    ]


def grade_key(answer: Answer, key: str, wrong: str, right: str) -> Check:
    points = answer.parts[key]
    return Check(answer.name, key, points, 0.0 if wrong else points, wrong or right)


def judge_function(
    answer: Answer,
    function: Function,
    cases: list[list],
    drawn: int,
    made: list[dict],
    via: list[dict],
    where: str,
) -> list[Check]:
    """Compare a function's results with the reference, by key if it returns a dictionary.

    The first `drawn` cases are drawn, the others are of the student's own forks, which the rate of
    a random function is not taken from.
    """
    keys = list(function.keys) or [function.name]
    judged = drawn if function.rates else len(cases)
    error = next((result["error"] for result in made[:judged] if "error" in result), "")
    if error:
        return [grade_key(answer, key, f"{function.name} ended with {error}", "") for key in keys]
    values = [result.get("value") for result in made]
    number = pluralize(judged, "case")
    if function.rates:
        wrong = function.rates(values[:judged], cases[:judged])
        return [grade_key(answer, function.name, wrong, f"right in {number}")]
    dues = [function.reference(*case) for case in cases]
    checks = []
    for key in keys:
        faults = [
            i
            for i, (value, due) in enumerate(zip(values, dues, strict=True))
            if not is_close(pick(value, key, function), pick(due, key, function))
            and not (i < len(via) and follows(function, via[i], value))
        ]
        sentence = ""
        if faults:
            first = faults[0]
            what = describe_gap(
                pick(values[first], key, function), pick(dues[first], key, function)
            )
            place = f"a {where} case" if first < drawn else "a case of your own forks"
            sentence = f"wrong in {len(faults)} of {number}; in {place} it {what}"
        checks.append(grade_key(answer, key, sentence, f"right in {number}"))
    return checks


def pick(value: Any, key: str, function: Function) -> Any:
    """Return one key of a result, or all of it."""
    if not function.keys:
        return value
    return value.get(key) if isinstance(value, dict) else shorten(value)


def follows(function: Function, earlier: dict, value: Any) -> bool:
    """Return whether a result is right for the student's own earlier function."""
    assert function.via
    try:
        return is_close(value, function.via[1](earlier["value"]))
    except WRONG_CODE:
        return False
