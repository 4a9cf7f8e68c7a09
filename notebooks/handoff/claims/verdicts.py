"""Verdicts: their words, and how p values lead to one."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from handoff.claims.comparisons import Comparison
from handoff.claims.coverage import Coverage
from handoff.claims.evaluation import Evaluation, PValues, count_needed, find_forks_needed
from handoff.claims.load import NOT_AT_LOAD
from handoff.claims.model import Claim, Value
from handoff.claims.observations import Observations

ALPHA = 0.05
REPRODUCED, CONTRADICTED, INCONCLUSIVE = "reproduced", "contradicted", "inconclusive"
DIRECTION = "direction reproduced, size undecided"
SMALLER, LARGER = "direction reproduced, size smaller", "direction reproduced, size larger"
NOT_TESTABLE, NOT_MEASURED = "not testable here", "not measured"
VERDICTS = (
    REPRODUCED,
    SMALLER,
    LARGER,
    DIRECTION,
    CONTRADICTED,
    INCONCLUSIVE,
    NOT_TESTABLE,
    NOT_AT_LOAD,
    NOT_MEASURED,
)
DIRECTIONS = (SMALLER, LARGER, DIRECTION)
JUDGED = (REPRODUCED, *DIRECTIONS, CONTRADICTED, INCONCLUSIVE)
"""Verdicts that rest on forks."""


class Verdict(NamedTuple):
    """The verdict of a claim under one reading; `verdict` is '' until it is decided.

    `deciding` is the comparison that it depends on, `decided_by` the evaluation of that. `why` says
    what is missing where there is no comparison, or else which points were left out. `bindings` has
    the values of placeholders. `p_claimed` and `p_against` are adjusted by Holm over all claims and
    readings of the study that could be tested.
    """

    identity: str
    claim: Claim
    reading: str
    verdict: str
    why: str = ""
    bindings: Mapping[str, Value] = MappingProxyType({})
    evaluations: tuple[Evaluation, ...] = ()
    shown: tuple[Evaluation, ...] = ()
    decided_by: Evaluation | None = None
    deciding: Comparison | None = None
    p_claimed: float = math.nan
    p_against: float = math.nan
    forks_needed: int | None = None
    coverage: Coverage = Coverage()
    load: str = ""

    @property
    def words(self) -> str:
        """The verdict with its coverage: 'reproduced at 1 of 11 points'."""
        return self.verdict + (self.coverage.words if self.verdict in JUDGED else "")

    def count_forks(self) -> int | None:
        """Return the smallest number of forks of a point behind the verdict."""
        forks = [c.estimate.forks for e in self.evaluations for c in e.comparisons]
        return min(forks, default=None)


def list_points(verdict: Verdict, observed: Observations | None) -> list[str]:
    """Return the points behind the verdict, in the run's order."""
    evaluations = verdict.evaluations + verdict.shown
    used = {point for e in evaluations for c in e.comparisons for point in c.points}
    if observed is None or not used:
        return []
    return [point for point in dict.fromkeys(observed.rows["point"]) if point in used]


def combine_checks(kind: str, evaluations: Sequence[Evaluation]) -> float:
    """Combine the p values of several checks of which one is enough, by Bonferroni."""
    return min(1.0, len(evaluations) * min(getattr(e.p, kind) for e in evaluations))


def decide_verdict(verdict: Verdict, p: PValues, alpha: float, level: float = ALPHA) -> Verdict:
    """Return the verdict from adjusted p values, with the comparison that it depends on.

    That is the weakest comparison for it, or the strongest against it. `level` is the error of all
    claims together, `alpha` that of one of them.
    """
    judged = verdict._replace(p_claimed=p.claimed, p_against=p.against)
    if p.against < level:
        e, c = find_strongest(verdict.evaluations, lambda e, c: e.direction.p_outside(c.estimate))
        return judged._replace(verdict=CONTRADICTED, decided_by=e, deciding=c)
    e, c = find_weakest(verdict.evaluations)
    judged = judged._replace(decided_by=e, deciding=c)
    if p.claimed < level:
        return judged._replace(verdict=REPRODUCED)
    # Sameness and levels have no direction other than what is claimed.
    sized = [e for e in verdict.evaluations if e.direction != e.claimed]
    if p.direction < level and sized:
        if p.size >= level:
            return judged._replace(verdict=DIRECTION)
        e, c = find_strongest(sized, lambda e, c: e.claimed.p_outside(c.estimate))
        return judged._replace(verdict=name_size(e, c), decided_by=e, deciding=c)
    return judged._replace(
        verdict=INCONCLUSIVE, forks_needed=find_forks_needed(verdict.evaluations, alpha)
    )


def find_weakest(evaluations: Sequence[Evaluation]) -> tuple[Evaluation, Comparison]:
    """Return the comparison that is hardest to prove of those needed, and its evaluation."""
    weakest = max(evaluations, key=lambda e: e.p.claimed)
    ranked = sorted(weakest.comparisons, key=lambda c: weakest.claimed.p_inside(c.estimate))
    return weakest, ranked[count_needed(weakest.check, len(ranked)) - 1]


def find_strongest(
    evaluations: Iterable[Evaluation], p_value: Callable[[Evaluation, Comparison], float]
) -> tuple[Evaluation, Comparison]:
    """Return the comparison with the smallest p value, and its evaluation."""
    return min(
        ((e, c) for e in evaluations for c in e.comparisons), key=lambda pair: p_value(*pair)
    )


def name_size(evaluation: Evaluation, comparison: Comparison) -> str:
    """Return whether the effect is larger or smaller than claimed."""
    beyond = comparison.estimate.ratio > evaluation.claimed.high
    return LARGER if beyond == (evaluation.direction.low == 1) else SMALLER
