"""Like with like: whether the work of an event costs here what it cost the source."""

from collections.abc import Container, Mapping

from handoff.claims.assignments import Assignment, Value, resolve_value
from handoff.claims.model import PublishedLoad
from handoff.claims.observations import Observations
from handoff.registry import find_study

MATCHED_LOAD = "matched load"
"""How a claim file calls the reading at loads that cost here about what the source's cost there."""
NOT_AT_LOAD = "not at the published load"
UNKNOWN_LOAD = "published load unknown"
PLACEMENTS: tuple[dict[str, Value], ...] = ({}, {"placement": "UNPINNED"})
"""Where one thread may have run, the study's own placement first: a sweep may hold only one."""

TOLERANCE = 2.0
"""A load is the source's when it costs between half and twice as much."""


class LoadGate:
    """The loads of one reading on one run: what was published, and what they cost here."""

    def __init__(
        self,
        study: str,
        published: PublishedLoad,
        observed: Observations,
        bindings: Mapping[str, Value],
    ) -> None:
        self.study, self.published, self.observed = find_study(study), published, observed
        bound = {**bindings, **observed.own}
        self.names = {
            resolve_value(bound[name], bound): name for name in published.amounts if name in bound
        }
        self.amounts = {amount: published.amounts[name] for amount, name in self.names.items()}

    def measure(self, amount: Value) -> float | None:
        """Nanoseconds an event with so much work on one thread; None when it was not measured."""
        load = self.study.load
        if load is None:
            return None
        for placement in PLACEMENTS:
            alone = {**load.alone, **placement, load.parameter: amount}
            cell = self.observed.cell(alone, "time", shared=True)
            if cell.point:
                return float(cell.values.mean())
        return None

    def explain(self, one: Assignment) -> str:
        """Why a point with these parameters is not at the published load; '' when it is, or when
        none was published for it.
        """
        load = self.study.load
        amount = one.get(load.parameter) if load else None
        if load is None or amount not in self.amounts:
            return ""
        theirs, ours = self.amounts[amount], self.measure(amount)
        if ours is None:
            return f"its load is not known: {load.parameter} {amount} has no forks on one thread"
        if min(theirs) / TOLERANCE <= ours <= max(theirs) * TOLERANCE:
            return ""
        return f"{NOT_AT_LOAD}: {ours:,.0f} ns {load.event} on one thread, {span(theirs)} there"

    def describe(self, used: Container[Value]) -> str:
        """The loads in words, those whose placeholder is `used`: here, published, and where to
        match by time is not to match by the share of the hand-over.
        """
        load = self.study.load
        if self.published.unknown:
            return f"{UNKNOWN_LOAD}: {self.published.unknown}"
        parts = [
            f"{load.parameter} {amount}: {ours:,.0f} ns {load.event} on one thread, published"
            f" {span(theirs)}{self.describe_share(ours, theirs)}"
            for amount, theirs in self.amounts.items()
            if load and self.names[amount] in used and (ours := self.measure(amount)) is not None
        ]
        return "; ".join(parts)

    def describe_share(self, ours: float, theirs: list[float]) -> str:
        """Work ÷ hand-over, here and there, where they differ by more than the tolerance."""
        hand_over, published = self.measure(0), self.published.without
        if hand_over is None or published is None:
            return ""
        here, there = ours / hand_over - 1, min(theirs) / published - 1
        if there / TOLERANCE <= here <= there * TOLERANCE:
            return ""
        return f" (its work is {here:.2g} times the hand-over here, {there:.2g} times there)"


def shorten_load(text: str) -> str:
    """For a table whose rows all have the same unknown load: without the explanation."""
    return UNKNOWN_LOAD if text.startswith(UNKNOWN_LOAD) else text


def span(values: list[float]) -> str:
    """'2,225 to 2,500', or the one value."""
    ends = dict.fromkeys(f"{value:,.0f}" for value in (min(values), max(values)))
    return " to ".join(ends)
