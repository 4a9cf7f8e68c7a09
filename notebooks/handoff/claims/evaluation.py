"""Evaluation of one check on observations: its comparisons, and whether they lie in what it claims.

A check claims a range of ratios or levels. A comparison proves it by its interval alone.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from handoff.analysis.intervals import Effort, Estimate, Interval, find_effort
from handoff.claims.check import Assignment, Check
from handoff.claims.comparisons import Comparison, Places, make_comparisons
from handoff.claims.load import LoadGate
from handoff.claims.observations import Cell, Observations

NEARLY = 1e-9
"""Relative distance at which a published number counts as equal to a bound."""


class Bounds(NamedTuple):
    """A range of ratios or levels; 0 and inf where there is no bound."""

    low: float
    high: float

    def holds(self, estimate: Estimate) -> bool:
        """Return whether the estimate lies inside."""
        return self.beyond(estimate) <= NEARLY

    def beyond(self, estimate: Estimate) -> float:
        """Return how far outside the estimate lies, in logarithms; negative inside."""
        return -self.margin((estimate.ratio, estimate.ratio))

    def margin(self, interval: Interval) -> float:
        """Return how far inside the interval lies, in logarithms; negative if it reaches out."""
        low = math.log(interval[0] / self.low) if self.low > 0 else math.inf
        return min(low, math.log(self.high / interval[1]) if self.high < math.inf else math.inf)

    def gap(self, interval: Interval) -> float:
        """Return how far outside the whole interval lies, in logarithms; negative otherwise."""
        low = math.log(self.low / interval[1]) if self.low > 0 else -math.inf
        return max(low, math.log(interval[0] / self.high) if self.high < math.inf else -math.inf)


def derive_bounds(check: Check) -> tuple[Bounds, Bounds]:
    """Return what the check claims, and the same without its size.

    Without its size, a ratio claimed on one side of 1 may lie anywhere on that side. Levels, and
    ratios claimed on both sides, have no direction of their own.
    """
    claimed = Bounds(check.above or 0.0, check.below or math.inf)
    if check.to is None and check.hold != "trend":
        return claimed, claimed
    if claimed.low >= 1:
        return claimed, Bounds(1.0, math.inf)
    if claimed.high <= 1:
        return claimed, Bounds(0.0, 1.0)
    return claimed, claimed


class Evaluation(NamedTuple):
    """A check with its comparisons, and what it claims with and without its size.

    `sized` says whether its size may be judged: not that of a time where the source's load is
    unknown.
    """

    check: Check
    comparisons: list[Comparison]
    places: Places
    claimed: Bounds
    direction: Bounds
    sized: bool = True

    @property
    def missing(self) -> dict[str, list[Assignment]]:
        """The places that were not compared, by reason."""
        return self.places.missing

    @property
    def needed(self) -> int:
        """The number of comparisons in which the check must hold."""
        return count_needed(self.check, len(self.comparisons))

    @property
    def contrary(self) -> int:
        """The number of comparisons in which it must fail to be refuted."""
        return len(self.comparisons) - self.needed + 1

    @property
    def is_testable(self) -> bool:
        """Return whether each comparison has an interval."""
        return bool(self.comparisons) and all(
            comparison.estimate.interval() for comparison in self.comparisons
        )

    @property
    def holds(self) -> bool:
        """Return whether the numbers satisfy the check, whatever their spread."""
        return self._enough(self.claimed)

    @property
    def direction_holds(self) -> bool:
        """Return whether the numbers have the claimed direction, whatever their spread."""
        return self._enough(self.direction)

    def _enough(self, zone: Bounds) -> bool:
        return sum(zone.holds(c.estimate) for c in self.comparisons) >= self.needed

    def find_weakest(self, zone: Bounds, alpha: float) -> "Decision":
        """Return the comparison on which it depends whether the check lies in a zone.

        That is the one with the least margin among those needed. Where not all are needed, each
        interval is wider: any of them may serve (Bonferroni).
        """
        listed = self.decide_all(alpha / self.contrary)
        ranked = sorted(listed, key=lambda d: zone.margin(d.interval), reverse=True)
        return ranked[self.needed - 1]

    def find_strongest(self, alpha: float) -> "Decision":
        """Return the comparison on which it depends whether the check is refuted.

        `alpha` is the error of one comparison.
        """
        listed = self.decide_all(alpha)
        ranked = sorted(listed, key=lambda d: self.direction.gap(d.interval), reverse=True)
        return ranked[self.contrary - 1]

    def decide_all(self, alpha: float) -> "list[Decision]":
        """Return the comparisons with their intervals, of which each end errs by `alpha`."""
        confidence = 1 - 2 * alpha
        return [
            Decision(self, c, interval, confidence)
            for c in self.comparisons
            if (interval := c.estimate.interval(confidence))
        ]


class Decision(NamedTuple):
    """The comparison that decides, with the interval that decides and its confidence."""

    evaluation: Evaluation
    comparison: Comparison
    interval: Interval
    confidence: float


def count_needed(check: Check, number: int) -> int:
    """Return in how many of `number` comparisons the check must hold."""
    return {"most": number // 2 + 1, "some": 1}.get(check.hold, number)


def evaluate_check(
    check: Check,
    observed: Observations,
    bindings: Assignment,
    shared: bool = False,
    load: LoadGate | None = None,
    only: frozenset[int] | None = None,
) -> Evaluation:
    """Evaluate a check under one reading, whose placeholders have the values of `bindings`.

    With `shared`, threads may share cores. `load` leaves out points that are not at the published
    load. `only` are positions in `along`, or None for all.
    """

    def cells(params: Assignment) -> Cell:
        cell = observed.cell(params, check.quantity, shared)
        why = load.explain(params) if load and not cell.unfit else ""
        return cell._replace(unfit=why) if why else cell

    comparisons, places = make_comparisons(check, cells, bindings | observed.bindings, only)
    claimed, direction = derive_bounds(check)
    unknown = load is not None and bool(load.published.unknown) and check.quantity == "time"
    sized = claimed != direction and not unknown
    return Evaluation(check, comparisons, places, claimed, direction, sized)


def find_effort_needed(evaluations: Sequence[Evaluation], alpha: float) -> Effort:
    """Return what would decide an inconclusive claim, whichever way needs least.

    Enough comparisons must lie inside what is claimed, or inside its direction, or too many outside
    of it, if values and spread stay as they are.
    """
    outside = alpha / sum(evaluation.needed for evaluation in evaluations)
    ways = [
        [find_effort_inside(e, e.claimed, alpha) for e in evaluations],
        [find_effort_inside(e, e.direction, alpha) for e in evaluations],
        *([find_effort_outside(e, outside)] for e in evaluations),
    ]
    found = [combine_efforts(way) for way in ways]
    return Effort(
        min((e.forks for e in found if e.forks), default=None),
        min((e.sessions for e in found if e.sessions), default=None),
    )


def combine_efforts(efforts: Sequence[Effort]) -> Effort:
    """Return the effort that meets all of these, None where one of them cannot be met."""
    forks, sessions = ([getattr(e, name) for e in efforts] for name in Effort._fields)
    return Effort(max(forks) if all(forks) else None, max(sessions) if all(sessions) else None)


def find_effort_inside(evaluation: Evaluation, zone: Bounds, alpha: float) -> Effort:
    """Return the effort with which enough comparisons lie inside a zone."""
    confidence = 1 - 2 * alpha / evaluation.contrary
    ends = [end for end in zone if 0 < end < math.inf]
    efforts = [
        combine_efforts([find_effort(c.estimate, end, confidence) for end in ends])
        for c in evaluation.comparisons
        if zone.holds(c.estimate)
    ]
    return select_effort(efforts, evaluation.needed)


def find_effort_outside(evaluation: Evaluation, alpha: float) -> Effort:
    """Return the effort with which too many comparisons lie outside for the check to hold."""
    zone = evaluation.direction
    efforts = [
        find_effort(
            c.estimate, zone.low if c.estimate.ratio < zone.low else zone.high, 1 - 2 * alpha
        )
        for c in evaluation.comparisons
        if not zone.holds(c.estimate)
    ]
    return select_effort(efforts, evaluation.contrary)


def select_effort(efforts: Sequence[Effort], needed: int) -> Effort:
    """Return the effort that decides `needed` of the comparisons."""

    def smallest(numbers: list[int | None]) -> int | None:
        known = sorted(number for number in numbers if number)
        return known[needed - 1] if len(known) >= needed else None

    return Effort(smallest([e.forks for e in efforts]), smallest([e.sessions for e in efforts]))
