"""Words and numbers in sentences."""

import re
from collections.abc import Iterable
from difflib import get_close_matches


def pluralize(number: int, thing: str) -> str:
    """'1 fork', '2 forks', '1,000 forks'; numbers of numpy too."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def parse_cpus(listed: str) -> list[int]:
    """The CPUs of a list such as '0-3,8'."""
    ends = [part.split("-") for part in listed.split(",") if part]
    return [cpu for end in ends for cpu in range(int(end[0]), int(end[-1]) + 1)]


def suggest(word: object, known: Iterable[object]) -> str:
    """' Did you mean x?' where a known word is near; '' where none is."""
    names = {str(name).lower(): str(name) for name in known}
    near = get_close_matches(str(word).lower(), names, n=1, cutoff=0.7)
    return f" Did you mean {names[near[0]]}?" if near else ""


SECONDS = {"s": 1, "m": 60, "h": 3600}


def parse_duration(text: str) -> float:
    """Seconds of '90s', '15m' or '2h'. ValueError for anything else, and for none at all."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text)
    if not found or float(found[1]) == 0:
        raise ValueError(f"write a time such as 90s, 15m or 2h, not {text!r}")
    return float(found[1]) * SECONDS[found[2]]
