"""The checks that a notebook's test cells make, with points per key.

What follows from a student's own earlier function or values is right, so that one slip costs its
points once.
"""

import copy
import hashlib
import io
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from reprlib import Repr
from typing import Any

import numpy as np

from handoff.errors import BadInput
from handoff.labs.lab import Function, Known, Lab, Part, Tried, Values, is_number
from handoff.text import pluralize

VISIBLE_CASES = 3
TOLERANCE = 0.005

SEED = "HANDOFF_SEED"
"""Environment variable with the teacher's seed of hidden cases."""


def judge(wrong: str, right: str = "right") -> Tried:
    """Return all of the points, or none and what is wrong."""
    return (0.0, wrong) if wrong else (1.0, right)


def fail(part: Part, wrong: str) -> dict[str, Tried]:
    return dict.fromkeys(part.parts, judge(wrong))


def make_random(hidden: bool, *words: object) -> np.random.Generator:
    """Return the generator of drawn cases: of the teacher's seed if hidden, else always the same.

    A grading machine without a seed draws from a public one, and a line says so.
    """
    seed = os.environ.get(SEED, "") if hidden else "visible"
    if not seed:
        print(f"NOTE: {SEED} is not set: hidden cases are public.")
    digest = hashlib.sha256("/".join(map(str, (seed, *words))).encode()).hexdigest()
    return np.random.default_rng(int(digest, 16))


def call(function: Callable[..., Any], *case: Any) -> Any:
    """Return the plain value of a call of a student's function.

    What it prints is dropped: nbgrader takes anything on stderr for a failure.
    """
    nowhere = io.StringIO()
    with redirect_stdout(nowhere), redirect_stderr(nowhere):
        return simplify(function(*copy.deepcopy(case)))


def simplify(value: object) -> Any:
    """Convert numpy's numbers, arrays and tuples to plain numbers and lists."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): simplify(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [simplify(item) for item in value]
    return value


class Checker:
    """The checks of one student's lab, in the order of the notebook, each by key."""

    def __init__(self, lab: Lab, find_measured: Callable[[], Any]) -> None:
        self.lab, self.find_measured = lab, find_measured
        self.functions: dict[str, Callable[..., Any]] = {}
        self.given: dict[str, Mapping[str, Any]] = {}

    def check_function(
        self, part: Function, function: Callable[..., Any], hidden: bool
    ) -> dict[str, Tried]:
        """Compare a function with its reference on drawn cases."""
        self.functions.pop(part.name, None)
        random = make_random(hidden, self.lab.number, part.name)
        number = part.cases if hidden or part.slack else VISIBLE_CASES
        cases = [simplify(part.draw(random)) for _ in range(number)]
        try:
            results = [call(function, *case) for case in cases]
        except Exception as error:
            return fail(part, f"{part.name} ended with {type(error).__name__}: {error}"[:300])
        # Nothing follows from a function that always returns the same.
        if len(set(map(repr, results))) > 1:
            self.functions[part.name] = lambda *case: call(function, *case)
        rights = [self.list_right(part, case) for case in cases]
        kind = "a hidden case" if hidden else "a visible case"
        return {key: judge_key(part, key, kind, results, rights) for key in part.parts}

    def list_right(self, part: Function, case: Sequence[Any]) -> list[Any]:
        """Return what is right: the reference's result, and by the student's earlier function."""
        right = [simplify(part.reference(*case))]
        if part.via in self.functions:
            # The student's function may fail where it was not tried.
            with suppress(Exception):
                right.append(simplify(part.reference(*case, self.functions[part.via])))
        return right

    def check_values(self, part: Values, given: object) -> dict[str, Tried]:
        """Check numbers and words, each key by itself."""
        self.given.pop(part.name, None)
        values = simplify(given)
        if not isinstance(values, dict):
            return fail(part, f"{shorten(values)} is not a dictionary of {', '.join(part.parts)}")
        stated = {key: value for key, value in values.items() if value not in (None, ...)}
        if part.judge:
            self.given[part.name] = stated
            return {key: judge(wrong) for key, wrong in part.judge(stated).items()}
        expected = part.expected or (lambda known: self.lab.outcomes(known.measured))
        references = self.lab.references
        try:
            strict = simplify(expected(Known(self.find_measured, references, {})))
        except BadInput as wrong:
            return fail(part, f"nothing to compare with: {wrong}")
        self.given[part.name] = stated
        followed = strict
        with suppress(Exception):
            known = Known(self.find_measured, references | self.functions, self.given)
            followed = simplify(expected(known))
        return {k: check_key(stated.get(k), strict[k], followed[k]) for k in part.parts}


def judge_key(
    part: Function, key: str, kind: str, results: Sequence[Any], rights: Sequence[list[Any]]
) -> Tried:
    """Compare one key of all results with what is right."""

    def pick(value: Any) -> Any:
        return value.get(key) if isinstance(value, dict) else value

    gaps = [
        describe_gap(pick(given), *map(pick, right))
        for given, right in zip(results, rights, strict=True)
    ]
    faults = [gap for gap in gaps if gap]
    number = f"of {pluralize(len(results), 'case')}"
    wrong = ""
    if len(faults) > part.slack * len(results):
        wrong = f"wrong in {len(faults)} {number}; in {kind} {faults[0]}"
    return judge(wrong, f"right in {len(results) - len(faults)} {number}")


def check_key(value: Any, strict: Any, followed: Any) -> Tried:
    """Compare one value with the expected one, and with what follows from earlier ones."""
    if value is None:
        return judge("it is missing")
    if gap := describe_gap(value, strict, followed):
        return judge(f"{gap} from your own measurement")
    own = "" if is_close(value, strict) else ": it follows from your own earlier answer"
    return judge("", f"right{own}")


def is_close(given: Any, due: Any, room: float | None = None) -> bool:
    """Compare an answer with the expected one; numbers within a tolerance.

    It is relative to the number or, for the ends of an interval, to its width.
    """
    if isinstance(due, list):
        if not isinstance(given, list) or len(given) != len(due):
            return False
        ends = len(due) == 2 and all(isinstance(end, float) for end in due)
        width = TOLERANCE * abs(due[1] - due[0]) if ends else None
        return all(is_close(*pair, width) for pair in zip(given, due, strict=True))
    if not is_number(due):
        return type(given) is type(due) and given == due
    room = TOLERANCE * abs(due) + 1e-12 if room is None else room
    return is_number(given) and abs(given - due) <= room


def describe_gap(given: Any, *rights: Any) -> str:
    """Return '' if a value is one of the right ones, or how it differs from the last."""
    if any(is_close(given, right) for right in rights):
        return ""
    due = rights[-1]
    if isinstance(given, list) and isinstance(due, list) and len(due) > 2:
        if len(given) != len(due):
            return f"it has {len(given)} values; right is {len(due)}"
        place = list(map(is_close, given, due)).index(False)
        return f"it has at place {place} {shorten(given[place])}; right is {shorten(due[place])}"
    text = f"it is {shorten(given)}; right is {shorten(due)}"
    numbers = is_number(given) and is_number(due) and due
    return f"{text} ({given / due:.3g} times as much)" if numbers else text


class Short(Repr):
    """Format of a value in a sentence, which shows only a part of large ones."""

    def repr_float(self, value: float, level: int) -> str:
        return f"{value:.6g}"


shorten = Short().repr
