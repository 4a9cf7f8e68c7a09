"""Verdicts: their words, and how intervals lead to one."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from handoff.analysis.answer import describe_effort
from handoff.analysis.intervals import Effort, Estimate, Interval, find_effort
from handoff.claims.check import Value
from handoff.claims.evaluation import Comparison, Decision, Evaluation
from handoff.claims.load import NOT_AT_LOAD
from handoff.claims.model import Claim
from handoff.claims.observations import Observations

RULES = "4, 2026-11-29"
"""Version and date of the rules for intervals and verdicts, and of the claims' tests."""

REPRODUCED, CONTRADICTED, INCONCLUSIVE = "reproduced", "contradicted", "inconclusive"
DIRECTION = "direction reproduced"
UNDECIDED = "direction reproduced, size undecided"
SMALLER, LARGER = "direction reproduced, size smaller", "direction reproduced, size larger"
HOLDS, FAILS = "holds by construction", "fails by construction"
NOT_TESTABLE, NOT_MEASURED = "not testable here", "not measured"
EARLY = "not judged yet"
DIRECTIONS = (DIRECTION, SMALLER, LARGER, UNDECIDED)
FORCED = (HOLDS, FAILS)
JUDGED = (REPRODUCED, *DIRECTIONS, CONTRADICTED, INCONCLUSIVE)
"""Verdicts that rest on forks."""
DECIDED = (*JUDGED, *FORCED)
VERDICTS = (*JUDGED, *FORCED, EARLY, NOT_TESTABLE, NOT_AT_LOAD, NOT_MEASURED)


class Coverage(NamedTuple):
    """Judged points of a claim, of all; and its loads, 0 of 0 for a claim about a single one."""

    points: int = 0
    of: int = 0
    loads: int = 0
    of_loads: int = 0

    @property
    def words(self) -> str:
        """' at 1 of 11 points, 1 of 3 loads', or '' if all were judged."""
        parts = [f"{self.points} of {self.of} points"] if self.points < self.of else []
        parts += [f"{self.loads} of {self.of_loads} loads"] if self.loads < self.of_loads else []
        return f" at {', '.join(parts)}" if parts else ""


class Verdict(NamedTuple):
    """The verdict of a claim in one setting; `verdict` is '' until it is decided.

    `options` are those choices that make a difference to the claim. `decided_by` is the comparison
    that it depends on. `why` says what is missing where there is no comparison, or else which
    points were left out. `bindings` has the values of placeholders. `needed` is what would decide
    an inconclusive claim. `alternatives` are the verdicts with other choices.
    """

    identity: str
    claim: Claim
    options: tuple[str, ...]
    verdict: str
    why: str = ""
    setting: str = ""
    bindings: Mapping[str, Value] = MappingProxyType({})
    evaluations: tuple[Evaluation, ...] = ()
    shown: tuple[Evaluation, ...] = ()
    decided_by: Decision | None = None
    needed: str = ""
    coverage: Coverage = Coverage()
    load: str = ""
    alternatives: "tuple[Alternative, ...]" = ()

    @property
    def words(self) -> str:
        """The verdict with its coverage: 'reproduced at 1 of 11 points, in one session'."""
        if self.verdict in FORCED:
            return f"{self.verdict}{self.coverage.words}"
        if self.verdict not in JUDGED:
            return self.verdict
        one = min(comparison.estimate.sessions for comparison in self.comparisons) == 1
        return f"{self.verdict}{self.coverage.words}{', in one session' if one else ''}"

    @property
    def comparisons(self) -> list[Comparison]:
        """The comparisons behind the verdict."""
        return [comparison for e in self.evaluations for comparison in e.comparisons]

    def list_points(self) -> set[str]:
        """Return the points that were compared."""
        return {point for comparison in self.comparisons for point in comparison.points}


class Alternative(NamedTuple):
    """The verdict with one other choice.

    `change` is the number that decides with the choice over the same number without it; None where
    the code decides, or where the choice does not concern that number.
    """

    choice: str
    verdict: Verdict
    change: Estimate | None

    @property
    def interval(self) -> Interval | None:
        """The interval of `change`, at the confidence of the verdict."""
        decided = self.verdict.decided_by
        return self.change.interval(decided.confidence) if self.change and decided else None

    def changes(self, verdict: str) -> bool:
        """Return whether the choice surely leads to another verdict than this one."""
        if self.verdict.verdict not in DECIDED or self.verdict.verdict == verdict:
            return False
        if self.verdict.verdict in FORCED:
            return True
        return self.interval is not None and not self.interval[0] <= 1 <= self.interval[1]


