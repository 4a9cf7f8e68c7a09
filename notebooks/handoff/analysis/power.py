"""Statistical power: how many forks would decide."""

import math
from bisect import bisect_left

from scipy.special import stdtrit

from handoff.analysis.contrast import Estimate

MAX_FORKS = 1000
"""Where more would be needed to decide, we say so and give no number."""


def find_forks_to_decide(found: Estimate, bound: float, alpha: float) -> int | None:
    """Forks a point with which the one-sided bound would clear `bound`, if ratio and spread stay as
    seen. None beyond MAX_FORKS.
    """
    distance = abs(found.log - math.log(bound))
    if not found.error or not distance:
        return found.forks if distance else None

    def decides(forks: int) -> bool:
        more = forks / found.forks
        quantile = stdtrit(max(1.0, found.freedom * more), alpha)
        return bool(distance + quantile * found.error / math.sqrt(more) >= 0)

    several = range(found.forks, MAX_FORKS + 1)
    place = bisect_left(several, True, key=decides)
    return several[place] if place < len(several) else None
