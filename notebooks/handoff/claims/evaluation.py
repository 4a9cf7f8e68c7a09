"""One check of a claim, weighed on what was observed: comparisons with their intervals, and p
values for and against.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from handoff.analysis.contrast import Estimate, combine_p_values
from handoff.claims.assignments import Assignment
from handoff.claims.bounds import Bounds, derive_bounds
from handoff.claims.comparisons import Comparison, Places, make_comparisons
from handoff.claims.load import LoadGate
from handoff.claims.model import Check
from handoff.claims.observations import Cell, Observations


class PValues(NamedTuple):
    """For the claim, its direction, its contrary, and another size than claimed; nan where there is
    nothing to compare, or nothing with a spread.
    """

    claimed: float = math.nan
    direction: float = math.nan
    against: float = math.nan
    size: float = math.nan


class Evaluation(NamedTuple):
    """A check's comparisons, where they stand, what it claims with and without its size, and p
    values.
    """

    check: Check
    comparisons: list[Comparison]
    places: Places
    claimed: Bounds
    direction: Bounds
    p: PValues

    @property
    def lacking(self) -> dict[str, list[Assignment]]:
        """Why places were not compared, and which."""
        return self.places.lacking

    @property
    def holds(self) -> bool:
        """Whether the numbers as they are satisfy the check, whatever their spread."""
        return self._enough(self.claimed)

    @property
    def direction_holds(self) -> bool:
        """The same for the direction alone."""
        return self._enough(self.direction)

    def _enough(self, zone: Bounds) -> bool:
        return sum(zone.holds(c.found) for c in self.comparisons) >= count_needed(
            self.check, len(self.comparisons)
        )


def count_needed(check: Check, number: int) -> int:
    """In how many of the comparisons the check must hold."""
    return {"most": number // 2 + 1, "some": 1}.get(check.hold, number)


def evaluate_check(
    check: Check,
    observed: Observations,
    bindings: Assignment,
    shared: bool = False,
    load: LoadGate | None = None,
    only: frozenset[int] | None = None,
) -> Evaluation:
    """The check under one reading (`bindings`: what its placeholders stand for).

    `shared`: threads may share cores. `load` leaves out what is not at the published load; `only`
    are positions in `along`, all when None.
    """

    def cells(one: Assignment) -> Cell:
        cell = observed.cell(one, check.quantity, shared)
        why = load.explain(one) if load and not cell.lacking else ""
        return cell._replace(lacking=why) if why else cell

    comparisons, places = make_comparisons(check, cells, bindings | observed.own, only)
    claimed, direction = derive_bounds(check)
    undecidable = not comparisons or any(math.isnan(c.found.error) for c in comparisons)
    p = PValues() if undecidable else compute_p_values(check, comparisons, claimed, direction)
    return Evaluation(check, comparisons, places, claimed, direction, p)


def compute_p_values(
    check: Check, comparisons: list[Comparison], claimed: Bounds, direction: Bounds
) -> PValues:
    number = len(comparisons)
    least = count_needed(check, number)
    # The contrary of 'at least `least` hold' is 'so many do not that fewer than `least` are left'.
    contrary = number - least + 1

    def combine(test: Callable[[Estimate], float], needed: int) -> float:
        return combine_p_values([test(c.found) for c in comparisons], needed)

    return PValues(
        combine(claimed.p_inside, least),
        combine(direction.p_inside, least),
        combine(direction.p_outside, contrary),
        combine(claimed.p_outside, contrary),
    )
