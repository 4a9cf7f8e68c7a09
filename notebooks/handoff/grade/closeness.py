"""Whether an answer is the right one, and how to say what is not."""

import math
from collections.abc import Mapping
from typing import Any

NUMBER_TOLERANCE = 0.005


def is_close(given: Any, due: Any, tolerance: float = NUMBER_TOLERANCE) -> bool:
    """Whether an answer is the right one; numbers within a relative tolerance, an interval's ends
    within that part of its width.
    """
    if isinstance(due, dict):
        return isinstance(given, dict) and all(
            is_close(given.get(key), value, tolerance) for key, value in due.items()
        )
    if isinstance(due, list):
        same = isinstance(given, list) and len(given) == len(due)
        if same and len(due) == 2 and all(isinstance(each, float) for each in [*given, *due]):
            room = tolerance * abs(due[1] - due[0])
            return all(abs(g - d) <= room for g, d in zip(given, due, strict=True))
        return same and all(is_close(g, d, tolerance) for g, d in zip(given, due, strict=True))
    if isinstance(due, bool) or due is None or isinstance(due, str):
        return type(given) is type(due) and given == due
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        return False
    return abs(given - due) <= tolerance * abs(due) + 1e-12


def describe_difference(key: str, given: Mapping[str, Any], due: Mapping[str, Any]) -> str:
    return f"{key} is {shorten(given.get(key))}; your own forks say {shorten(due[key])}"


def shorten(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {shorten(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(shorten(each) for each in value) + "]"
    return repr(value)[:80]
