"""How many forks would decide an inconclusive claim, if ratio and spread stay as seen."""

import math
from collections.abc import Callable, Iterable

from handoff.analysis.contrast import find_forks_to_decide
from handoff.claims.bounds import Bounds
from handoff.claims.evaluation import Evaluation, count_needed


def find_forks_needed(weighed: Iterable[Evaluation], alpha: float) -> int | None:
    """Forks a point with which the claim, its direction alone, or its contrary would be proven: the
    least of these. None: too many.

    `alpha` is what one claim of the study may err by.
    """
    checks = list(weighed)
    ways = [
        max(find_forks_inside(check, lambda w: w.claimed, alpha) for check in checks),
        max(find_forks_inside(check, lambda w: w.direction, alpha) for check in checks),
        min(find_forks_outside(check, alpha / len(checks)) for check in checks),
    ]
    least = min(ways)
    return None if math.isinf(least) else int(least)


def find_forks_inside(
    weighed: Evaluation, zone_of: Callable[[Evaluation], Bounds], alpha: float
) -> float:
    """Forks with which the check holds in as many comparisons as it must; inf where their numbers
    lie elsewhere.
    """
    zone = zone_of(weighed)
    forks = []
    for comparison in weighed.comparisons:
        ends = [end for end in zone if 0 < end < math.inf]
        parts = [find_forks_to_decide(comparison.found, end, alpha) or math.inf for end in ends]
        forks.append(max(parts) if zone.holds(comparison.found) else math.inf)
    return sorted(forks)[count_needed(weighed.check, len(forks)) - 1]


def find_forks_outside(weighed: Evaluation, alpha: float) -> float:
    """Forks with which so many comparisons lie outside of the direction that the
    check cannot hold.
    """
    zone, number = weighed.direction, len(weighed.comparisons)
    least = count_needed(weighed.check, number)
    forks = []
    for comparison in weighed.comparisons:
        end = zone.low if comparison.found.ratio < zone.low else zone.high
        beyond = not zone.holds(comparison.found)
        forks.append(
            find_forks_to_decide(comparison.found, end, alpha / least) or math.inf
            if beyond
            else math.inf
        )
    return sorted(forks)[number - least]
