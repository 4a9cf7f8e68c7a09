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
from typing import Any, NamedTuple

import numpy as np

from handoff.errors import BadInput
from handoff.labs.comparing import describe_gap, describe_value, is_close, shorten, simplify
from handoff.labs.lab import Function, Known, Lab, Part, Values
from handoff.paths import LABS
from handoff.text import pluralize

VISIBLE_CASES = 3

SEED, SEED_FILE = "HANDOFF_SEED", LABS / "seed.txt"
"""The teacher's seed of hidden cases: an environment variable, or a file outside git."""


class Outcome(NamedTuple):
    """The points that one key of a part earned, and the reason or result."""

    name: str
    points: float
    earned: float
    sentence: str

    def __str__(self) -> str:
        return f"{self.earned:>4.3g} of {self.points:<4g} {self.name:30} {self.sentence}"


def grade_key(part: Part, key: str, wrong: str, right: str = "right") -> Outcome:
    """Return all points of a key, or none and what is wrong."""
    points = part.parts[key]
    name = part.name if key == part.name else f"{part.name}: {key}"
    return Outcome(name, points, 0.0 if wrong else points, wrong or right)


def fail(part: Part, sentence: str) -> list[Outcome]:
    return [grade_key(part, key, sentence) for key in part.parts]


def make_random(hidden: bool, *words: object) -> np.random.Generator:
    """Return the generator of drawn cases: of the teacher's seed if hidden, else always the same.

    A grading machine without a seed draws from a public one, and a line says so.
    """
    seed = os.environ.get(SEED, "").strip() if hidden else "visible"
    if not seed and SEED_FILE.is_file():
        seed = SEED_FILE.read_text(encoding="utf-8").strip()
    if not seed:
        print(f"NOTE: neither {SEED} nor {SEED_FILE.name} has a seed: hidden cases are public.")
    digest = hashlib.sha256("/".join(map(str, (seed, *words))).encode()).hexdigest()
    return np.random.default_rng(int(digest, 16))


def call(function: Callable[..., Any], *case: Any) -> Any:
    """Return the plain value of a call of a student's function.

    What it prints is dropped: nbgrader takes anything on stderr for a failure.
    """
    nowhere = io.StringIO()
    with redirect_stdout(nowhere), redirect_stderr(nowhere):
        return simplify(function(*copy.deepcopy(case)))


class Checker:
    """The checks of one student's lab, in the order of the notebook."""

    def __init__(self, lab: Lab, find_measured: Callable[[], Any]) -> None:
        self.lab, self.find_measured = lab, find_measured
        self.functions: dict[str, Callable[..., Any]] = {}
        self.given: dict[str, Mapping[str, Any]] = {}

    def check_function(
        self, part: Function, function: Callable[..., Any], hidden: bool
    ) -> list[Outcome]:
        """Compare a function with its reference on drawn cases."""
        self.functions.pop(part.name, None)
        if not callable(function):
            return fail(part, f"{shorten(simplify(function))} is not a function")
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
        return [judge_key(part, key, kind, results, rights) for key in part.parts]

    def list_right(self, part: Function, case: Sequence[Any]) -> list[Any]:
        """Return what is right: the reference's result, and by the student's earlier function."""
        right = [simplify(part.reference(*case))]
        if part.via in self.functions:
            # The student's function may fail where it was not tried.
            with suppress(Exception):
                right.append(simplify(part.reference(*case, self.functions[part.via])))
        return right

    def check_values(self, part: Values, given: object) -> list[Outcome]:
        """Check numbers and words, each key by itself."""
        self.given.pop(part.name, None)
        values = simplify(given)
        if not isinstance(values, dict):
            return fail(part, f"{shorten(values)} is not a dictionary of {', '.join(part.parts)}")
        if part.judge:
            self.given[part.name] = values
            return [grade_key(part, key, wrong) for key, wrong in part.judge(values).items()]
        expected = part.expected or (lambda known: self.lab.outcomes(known.measured))
        references = self.lab.references
        try:
            strict = simplify(expected(Known(self.find_measured, references, {})))
        except BadInput as wrong:
            return fail(part, f"nothing to compare with: {wrong}")
        # Later values follow from given ones of the right type.
        self.given[part.name] = {
            key: values[key]
            for key in strict.keys() & values.keys()
            if isinstance(values[key], str) == isinstance(strict[key], str)
            and not describe_value(values[key])
        }
        followed = strict
        with suppress(Exception):
            known = Known(self.find_measured, references | self.functions, self.given)
            followed = simplify(expected(known))
        return [check_key(part, key, values.get(key), strict, followed) for key in part.parts]


def judge_key(
    part: Function, key: str, kind: str, results: Sequence[Any], rights: Sequence[list[Any]]
) -> Outcome:
    """Compare one key of all results with what is right."""

    def pick(value: Any) -> Any:
        if not part.keys:
            return value
        return value.get(key) if isinstance(value, dict) else shorten(value)

    faults = [
        wrong
        for given, right in zip(results, rights, strict=True)
        if (wrong := describe_gap(pick(given), *map(pick, right)))
    ]
    number = f"of {pluralize(len(results), 'case')}"
    wrong = ""
    if len(faults) > part.slack * len(results):
        wrong = f"wrong in {len(faults)} {number}; in {kind} {faults[0]}"
    return grade_key(part, key, wrong, f"right in {len(results) - len(faults)} {number}")


def check_key(
    part: Values, key: str, value: Any, strict: Mapping[str, Any], followed: Mapping[str, Any]
) -> Outcome:
    """Compare one value with the expected one, and with what follows from earlier ones."""
    wrong = describe_value(value)
    if not wrong and (gap := describe_gap(value, strict[key], followed[key])):
        wrong = f"{gap} from your own measurement"
    own = "" if is_close(value, strict[key]) else ": it follows from your own earlier answer"
    return grade_key(part, key, wrong, f"right{own}")
