"""What a check claims, as a range of ratios or levels, and the p values for lying inside and
outside of it.
"""

import math
from typing import NamedTuple

from handoff.analysis.contrast import Estimate
from handoff.claims.model import Check


class Bounds(NamedTuple):
    """Ratios (or levels) from `low` to `high`; 0 and inf where there is no bound."""

    low: float
    high: float

    def holds(self, found: Estimate) -> bool:
        return self.low <= found.ratio * (1 + 1e-9) and found.ratio * (1 - 1e-9) <= self.high

    def beyond(self, found: Estimate) -> float:
        """How far outside it lies, in logarithms; inside it is negative: the greatest of several is
        the weakest.
        """
        low = math.log(self.low) - found.log if self.low > 0 else -math.inf
        return max(low, found.log - math.log(self.high) if self.high < math.inf else -math.inf)

    def p_inside(self, found: Estimate) -> float:
        """P value for 'the truth lies inside'."""
        return max(
            found.p_above(self.low) if self.low > 0 else 0.0,
            found.p_below(self.high) if self.high < math.inf else 0.0,
        )

    def p_outside(self, found: Estimate) -> float:
        """P value for 'the truth lies outside', on either side where there are two."""
        sides = [found.p_below(self.low)] if self.low > 0 else []
        sides += [found.p_above(self.high)] if self.high < math.inf else []
        return min(1.0, len(sides) * min(sides))


def derive_bounds(check: Check) -> tuple[Bounds, Bounds]:
    """What the check claims, and the same without its size: for a ratio all of the claimed side of
    1, unless it claims both sides.
    """
    claimed = Bounds(check.above or 0.0, check.below or math.inf)
    if check.to is None and check.hold != "trend":
        return claimed, claimed
    if claimed.low >= 1:
        return claimed, Bounds(1.0, math.inf)
    if claimed.high <= 1:
        return claimed, Bounds(0.0, 1.0)
    return claimed, claimed
