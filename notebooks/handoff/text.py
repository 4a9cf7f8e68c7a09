"""Words and numbers in messages, and small formats that users write."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import BeforeValidator
from rich.console import Console

console = Console(highlight=False, soft_wrap=True, markup=False)
"""Output of the command line: plain lines in a log, colours and a bar on a terminal."""


def pluralize(number: int, thing: str) -> str:
    """Return a count such as '1 fork' or '1,000 forks'; numpy's numbers work too."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def format_value(
    number: float, rounded: Callable[[float], float] = round, digits: int | None = None
) -> str:
    """Return a number with these decimals, or three digits, as many as a ratio deserves."""
    if digits is None:
        digits = 0 if number >= 100 else 1 if number >= 10 else 2
    # A number that is exact at these digits is not moved by what binary fractions add to it.
    scaled = round(number * 10**digits, 6)
    return f"{rounded(scaled) / 10**digits:,.{digits}f}"


def format_range(low: float, high: float, digits: int | None = None) -> str:
    """Return '3.72 to 4.30', rounded outwards, so that no bound seems to be met that is not."""
    return f"{format_value(low, math.floor, digits)} to {format_value(high, math.ceil, digits)}"


def parse_cpus(listed: str) -> list[int]:
    """Return the CPUs in a list such as '0-3,8'."""
    ends = [part.split("-") for part in listed.split(",") if part]
    return [cpu for end in ends for cpu in range(int(end[0]), int(end[-1]) + 1)]


def suggest(word: object, known: Iterable[object]) -> str:
    """Return ' Did you mean x?' for a similar known word, or ''."""
    names = {str(name).lower(): str(name) for name in known}
    near = get_close_matches(str(word).lower(), names, n=1, cutoff=0.7)
    return f" Did you mean {names[near[0]]}?" if near else ""


def require_form(pattern: str, form: str) -> BeforeValidator:
    """Return a field's check that raises ValueError, with the form in words, for other text."""

    def check(value: Any) -> Any:
        if isinstance(value, str) and not re.fullmatch(pattern, value):
            raise ValueError(f"write {form}, not {value[:80]!r}")
        return value

    return BeforeValidator(check)


BYTES = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def parse_amount(text: str) -> int | str:
    """Return a number, with or without a unit of memory, as an integer; other text unchanged."""
    amount = re.fullmatch(r"(-?\d+)([kmgt]?)", text.lower())
    return int(amount[1]) * BYTES[amount[2]] if amount else text


SECONDS = {"s": 1, "m": 60, "h": 3600}


def parse_duration(text: str) -> float:
    """Return the seconds in '90s', '15m' or '2h'; raise ValueError for other text and for 0."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text)
    if not match or float(match[1]) == 0:
        raise ValueError(f"write a time such as 90s, 15m or 2h, not {text!r}")
    return float(match[1]) * SECONDS[match[2]]


def format_table(head: Sequence[object], rows: Iterable[Iterable[object]]) -> list[str]:
    """Return the lines of a table in Markdown."""
    lines = [f"| {' | '.join(map(str, cells))} |" for cells in (head, *rows)]
    return [lines[0], "|---" * len(head) + "|", *lines[1:]]


def format_extent(values: Iterable[float], form: Callable[[float], str] = str) -> str:
    """Return the least and the greatest value, such as '7.1 to 9.3', or one if both look alike."""
    ends = list(values)
    return " to ".join(dict.fromkeys([form(min(ends)), form(max(ends))]))
