"""Answers compared with what is expected: how close is right, and how far off is the rest."""

import math
from typing import Any

import numpy as np

NUMBER_TOLERANCE = 0.005


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
    if isinstance(due, bool) or due is None or isinstance(due, str):
        return type(given) is type(due) and given == due
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        return False
    return abs(given - due) <= tolerance * abs(due) + 1e-12


def describe_gap(given: Any, due: Any) -> str:
    """Return what is given, what is right and, of numbers, by how much they differ."""
    if isinstance(given, list) and isinstance(due, list) and len(due) > 2:
        if len(given) != len(due):
            return f"has {len(given)} values; right is {len(due)}"
        place = next(
            i for i, pair in enumerate(zip(given, due, strict=True)) if not is_close(*pair)
        )
        return f"has at place {place} {shorten(given[place])}; right is {shorten(due[place])}"
    text = f"is {shorten(given)}; right is {shorten(due)}"
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in (given, due))
    if not numbers or not due or not math.isfinite(given / due):
        return text
    return f"{text} ({given / due:.3g} times as much)"


MOST_ITEMS, MOST_CHARACTERS = 8, 80


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


def round_number(value: object) -> object:
    """Round a number to four digits; return anything else as it is."""
    return float(f"{value:.4g}") if isinstance(value, float) else value


def simplify(value: object) -> object:
    """Convert a number or word of numpy to plain Python."""
    return value.item() if isinstance(value, np.generic) else value
