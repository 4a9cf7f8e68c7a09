"""Verdicts: their words, and how intervals lead to one."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from handoff.analysis.intervals import Effort
from handoff.claims.check import Value
from handoff.claims.coverage import Coverage
from handoff.claims.evaluation import Decision, Evaluation, find_effort_needed
from handoff.claims.load import NOT_AT_LOAD
from handoff.claims.model import Claim
from handoff.claims.observations import Observations

ALPHA = 0.05
"""Promise: the chance of any wrong verdict in a table, for each of the two ways to be wrong."""

PLANNED = 0.04
"""Part of it that the planned judgings share; the rest serves the others."""

RULES = "2, 2026-11-25"
"""Version and date of the rules for intervals and verdicts, and of the claims' tests."""

REPRODUCED, CONTRADICTED, INCONCLUSIVE = "reproduced", "contradicted", "inconclusive"
DIRECTION = "direction reproduced"
UNDECIDED = "direction reproduced, size undecided"
SMALLER, LARGER = "direction reproduced, size smaller", "direction reproduced, size larger"
HOLDS, FAILS = "holds by construction", "fails by construction"
NOT_TESTABLE, NOT_MEASURED = "not testable here", "not measured"
EARLY = "not judged yet"
VERDICTS = (
    REPRODUCED,
    DIRECTION,
    SMALLER,
    LARGER,
    UNDECIDED,
    CONTRADICTED,
    INCONCLUSIVE,
    HOLDS,
    FAILS,
    EARLY,
    NOT_TESTABLE,
    NOT_AT_LOAD,
    NOT_MEASURED,
)
DIRECTIONS = (DIRECTION, SMALLER, LARGER, UNDECIDED)
FORCED = (HOLDS, FAILS)
JUDGED = (REPRODUCED, *DIRECTIONS, CONTRADICTED, INCONCLUSIVE)
"""Verdicts that rest on forks."""
FINAL = (REPRODUCED, DIRECTION, SMALLER, LARGER, CONTRADICTED)
"""Verdicts that stay, whatever is measured later."""


class Verdict(NamedTuple):
    """The verdict of a claim under one reading; `verdict` is '' until it is decided.

    `reading` contains `meaning`, that of the claim's own words. `decided_by` is the comparison that
    it depends on. `why` says what is missing where there is no comparison, or else which points
    were left out. `bindings` has the values of placeholders. `judging` names the judging that gave
    the verdict, `judged_on` its day; `later` is what all forks say since.
    """

    identity: str
    claim: Claim
    reading: str
    verdict: str
    why: str = ""
    meaning: str = ""
    bindings: Mapping[str, Value] = MappingProxyType({})
    evaluations: tuple[Evaluation, ...] = ()
    shown: tuple[Evaluation, ...] = ()
    decided_by: Decision | None = None
    effort: Effort = Effort(None, None)
    coverage: Coverage = Coverage()
    load: str = ""
    judging: str = ""
    judged_on: str = ""
    later: Decision | None = None

    @property
    def words(self) -> str:
        """The verdict with its coverage: 'reproduced at 1 of 11 points, in one session'."""
        if self.verdict not in JUDGED:
            return self.verdict
        sessions = self.count_sessions()
        return f"{self.verdict}{self.coverage.words}{', in one session' if sessions == 1 else ''}"

    def count_forks(self) -> int | None:
        """Return the smallest number of forks of a point behind the verdict."""
        forks = [c.estimate.forks for e in self.evaluations for c in e.comparisons]
        return min(forks, default=None)

    def count_sessions(self) -> int | None:
        """Return the smallest number of sessions behind the verdict."""
        sessions = [c.estimate.sessions for e in self.evaluations for c in e.comparisons]
        return min(sessions, default=None)


def list_points(verdict: Verdict, observed: Observations | None) -> list[str]:
    """Return the points behind the verdict, in the run's order."""
    evaluations = verdict.evaluations + verdict.shown
    used = {point for e in evaluations for c in e.comparisons for point in c.points}
    if observed is None or not used:
        return []
    return [point for point in dict.fromkeys(observed.rows["point"]) if point in used]


def decide_verdict(verdict: Verdict, alpha: float) -> Verdict:
    """Return the verdict by its intervals, with the comparison that it depends on.

    `alpha` is the error of one end of the row's interval. A claim for several points is refuted at
    one of them, so that each of them has a part of `alpha`.
    """
    evaluations = verdict.evaluations
    parts = alpha / sum(evaluation.needed for evaluation in evaluations)
    strongest = max(
        (e.find_strongest(parts) for e in evaluations),
        key=lambda d: d.evaluation.direction.gap(d.interval),
    )
    if strongest.evaluation.direction.gap(strongest.interval) > 0:
        return verdict._replace(verdict=CONTRADICTED, decided_by=strongest)
    sizes = [e.find_weakest(e.claimed, alpha) for e in evaluations]
    weakest = min(sizes, key=lambda d: d.evaluation.claimed.margin(d.interval))
    ways = [e.find_weakest(e.direction, alpha) for e in evaluations]
    way = min(ways, key=lambda d: d.evaluation.direction.margin(d.interval))
    unsized = [e for e in evaluations if e.claimed != e.direction and not e.sized]
    if not unsized and weakest.evaluation.claimed.margin(weakest.interval) >= 0:
        return verdict._replace(verdict=REPRODUCED, decided_by=weakest)
    if any(e.claimed != e.direction for e in evaluations) and (
        way.evaluation.direction.margin(way.interval) >= 0
    ):
        if unsized:
            return verdict._replace(verdict=DIRECTION, decided_by=way)
        beyond = max(sizes, key=lambda d: d.evaluation.claimed.gap(d.interval))
        size = (
            name_size(beyond) if beyond.evaluation.claimed.gap(beyond.interval) > 0 else UNDECIDED
        )
        return verdict._replace(verdict=size, decided_by=weakest if size == UNDECIDED else beyond)
    return verdict._replace(
        verdict=INCONCLUSIVE,
        decided_by=way if unsized else weakest,
        effort=find_effort_needed(evaluations, alpha),
    )


def name_size(decision: Decision) -> str:
    """Return whether the effect is larger or smaller than claimed."""
    evaluation = decision.evaluation
    beyond = decision.comparison.estimate.ratio > evaluation.claimed.high
    return LARGER if beyond == (evaluation.direction.low == 1) else SMALLER
