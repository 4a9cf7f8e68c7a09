"""One check of a lab: what is given against what is right, and the checks of functions."""

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from handoff.labs.answers import TEXT, Answer, Function, Known, describe_value, is_number
from handoff.text import pluralize

NUMBER_TOLERANCE = 0.005
WRONG_CODE = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError)
"""What computing from a student's data may raise."""

FEWEST_TO_VARY = 3
"""Results from which a function that always returns the same is not followed."""

MOST_ITEMS, MOST_CHARACTERS = 8, 80


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

    @property
    def is_condition(self) -> bool:
        return not self.points and self.answer != TEXT


def make_condition(name: str, wrong: str, right: str) -> Check:
    """Return a check without points, which fails if something is wrong."""
    return Check(name, "", 0.0, 0.0, wrong or right, ok=not wrong)


def fail(answer: Answer, sentence: str, earned: float | None = 0.0) -> list[Check]:
    """Return the same result for all parts of an answer; a part without points cannot fail."""
    parts = answer.parts.items()
    return [Check(answer.name, key, points, earned, sentence) for key, points in parts]


def grade_key(answer: Answer, key: str, wrong: str, right: str = "right") -> Check:
    points = answer.parts[key]
    return Check(answer.name, key, points, 0.0 if wrong else points, wrong or right)


def describe_error(error: Exception) -> str:
    return f"could not be computed ({type(error).__name__}: {error})"


class Results(NamedTuple):
    """A function's cases, drawn ones and those of the student's own forks, and what it returned.

    `earlier` is what the function named by `via` returned for the drawn cases, or [].
    """

    function: Function
    drawn: list[list]
    own: list[list]
    made: list[dict]
    earlier: list[dict]

    def judge(self, answer: Answer, where: str) -> list[Check]:
        """Compare the results with the reference, by key if they are dictionaries.

        The rate of a random function is not taken from the student's own forks.
        """
        function = self.function
        judged = self.made[: len(self.drawn)] if function.rates else self.made
        error = next((result["error"] for result in judged if "error" in result), "")
        if error:
            wrong = f"{function.name} ended with {error}"
            return [grade_key(answer, key, wrong) for key in function.parts]
        if function.rates:
            wrong = function.rates([result.get("value") for result in judged], self.drawn)
            right = f"right in {pluralize(len(judged), 'case')}"
            return [grade_key(answer, function.name, wrong, right)]
        dues = [function.reference(*case) for case in [*self.drawn, *self.own]]
        return [self.judge_key(answer, key, where, dues) for key in function.parts]

    def judge_key(self, answer: Answer, key: str, where: str, dues: list) -> Check:
        """Compare one key of all results with what is due."""
        pairs = [
            (self.pick(result.get("value"), key), self.pick(due, key))
            for due, result in zip(dues, self.made, strict=True)
        ]
        faults = [i for i, pair in enumerate(pairs) if not is_close(*pair) and not self.follows(i)]
        number, wrong = pluralize(len(pairs), "case"), ""
        if faults:
            first = faults[0]
            place = f"a {where} case" if first < len(self.drawn) else "a case of your own forks"
            gap = describe_gap(*pairs[first])
            wrong = f"wrong in {len(faults)} of {number}; in {place} it {gap}"
        return grade_key(answer, key, wrong, f"right in {number}")

    def pick(self, value: Any, key: str) -> Any:
        """Return one key of a result, or all of it."""
        if not self.function.keys:
            return value
        return value.get(key) if isinstance(value, dict) else shorten(value)

    def follows(self, place: int) -> bool:
        """Return whether a result is right for the student's own earlier function."""
        if not self.function.via or place >= len(self.earlier) or is_constant(self.earlier):
            return False
        try:
            due = self.function.via[1](self.earlier[place]["value"])
            return is_close(self.made[place].get("value"), due)
        except WRONG_CODE:
            return False

    def record(self, follow: Known) -> None:
        """Let later answers follow from the results on the student's own forks.

        A function that fails, or always returns the same, is not followed.
        """
        made = self.made[len(self.drawn) :]
        if not made or any("error" in result for result in made) or is_constant(self.made):
            return
        values = [result.get("value") for result in made]
        known = dict(zip(map(json.dumps, self.own), values, strict=True))
        follow.functions[self.function.name] = lambda *case: known[json.dumps(case)]


def is_constant(results: Sequence[dict]) -> bool:
    """Return whether a function returned the same for all of several cases."""
    return len(results) >= FEWEST_TO_VARY and len(set(map(repr, results))) == 1


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
    if not is_number(due):
        return type(given) is type(due) and given == due
    if not is_number(given) or describe_value(given):
        return False
    return abs(given - due) <= tolerance * abs(due) + 1e-12


def describe_gap(given: Any, due: Any) -> str:
    """Return what is given, what is right and, of numbers, by how much they differ."""
    if isinstance(given, list) and isinstance(due, list) and len(due) > 2:
        if len(given) != len(due):
            return f"has {len(given)} values; right is {len(due)}"
        close = map(is_close, given, due)
        place = next(i for i, same in enumerate(close) if not same)
        return f"has at place {place} {shorten(given[place])}; right is {shorten(due[place])}"
    text = f"is {shorten(given)}; right is {shorten(due)}"
    numbers = all(is_number(value) and not describe_value(value) for value in (given, due))
    if not numbers or not due or not math.isfinite(given / due):
        return text
    return f"{text} ({given / due:.3g} times as much)"


def shorten(value: Any, depth: int = 3) -> str:
    """Format a value for a sentence; of large values only the start, so that it stays short."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict | list) and not depth:
        return "..."
    if isinstance(value, dict):
        items = [f"{k}: {shorten(v, depth - 1)}" for k, v in list(value.items())[:MOST_ITEMS]]
        return "{" + ", ".join(items + ["..."] * (len(value) > MOST_ITEMS)) + "}"
    if isinstance(value, list):
        items = [shorten(item, depth - 1) for item in value[:MOST_ITEMS]]
        return "[" + ", ".join(items + ["..."] * (len(value) > MOST_ITEMS)) + "]"
    return repr(value)[:MOST_CHARACTERS]
