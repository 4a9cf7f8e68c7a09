"""Verdicts by reading, one column per combination of options, and what they say together."""

from collections.abc import Mapping
from itertools import combinations

import pandas as pd

from handoff.claims.model import ClaimFile, Reading
from handoff.claims.verdicts import (
    CONTRADICTED,
    DIRECTION,
    DIRECTIONS,
    FAILS,
    FORCED,
    HOLDS,
    INCONCLUSIVE,
    JUDGED,
    NOT_MEASURED,
    REPRODUCED,
)
from handoff.draw.words import join_words

STANDS = {REPRODUCED, *DIRECTIONS, HOLDS}
AGAINST = {CONTRADICTED, FAILS}
TOGETHER = "together"
SPLIT = "depends on the reading"


def tabulate_readings(file: ClaimFile, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the verdict of each claim (rows) under each combination of options (columns).

    `rows` has columns claim, reading, meaning and verdict. Index: 'P5, all threads'. Combinations
    that the run did not plan are left out. The last column says what all of them say together.
    """
    verdicts = {(row.claim, row.reading): row.verdict for row in rows.itertuples()}
    readings = file.reading_list()
    lines = {}
    for identity, whole in file.claims.items():
        for meaning, claim in whole.list_meanings():
            alike = verdicts.get((identity, meaning), NOT_MEASURED)
            lines[", ".join(filter(None, [identity, meaning]))] = [
                verdicts.get((identity, reading.of_claim(claim, meaning)), alike)
                for reading in readings
            ]
    table = pd.DataFrame.from_dict(lines, "index", columns=range(len(readings)))
    measured = [r for r in readings if is_measured(r, file, verdicts)] or readings[:1]
    table = table[[readings.index(reading) for reading in measured]]
    table.columns = pd.Index(
        [", ".join(filter(None, reading.names)) or "as published" for reading in measured]
    )
    together = [combine_verdicts(readings, line) for line in lines.values()]
    return table.assign(**{TOGETHER: together})


def is_measured(reading: Reading, file: ClaimFile, verdicts: Mapping[tuple[str, str], str]) -> bool:
    """Return whether the run planned this combination for some claim that depends on all of it."""
    used = {
        (identity, reading.of_claim(claim, meaning)): len(reading.list_options(claim))
        for identity, whole in file.claims.items()
        for meaning, claim in whole.list_meanings()
    }
    most = max(used.values())
    return any(row in verdicts for row, options in used.items() if options == most)


def combine_verdicts(readings: list[Reading], verdicts: list[str]) -> str:
    """Return what a claim's readings say together, with the options that divide them."""
    together = combine_claim(verdicts)
    if together == SPLIT:
        return f"depends on: {' and '.join(name_dividing(readings, verdicts))}"
    return together


def combine_claim(verdicts: list[str]) -> str:
    """Return the verdict of a claim from those of its readings.

    They disagree only where one reproduces it and another contradicts it, or forces the contrary.
    """
    known = dict.fromkeys(v for v in verdicts if v in (*JUDGED, *FORCED)).keys()
    if len(known) < 2:
        return next(iter(known), verdicts[0])
    if known & STANDS and known & AGAINST:
        return SPLIT
    if INCONCLUSIVE in known:
        return INCONCLUSIVE
    if known <= AGAINST:
        return CONTRADICTED
    return DIRECTION if known & set(DIRECTIONS) else REPRODUCED


def name_dividing(readings: list[Reading], verdicts: list[str]) -> list[str]:
    """Return the options by which alone a claim stands or falls: 'release 3.4.4 or 3.2.0'."""
    divided = [
        [f"{a} or {b}" for a, b in zip(one.names, other.names, strict=True) if a != b]
        for (one, its), (other, others) in combinations(zip(readings, verdicts, strict=True), 2)
        if (its in STANDS and others in AGAINST) or (its in AGAINST and others in STANDS)
    ]
    least = min(map(len, divided))
    return list(dict.fromkeys(pair for pairs in divided if len(pairs) == least for pair in pairs))


def describe_joint(claims: list[str], table: pd.DataFrame) -> list[str]:
    """Say under which combinations claims that one program must satisfy hold together.

    A claim holds where it does by some meaning of its words.
    """
    if not claims:
        return []
    outcomes: dict[str, list[str]] = {}
    for column in table.columns.drop(TOGETHER):
        groups: dict[str, list[str]] = {name: [] for name in OUTCOMES}
        for claim in claims:
            verdicts = {v for name, v in table[column].items() if str(name).split(",")[0] == claim}
            groups[name_outcome(verdicts)].append(claim)
        words = ". ".join(f"{word}: {', '.join(names)}" for word, names in groups.items() if names)
        outcomes.setdefault(words, []).append(column)
    whole = outcomes.pop(f"Holds: {', '.join(claims)}", [])
    names = join_words(claims)
    head = (
        f"{names} hold together under {' and under '.join(whole)}."
        if whole
        else f"No reading that was measured makes {names} hold together."
    )
    if len(outcomes) == 1 and not whole:
        return [head, *(f"{words}." for words in outcomes)]
    return [head, *(f"{words} ({'; '.join(columns)})." for words, columns in outcomes.items())]


OUTCOMES = ("Holds", "Fails", "Undecided", "Not testable")


def name_outcome(verdicts: set[str]) -> str:
    kinds = (STANDS, AGAINST, {INCONCLUSIVE})
    return next(
        (name for name, kind in zip(OUTCOMES, kinds, strict=False) if verdicts & kind), OUTCOMES[-1]
    )
