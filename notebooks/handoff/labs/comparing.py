"""Compare students' values with the right ones, and describe the difference."""

import re
import sys
from reprlib import Repr
from typing import Any, TypeGuard

TOLERANCE = 0.005
NUMBER = re.compile(r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?")


def is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def describe_value(value: object) -> str:
    """Return why a value cannot be an answer, or ''."""
    if value is None or value is ...:
        return "it is missing"
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return "it is text: write a number"
    # A whole number may be too large for a float, and every comparison with nan is false.
    if isinstance(value, int | float) and not abs(value) <= sys.float_info.max:
        return "it is not a finite number"
    return ""


def simplify(value: object) -> Any:
    """Convert numpy's numbers, arrays and tuples to plain numbers and lists."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): simplify(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [simplify(item) for item in value]
    if value is None or value is ... or isinstance(value, bool | int | float | str):
        return value
    return f"a {type(value).__name__}"


def is_close(given: Any, due: Any) -> bool:
    """Compare an answer with the expected one; numbers within a relative tolerance.

    For the ends of an interval the tolerance is relative to its width.
    """
    if isinstance(due, dict):
        return isinstance(given, dict) and all(is_close(given.get(k), v) for k, v in due.items())
    if isinstance(due, list):
        if not isinstance(given, list) or len(given) != len(due):
            return False
        if len(due) == 2 and all(isinstance(end, float) for end in [*given, *due]):
            room = TOLERANCE * abs(due[1] - due[0])
            return all(abs(g - d) <= room for g, d in zip(given, due, strict=True))
        return all(map(is_close, given, due))
    if not is_number(due):
        return type(given) is type(due) and given == due
    if not is_number(given) or describe_value(given):
        return False
    return abs(given - due) <= TOLERANCE * abs(due) + 1e-12


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
    numbers = all(is_number(value) and not describe_value(value) for value in (given, due))
    return f"{text} ({given / due:.3g} times as much)" if numbers and due else text


class Short(Repr):
    """Format of a value in a sentence; of large values only a part, so that it stays short."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxdict, self.maxlist, self.maxstring = 3, 8, 8, 80

    def repr_float(self, value: float, level: int) -> str:
        return f"{value:.6g}"


shorten = Short().repr
