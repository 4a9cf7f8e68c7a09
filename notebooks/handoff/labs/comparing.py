"""Compare students' values with the right ones, and describe the difference."""

import math
import re
import sys
from typing import Any, TypeGuard

TOLERANCE = 0.005
MOST_ITEMS, MOST_CHARACTERS = 8, 80
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


def is_close(given: Any, due: Any, tolerance: float = TOLERANCE) -> bool:
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
