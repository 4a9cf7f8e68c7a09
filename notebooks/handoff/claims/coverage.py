"""Coverage: which parts of a claim may be judged, and how much of it was judged.

A part is judged only where the source's own numbers could pass the test.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from handoff.claims.check import Check, Value
from handoff.claims.evaluation import Evaluation, evaluate_check
from handoff.claims.model import ClaimFile, Reading
from handoff.claims.observations import Observations
from handoff.claims.wording import describe_locations

SOURCE_FAILS = "the source's own numbers fail the test there"


class Coverage(NamedTuple):
    """Points of a claim that were judged, of all its points; and likewise its loads.

    A claim about a single load has 0 of 0 loads.
    """

    points: int = 0
    of: int = 0
    loads: int = 0
    of_loads: int = 0

    @property
    def words(self) -> str:
        """' at 1 of 11 points, 1 of 3 loads', or '' if all were judged."""
        parts = [f"{self.points} of {self.of} points"] if self.points < self.of else []
        parts += [f"{self.loads} of {self.of_loads} loads"] if self.loads < self.of_loads else []
        return f" at {', '.join(parts)}" if parts else ""


def count_coverage(evaluations: Sequence[Evaluation], load: str | None) -> Coverage:
    """Count the places where every check that includes them was judged.

    `load` is the parameter that makes events cost more.
    """
    judged: dict[tuple, bool] = {}
    for evaluation in evaluations:
        for place, at in enumerate(evaluation.tried):
            key = tuple(sorted(at.items()))
            judged[key] = judged.get(key, True) and place in evaluation.judged
    names = {load, *(name for e in evaluations for name in name_loads(e.check, load))}
    loads: dict[Value, bool] = {}
    for key, here in judged.items():
        for value in (value for name, value in key if name in names):
            loads[value] = loads.get(value, False) or here
    if len(loads) < 2:
        return Coverage(sum(judged.values()), len(judged))
    return Coverage(sum(judged.values()), len(judged), sum(loads.values()), len(loads))


def name_loads(check: Check, load: str | None) -> list[str]:
    """Return the placeholders of `along` that stand for the load."""
    where = check.where.get(load, []) if load else []
    return [str(value) for value in where if value in check.along]


def allow_places(
    evaluation: Evaluation, file: ClaimFile, reading: Reading, tables: Mapping[str, Observations]
) -> frozenset[int]:
    """Return the judged places where the source's own numbers could pass.

    A check that must hold at each place is examined place by place; any other, as a whole.
    """
    check, judged = evaluation.check, evaluation.judged
    parts = [frozenset([place]) for place in judged] if check.hold == "each" else [judged]
    return frozenset().union(
        *(part for part in parts if part and can_pass(check, file, reading, tables, part))
    )


def can_pass(
    check: Check,
    file: ClaimFile,
    reading: Reading,
    tables: Mapping[str, Observations],
    part: frozenset[int],
) -> bool:
    """Return whether some of the source's numbers pass at these places.

    True also where it has no numbers for them under this reading.
    """
    silent = True
    for observed in tables.values():
        for other in file.reading_list():
            evaluation = evaluate_check(check, observed, other.bindings(), only=part)
            if evaluation.comparisons and evaluation.satisfies(check.claimed):
                return True
            if evaluation.comparisons and other == reading:
                silent = False
    return silent


def describe_failing(evaluations: Sequence[Evaluation], allowed: Sequence[frozenset[int]]) -> str:
    """Return '1 thread: the source's own numbers fail the test there', or '' if none do."""
    parts = []
    for evaluation, places in zip(evaluations, allowed, strict=True):
        failing = sorted(evaluation.judged - places)
        if failing:
            at = [evaluation.tried[place] for place in failing]
            parts.append(f"{describe_locations(evaluation.check, at)}: {SOURCE_FAILS}")
    return "; ".join(parts)
