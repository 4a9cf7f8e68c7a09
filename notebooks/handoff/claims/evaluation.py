"""Evaluation of one check on observations: comparisons, p values, and the forks that would decide.

A check claims a range of ratios or levels; the p values are for lying inside and outside of it.
"""

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from handoff.analysis.contrast import Estimate, combine_p_values, find_forks_to_decide
from handoff.claims.comparisons import Comparison, Places, make_comparisons
from handoff.claims.load import LoadGate
from handoff.claims.model import Assignment, Check
from handoff.claims.observations import Cell, Observations


class Bounds(NamedTuple):
    """A range of ratios or levels; 0 and inf where there is no bound."""

    low: float
    high: float

    def holds(self, estimate: Estimate) -> bool:
        """Return whether the estimate lies inside."""
        return self.low <= estimate.ratio * (1 + 1e-9) and estimate.ratio * (1 - 1e-9) <= self.high

    def beyond(self, estimate: Estimate) -> float:
        """Return how far outside the estimate lies, in logarithms; negative inside."""
        low = math.log(self.low) - estimate.log if self.low > 0 else -math.inf
        return max(low, estimate.log - math.log(self.high) if self.high < math.inf else -math.inf)

    def p_inside(self, estimate: Estimate) -> float:
        """Return the p value for a true value inside."""
        return max(
            estimate.p_above(self.low) if self.low > 0 else 0.0,
            estimate.p_below(self.high) if self.high < math.inf else 0.0,
        )

    def p_outside(self, estimate: Estimate) -> float:
        """Return the p value for a true value outside, corrected where there are two sides."""
        sides = [estimate.p_below(self.low)] if self.low > 0 else []
        sides += [estimate.p_above(self.high)] if self.high < math.inf else []
        return min(1.0, len(sides) * min(sides))


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


class PValues(NamedTuple):
    """P values for the claim, its direction, its contrary, and another size than claimed.

    They are nan where there is nothing to compare, or no spread.
    """

    claimed: float = math.nan
    direction: float = math.nan
    against: float = math.nan
    size: float = math.nan


class Evaluation(NamedTuple):
    """A check with its comparisons, what it claims with and without its size, and p values."""

    check: Check
    comparisons: list[Comparison]
    places: Places
    claimed: Bounds
    direction: Bounds
    p: PValues

    @property
    def missing(self) -> dict[str, list[Assignment]]:
        """The places that were not compared, by reason."""
        return self.places.missing

    @property
    def holds(self) -> bool:
        """Whether the numbers satisfy the check, whatever their spread."""
        return self._enough(self.claimed)

    @property
    def direction_holds(self) -> bool:
        """Whether the numbers have the claimed direction, whatever their spread."""
        return self._enough(self.direction)

    def _enough(self, zone: Bounds) -> bool:
        return sum(zone.holds(c.estimate) for c in self.comparisons) >= count_needed(
            self.check, len(self.comparisons)
        )


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
    undecidable = not comparisons or any(math.isnan(c.estimate.error) for c in comparisons)
    p = PValues() if undecidable else compute_p_values(check, comparisons, claimed, direction)
    return Evaluation(check, comparisons, places, claimed, direction, p)


def compute_p_values(
    check: Check, comparisons: list[Comparison], claimed: Bounds, direction: Bounds
) -> PValues:
    number = len(comparisons)
    least = count_needed(check, number)
    # The contrary of 'at least `least` hold' is that fewer than `least` are left to hold.
    contrary = number - least + 1

    def combine(test: Callable[[Estimate], float], needed: int) -> float:
        return combine_p_values([test(c.estimate) for c in comparisons], needed)

    return PValues(
        combine(claimed.p_inside, least),
        combine(direction.p_inside, least),
        combine(direction.p_outside, contrary),
        combine(claimed.p_outside, contrary),
    )


def find_forks_needed(evaluations: Iterable[Evaluation], alpha: float) -> int | None:
    """Return the forks per point that would decide an inconclusive claim, None for too many.

    With that many forks the claim, its direction or its contrary would be proven, whichever needs
    fewest, if ratio and spread stay as they are. `alpha` is the error of one claim of the study.
    """
    checks = list(evaluations)
    ways = [
        max(find_forks_inside(check, lambda e: e.claimed, alpha) for check in checks),
        max(find_forks_inside(check, lambda e: e.direction, alpha) for check in checks),
        min(find_forks_outside(check, alpha / len(checks)) for check in checks),
    ]
    least = min(ways)
    return None if math.isinf(least) else int(least)


def find_forks_inside(
    evaluation: Evaluation, zone_of: Callable[[Evaluation], Bounds], alpha: float
) -> float:
    """Return the forks with which enough comparisons are proven to lie inside a zone, or inf."""
    zone = zone_of(evaluation)
    ends = [end for end in zone if 0 < end < math.inf]
    forks = []
    for comparison in evaluation.comparisons:
        parts = [find_forks_to_decide(comparison.estimate, end, alpha) or math.inf for end in ends]
        forks.append(max(parts) if zone.holds(comparison.estimate) else math.inf)
    return sorted(forks)[count_needed(evaluation.check, len(forks)) - 1]


def find_forks_outside(evaluation: Evaluation, alpha: float) -> float:
    """Return the forks with which too many comparisons lie outside for the check to hold."""
    zone, number = evaluation.direction, len(evaluation.comparisons)
    least = count_needed(evaluation.check, number)
    forks = []
    for comparison in evaluation.comparisons:
        estimate = comparison.estimate
        end = zone.low if estimate.ratio < zone.low else zone.high
        decided = (
            None if zone.holds(estimate) else find_forks_to_decide(estimate, end, alpha / least)
        )
        forks.append(decided or math.inf)
    return sorted(forks)[number - least]
