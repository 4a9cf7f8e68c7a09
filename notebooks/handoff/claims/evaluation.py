"""Evaluation of one check on observations: its comparisons, and what it takes to decide it.

A check claims a range of ratios or levels. A comparison proves it by its interval alone.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from handoff.analysis.intervals import UNREASONABLE, Effort, Estimate, Interval, find_effort
from handoff.claims.check import Assignment, Bounds, Check, Value
from handoff.claims.comparisons import Comparison, make_comparisons
from handoff.claims.load import LoadGate
from handoff.claims.observations import Cell, Observations
from handoff.text import pluralize


class Decision(NamedTuple):
    """A comparison that decides whether a check lies in a zone, with its deciding interval."""

    check: Check
    comparison: Comparison
    zone: Bounds
    interval: Interval
    confidence: float

    @property
    def margin(self) -> float:
        """How far inside the zone the interval lies, in logarithms; negative if it reaches out."""
        return self.zone.margin(self.interval)

    @property
    def gap(self) -> float:
        """How far outside the zone the whole interval lies, in logarithms; negative otherwise."""
        return self.zone.gap(self.interval)


class Evaluation(NamedTuple):
    """A check with its comparisons, and the places where it was tried.

    `tried` has one place for each combination of `along`, `judged` the positions of those that were
    compared, `missing` the others by reason. `unsized` says that the size it claims cannot be
    judged: that of a time where the source's load is unknown.
    """

    check: Check
    comparisons: list[Comparison]
    tried: list[Assignment]
    judged: frozenset[int]
    missing: dict[str, list[Assignment]]
    unsized: bool = False

    @property
    def needed(self) -> int:
        """The number of comparisons in which the check must hold."""
        number = len(self.comparisons)
        return {"most": number // 2 + 1, "some": 1}.get(self.check.hold, number)

    @property
    def contrary(self) -> int:
        """The number of comparisons in which it must fail to be refuted."""
        return len(self.comparisons) - self.needed + 1

    @property
    def is_testable(self) -> bool:
        """Whether each comparison has an interval."""
        return bool(self.comparisons) and all(c.estimate.interval() for c in self.comparisons)

    def satisfies(self, zone: Bounds) -> bool:
        """Return whether enough numbers lie in a zone, whatever their spread."""
        return sum(zone.holds(c.estimate) for c in self.comparisons) >= self.needed

    def find_weakest(self, zone: Bounds, alpha: float) -> Decision:
        """Return the comparison on which it depends whether the check lies in a zone.

        That is the one with the least margin among those needed. Where not all are needed, each
        interval is wider: any of them may serve (Bonferroni).
        """
        decisions = self.decide_all(zone, alpha / self.contrary)
        return sorted(decisions, key=lambda d: d.margin, reverse=True)[self.needed - 1]

    def find_strongest(self, alpha: float) -> Decision:
        """Return the comparison that decides whether the check is refuted; each errs by `alpha`."""
        decisions = self.decide_all(self.check.direction, alpha)
        return sorted(decisions, key=lambda d: d.gap, reverse=True)[self.contrary - 1]

    def decide_all(self, zone: Bounds, alpha: float) -> list[Decision]:
        """Return the comparisons with their intervals, of which each end errs by `alpha`."""
        confidence = 1 - 2 * alpha
        return [
            Decision(self.check, c, zone, interval, confidence)
            for c in self.comparisons
            if (interval := c.estimate.interval(confidence))
        ]


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
        return cell if cell.unfit or not load else cell._replace(unfit=load.explain(params))

    compared = make_comparisons(check, cells, bindings | observed.bindings, only)
    unknown = load is not None and bool(load.published.unknown) and check.quantity == "time"
    return Evaluation(check, *compared, unsized=unknown and check.has_size)


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


def describe_effort(effort: Effort, made: Estimate) -> str:
    """Return 'about 66 forks per point' or 'about 8 sessions', whichever takes fewer forks."""
    if effort == UNREASONABLE:
        return f"no reasonable number of {'forks' if made.sessions == 1 else 'forks or sessions'}"
    if effort.forks <= effort.sessions * made.forks / made.sessions:
        return f"about {pluralize(int(effort.forks), 'fork')} per point"
    return f"about {pluralize(int(effort.sessions), 'session')}"
