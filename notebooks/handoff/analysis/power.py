"""Statistical power: how many forks would decide."""

import math

from scipy import optimize
from scipy.special import stdtrit

from handoff.analysis.contrast import Estimate

MAX_FORKS = 1000
"""Where more would be needed to decide, we say so and give no number."""


def find_forks_to_decide(found: Estimate, bound: float, alpha: float) -> int | None:
    """Forks a point with which the one-sided bound would clear `bound`, if ratio and spread stay as
    seen. None beyond MOST_FORKS.
    """
    distance = abs(found.log - math.log(bound))
    if not found.error or not distance:
        return found.forks if distance else None

    def clear(forks: float) -> float:
        more = forks / found.forks
        return distance + stdtrit(max(1.0, found.freedom * more), alpha) * found.error / math.sqrt(
            more
        )

    if clear(MAX_FORKS) < 0:
        return None
    return (
        found.forks
        if clear(found.forks) > 0
        else math.ceil(optimize.brentq(clear, found.forks, MAX_FORKS))
    )