def list_points(verdict: Verdict, observed: Observations) -> list[str]:
    """Return the points behind the verdict and what is shown with it, in the run's order."""
    evaluations = verdict.evaluations + verdict.shown
    used = {point for e in evaluations for c in e.comparisons for point in c.points}
    return [point for point in observed.rows["point"].unique() if point in used] if used else []


def decide_verdict(verdict: Verdict, alpha: float) -> Verdict:
    """Return the verdict by its intervals, with the comparison that it depends on.

    `alpha` is the error of one end of the claim's interval. A claim for several points is refuted
    at one of them, so that each of them has a part of `alpha`.
    """
    evaluations = verdict.evaluations
    parts = alpha / sum(evaluation.needed for evaluation in evaluations)
    strongest = max((e.find_strongest(parts) for e in evaluations), key=lambda d: d.gap)
    if strongest.gap > 0:
        return verdict._replace(verdict=CONTRADICTED, decided_by=strongest)
    sizes = [e.find_weakest(e.check.claimed, alpha) for e in evaluations]
    ways = [e.find_weakest(e.check.direction, alpha) for e in evaluations]
    size, way = (min(decisions, key=lambda d: d.margin) for decisions in (sizes, ways))
    unsized = any(e.unsized for e in evaluations)
    if size.margin >= 0 and not unsized:
        return verdict._replace(verdict=REPRODUCED, decided_by=size)
    if way.margin >= 0 and any(e.check.has_size for e in evaluations):
        if unsized:
            return verdict._replace(verdict=DIRECTION, decided_by=way)
        beyond = max(sizes, key=lambda d: d.gap)
        if beyond.gap > 0:
            return verdict._replace(verdict=name_size(beyond), decided_by=beyond)
        return verdict._replace(verdict=UNDECIDED, decided_by=size)
    decision = way if unsized else size
    needed = describe_effort(find_effort_needed(evaluations, alpha), decision.comparison.estimate)
    return verdict._replace(verdict=INCONCLUSIVE, decided_by=decision, needed=needed)


def name_size(decision: Decision) -> str:
    """Return whether the effect is larger or smaller than claimed."""
    beyond = decision.comparison.estimate.ratio > decision.zone.high
    return LARGER if beyond == (decision.check.direction.low == 1) else SMALLER


def count_coverage(evaluations: Sequence[Evaluation], load: str) -> Coverage:
    """Count the places where every check that includes them was judged.

    `load` is the parameter that makes events cost more, or ''.
    """
    judged: dict[tuple, bool] = {}
    for evaluation in evaluations:
        for place, at in enumerate(evaluation.tried):
            key = tuple(sorted(at.items()))
            judged[key] = judged.get(key, True) and place in evaluation.judged
    # Placeholders of `along` may stand for the load.
    bound = {v for e in evaluations for v in e.check.where.get(load, ()) if v in e.check.along}
    names = {load, *bound}
    loads: dict[Value, bool] = {}
    for key, here in judged.items():
        for value in (value for name, value in key if name in names):
            loads[value] = loads.get(value, False) or here
    if len(loads) < 2:
        return Coverage(sum(judged.values()), len(judged))
    return Coverage(sum(judged.values()), len(judged), sum(loads.values()), len(loads))


def find_effort_needed(evaluations: Sequence[Evaluation], alpha: float) -> Effort:
    """Return what would decide an inconclusive claim, if values and spread stay as they are.

    It takes every comparison clearly into or out of the claimed range, or of its direction,
    whichever takes less. Each end errs by `alpha`.
    """
    ways = []
    for zones in ([e.check.claimed for e in evaluations], [e.check.direction for e in evaluations]):
        efforts = [
            find_effort(c.estimate, end, 1 - 2 * alpha / max(e.needed, e.contrary))
            for e, zone in zip(evaluations, zones, strict=True)
            for c in e.comparisons
            for end in zone
            if 0 < end < math.inf
        ]
        ways.append(map(max, zip(*efforts, strict=True)))
    return Effort(*map(min, zip(*ways, strict=True)))
