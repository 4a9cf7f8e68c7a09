"""Which part of a claim may be judged, and how much of it was.

A part is judged only where the source's own numbers could pass the test.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from handoff.claims.assignments import Assignment, Value
from handoff.claims.comparisons import expand_selection
from handoff.claims.evaluation import Evaluation, evaluate_check
from handoff.claims.locations import describe_locations
from handoff.claims.model import Check, Claim, ClaimFile, Reading
from handoff.claims.observations import Observations

SOURCE_FAILS = "the source's own numbers fail the test there"


class Coverage(NamedTuple):
    """Points of a claim that were judged, of all that it speaks of; and likewise loads, 0 of 0 when
    it speaks of one.
    """

    points: int = 0
    of: int = 0
    loads: int = 0
    of_loads: int = 0

    @property
    def words(self) -> str:
        """' at 1 of 11 points, 1 of 3 loads'; '' when all were judged."""
        parts = [f"{self.points} of {self.of} points"] if self.points < self.of else []
        parts += [f"{self.loads} of {self.of_loads} loads"] if self.loads < self.of_loads else []
        return f" at {', '.join(parts)}" if parts else ""


def count_coverage(
    claim: Claim,
    weighed: Iterable[Evaluation],
    bindings: Assignment,
    load: str | None,
) -> Coverage:
    """A place counts as judged when every check that speaks of it was judged there.

    `bindings`: what placeholders stand for; `load`: the parameter that makes an event cost more.
    """
    by_check = {id(w.check): w for w in weighed}
    judged: dict[tuple, bool] = {}
    for check in claim.test:
        found = by_check.get(id(check))
        for place, at in enumerate(expand_selection(check.along, bindings)):
            here = found is not None and place in found.places.judged
            key = tuple(sorted(at.items()))
            judged[key] = judged.get(key, True) and here
    names = {load, *(name for check in claim.test for name in name_loads(check, load))}
    loads: dict[Value, bool] = {}
    for key, here in judged.items():
        for name, value in key:
            if name in names:
                loads[value] = loads.get(value, False) or here
    if len(loads) < 2:
        return Coverage(sum(judged.values()), len(judged))
    return Coverage(sum(judged.values()), len(judged), sum(loads.values()), len(loads))


def name_loads(check: Check, load: str | None) -> list[str]:
    """The placeholders of `along` that stand for the load."""
    where = check.where.get(load, []) if load else []
    return [str(value) for value in where if value in check.along]


def allow_places(
    weighed: Evaluation, file: ClaimFile, reading: Reading, tables: Mapping[str, Observations]
) -> frozenset[int]:
    """Of the places that were judged, those where the source's own numbers could pass.

    A check that must hold at each place is looked at place by place, any other as a whole.
    """
    judged = weighed.places.judged
    parts = [frozenset([place]) for place in judged] if weighed.check.hold == "each" else [judged]
    return frozenset().union(
        *(part for part in parts if part and can_pass(weighed.check, file, reading, tables, part))
    )


def can_pass(
    check: Check,
    file: ClaimFile,
    reading: Reading,
    tables: Mapping[str, Observations],
    part: frozenset[int],
) -> bool:
    """Whether some of the source's numbers pass at these places, or none speak of them in this
    reading.
    """
    silent = True
    for observed in tables.values():
        for other in file.reading_list():
            found = evaluate_check(check, observed, other.bindings(), only=part)
            if found.comparisons and found.holds:
                return True
            if found.comparisons and other == reading:
                silent = False
    return silent


def describe_failing(weighed: Sequence[Evaluation], allowed: Sequence[frozenset[int]]) -> str:
    """'1 thread: the source's own numbers fail the test there'; '' when nothing is left out."""
    left_out = (
        (w.check, [w.places.asked[place] for place in sorted(w.places.judged - those)])
        for w, those in zip(weighed, allowed, strict=True)
    )
    return "; ".join(
        f"{describe_locations(check, at)}: {SOURCE_FAILS}" for check, at in left_out if at
    )
