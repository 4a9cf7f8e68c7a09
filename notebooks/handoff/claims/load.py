"""Like with like: compares the cost of an event's work here with its cost in the source."""

import math
from collections.abc import Collection, Container, Mapping

from handoff.analysis.intervals import estimate
from handoff.claims.check import Assignment, Value, resolve_value
from handoff.claims.model import PublishedLoad
from handoff.claims.observations import Observations
from handoff.study import Load, find_study

NOT_AT_LOAD = "not at the published load"
UNKNOWN_LOAD = "published load unknown"

PLACEMENTS: tuple[dict[str, Value], ...] = ({}, {"placement": "UNPINNED"})
"""Placements to try for the one-thread reference, in order of preference."""

TOLERANCE = 2.0
"""A load is at the source's if it costs between half and twice as much.

By its time, or by its work over the hand-over: the two differ where a hand-over does.
"""

TIME, SHARE = "time", "share"
"""Quantities by which a load may match: time per event, or work ÷ hand-over."""

WITHOUT_LOAD = Load("", "", {})
"""Load of a study whose events bring no work, at which no point is."""


class LoadGate:
    """The published loads, and whether a run's points match them.

    A load is the time per event on one thread. `matches` says by what it may match.
    """

    def __init__(
        self,
        study: str,
        published: PublishedLoad,
        observed: Observations,
        bindings: Mapping[str, Value],
        matches: Collection[str] = (TIME, SHARE),
    ) -> None:
        self.load = find_study(study).load or WITHOUT_LOAD
        self.matches, self.published, self.observed = matches, published, observed
        bound = {**bindings, **observed.bindings}
        self.names = {
            resolve_value(bound[name], bound): name for name in published.amounts if name in bound
        }
        self.amounts = {amount: published.amounts[name] for amount, name in self.names.items()}

    def measure(self, amount: Value) -> float | None:
        """Return the nanoseconds of an event on one thread, or None where it was not measured."""
        for placement in PLACEMENTS:
            alone = {**self.load.alone, **placement, self.load.parameter: amount}
            cell = self.observed.cell(alone, "time", shared=True)
            if cell.point:
                return estimate([cell.term]).ratio
        return None

    def explain(self, params: Assignment) -> str:
        """Return why a point is not at the published load; '' where it is or none was published."""
        amount = params.get(self.load.parameter)
        if amount not in self.amounts:
            return ""
        theirs, ours = self.amounts[amount], self.measure(amount)
        if ours is None:
            return f"load unknown, as {self.load.parameter} {amount} has no forks on one thread"
        shares = self.compare_shares(ours, theirs)
        near = {TIME: is_near(ours, theirs), SHARE: shares and is_near(shares[0], [shares[1]])}
        if any(near[way] for way in self.matches):
            return ""
        return f"{NOT_AT_LOAD} ({self.describe_cost(ours, theirs)})"

    def describe(self, used: Container[Value]) -> str:
        """Describe the loads whose placeholders are `used`: their cost here and in the source."""
        if self.published.unknown:
            return f"{UNKNOWN_LOAD}: {self.published.unknown}"
        return "; ".join(
            f"{self.load.parameter} {amount}: {self.describe_cost(ours, theirs)}"
            for amount, theirs in self.amounts.items()
            if self.names[amount] in used and (ours := self.measure(amount)) is not None
        )

    def describe_cost(self, ours: float, theirs: list[float]) -> str:
        """Return '2,225 ns a hop on one thread, published 2,225', and the share of work."""
        ends = dict.fromkeys(f"{value:,.0f}" for value in (min(theirs), max(theirs)))
        text = f"{ours:,.0f} ns {self.load.event} on one thread, published {' to '.join(ends)}"
        shares = self.compare_shares(ours, theirs)
        if shares is None:
            return text
        here, source = (f"{float(f'{share:.2g}'):,g} times" for share in shares)
        return f"{text}; work is {here} the hand-over here, {source} in the source"

    def compare_shares(self, ours: float, theirs: list[float]) -> tuple[float, float] | None:
        """Return work ÷ hand-over, here and in the source; None where it is unknown."""
        hand_over, published = self.measure(0), self.published.without
        if hand_over is None or published is None:
            return None
        return ours / hand_over - 1, min(theirs) / published - 1


def is_near(ours: float, theirs: list[float]) -> bool:
    low, high = min(theirs) / TOLERANCE, max(theirs) * TOLERANCE
    return low <= ours <= high or any(math.isclose(ours, end) for end in (low, high))
