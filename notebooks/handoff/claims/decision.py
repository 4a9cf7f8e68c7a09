"""From p values to a verdict, and to the comparison that it hangs on."""

from collections.abc import Callable, Iterable, Sequence

from handoff.claims.comparisons import Comparison
from handoff.claims.evaluation import Evaluation, PValues, count_needed
from handoff.claims.power import find_forks_needed
from handoff.claims.verdicts import (
    ALPHA,
    CONTRADICTED,
    DIRECTION,
    INCONCLUSIVE,
    LARGER,
    REPRODUCED,
    SMALLER,
    Verdict,
)


def combine_checks(kind: str, weighed: Sequence[Evaluation]) -> float:
    """Of several checks one against the claim is enough: Bonferroni's."""
    return min(1.0, len(weighed) * min(getattr(w.p, kind) for w in weighed))


def decide_verdict(verdict: Verdict, p: PValues, alpha: float, level: float = ALPHA) -> Verdict:
    """The verdict from adjusted p values, and the comparison that it hangs on: the weakest for it,
    the strongest against it. `level` is what all claims together may err by, `alpha` one of them.
    """
    judged = verdict._replace(p_claimed=p.claimed, p_against=p.against)
    if p.against < level:
        w, c = find_strongest(verdict.weighed, lambda w, c: w.direction.p_outside(c.found))
        return judged._replace(verdict=CONTRADICTED, decided_by=w, deciding=c)
    w = max(verdict.weighed, key=lambda weighed: weighed.p.claimed)
    c = sorted(w.comparisons, key=lambda each: w.claimed.p_inside(each.found))[
        count_needed(w.check, len(w.comparisons)) - 1
    ]
    judged = judged._replace(decided_by=w, deciding=c)
    if p.claimed < level:
        return judged._replace(verdict=REPRODUCED)
    # Sameness and levels have no direction beside what is claimed.
    sized = [weighed for weighed in verdict.weighed if weighed.direction != weighed.claimed]
    if p.direction < level and sized:
        if p.size >= level:
            return judged._replace(verdict=DIRECTION)
        w, c = find_strongest(sized, lambda w, c: w.claimed.p_outside(c.found))
        return judged._replace(verdict=name_size(w, c), decided_by=w, deciding=c)
    return judged._replace(
        verdict=INCONCLUSIVE, forks_needed=find_forks_needed(verdict.weighed, alpha)
    )


def find_strongest(
    weighed: Iterable[Evaluation], p_value: Callable[[Evaluation, Comparison], float]
) -> tuple[Evaluation, Comparison]:
    """The comparison with the smallest p value, and its check."""
    return min(((w, c) for w in weighed for c in w.comparisons), key=lambda pair: p_value(*pair))


def name_size(weighed: Evaluation, comparison: Comparison) -> str:
    """Of a size that is not the claimed one: whether the effect is larger or smaller."""
    beyond = comparison.found.ratio > weighed.claimed.high
    return LARGER if beyond == (weighed.direction.low == 1) else SMALLER
