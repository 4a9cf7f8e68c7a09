"""Evaluation of one check on observations: one contrast for each place, and what it decides.

A check claims a range of ratios or levels. A comparison proves it by its interval alone.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from handoff.analysis.intervals import Estimate, Interval, Term, estimate, find_common
from handoff.claims.check import Assignment, Bounds, Check, Selection, Value, resolve_value
from handoff.claims.load import LoadGate
from handoff.claims.observations import ABSENT, Cell, Observations

NO_SESSION = "measured, but in no session together"
TOO_FEW = "fewer than three points for a trend"

Contrast = dict[str, Term]
"""The cells of one comparison with their weights, by point."""

Measured = tuple[Assignment, Contrast]
"""A place, or the spans of several, with what was compared there."""


class Comparison(NamedTuple):
    """One number to hold against a claim: where it was measured, and the cells behind it."""

    at: Assignment
    estimate: Estimate
    terms: Contrast

    @property
    def points(self) -> tuple[str, ...]:
        """The points whose forks were compared."""
        return tuple(self.terms)


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
    """Evaluate a check, whose placeholders have the values of `bindings`.

    With `shared`, threads may share cores. `load` leaves out points that are not at the published
    load. `only` are positions in `along`, or None for all.
    """

    def find_cell(params: Assignment) -> Cell:
        cell = observed.cell(params, check.quantity, shared)
        return cell if cell.unfit or not load else cell._replace(unfit=load.explain(params))

    bound = bindings | observed.bindings
    tried = list(expand_selection(check.along, bound))
    contrasts: dict[int, Contrast] = {}
    missing: dict[str, list[Assignment]] = {}
    for place, at in enumerate(tried):
        if only is None or place in only:
            contrast, reason = build_contrast(check, at, find_cell, bound)
            if reason:
                missing.setdefault(reason, []).append(at)
            else:
                contrasts[place] = contrast
    measured = [(tried[place], contrast) for place, contrast in contrasts.items()]
    merged = merge_places(check, measured, missing)
    judged = frozenset(contrasts if merged else ())
    comparisons = [Comparison(at, estimate(c.values()), c) for at, c in merged]
    unknown = load is not None and bool(load.published.unknown) and check.quantity == "time"
    return Evaluation(check, comparisons, tried, judged, missing, unknown and check.has_size)


def expand_selection(selection: Selection, bindings: Assignment) -> Iterator[Assignment]:
    """Yield each combination of the values, with placeholders resolved."""
    resolved = [[resolve_value(v, bindings) for v in values] for values in selection.values()]
    for values in itertools.product(*resolved):
        yield dict(zip(selection, values, strict=True))


def build_contrast(
    check: Check, at: Assignment, find_cell: Callable[[Assignment], Cell], bindings: Assignment
) -> tuple[Contrast, str]:
    """Return the contrast of one place, or the reason why there is none."""
    bound = bindings | {name: value for name, value in at.items() if name.isupper()}
    shared = {name: [value] for name, value in at.items() if not name.isupper()}
    parts = [(1.0, check.of), (-1.0, check.to)] if check.to is not None else [(1.0, check.of)]
    sides = [(1.0, check.change.end), (-1.0, check.change.start)] if check.change else [(1.0, {})]
    terms: list[tuple[float, Contrast]] = []
    reasons = []
    for (sign, side), (weight, part) in itertools.product(sides, parts):
        points = list(expand_selection(check.where | shared | side | part, bound))
        for params in points:
            cell = find_cell(params)
            if cell.unfit:
                reasons.append(cell.unfit)
                continue
            factor = math.log(float(params[check.times])) if check.times else 0.0
            term = cell.term._replace(logs=cell.term.logs + factor)
            terms.append((sign * weight / len(points), {cell.point: term}))
    if reasons:
        # What the run did not plan says more than what became of the other side.
        return {}, ABSENT if ABSENT in reasons else reasons[0]
    contrast = merge_contrasts(terms)
    return (contrast, "") if find_common(list(contrast.values())) else ({}, NO_SESSION)


def merge_contrasts(parts: Iterable[tuple[float, Contrast]]) -> Contrast:
    """Add up weighted contrasts; a cell that is in several counts once, with its total weight."""
    total: Contrast = {}
    for weight, contrast in parts:
        for point, term in contrast.items():
            before = total[point].weight if point in total else 0.0
            total[point] = term._replace(weight=before + weight * term.weight)
    return total


def merge_places(
    check: Check, measured: list[Measured], missing: dict[str, list[Assignment]]
) -> list[Measured]:
    """Return the contrasts to compare: one over all places for 'mean' and 'trend'.

    None where a method of `along` has no place, or a trend has too few, which `missing` then says.
    """
    places = [at for at, _ in measured]
    absent = [at for missed in missing.values() for at in missed]
    # A claim about 'both methods' cannot hold for one of them.
    names = [name for name in check.along if name.isupper()]
    if any({at[name] for at in absent} - {at[name] for at in places} for name in names):
        return []
    if check.hold not in ("mean", "trend") or not measured:
        return measured
    weights = weigh_places(check, places)
    if weights is None:
        missing[TOO_FEW] = places
        return []
    values = {name: [at[name] for at in places] for name in places[0]}
    at = {name: v[0] if len(set(v)) == 1 else format_span(v) for name, v in values.items()}
    contrasts = (contrast for _, contrast in measured)
    return [(at, merge_contrasts(zip(weights, contrasts, strict=True)))]


def weigh_places(check: Check, places: list[Assignment]) -> list[float] | None:
    """Return the weight of each place in a mean or a trend, or None where there is no trend.

    A trend is the change from the first to the last value along the line fitted to log value
    against log parameter.
    """
    if check.hold == "mean":
        return [1 / len(places)] * len(places)
    varying = [name for name in places[0] if len({at[name] for at in places}) > 1]
    if len(places) < 3 or len(varying) != 1:
        return None
    x = np.log([float(at[varying[0]]) for at in places])
    return list((x - x.mean()) / ((x - x.mean()) ** 2).sum() * (x[-1] - x[0]))


def format_span(values: Sequence[Value]) -> str:
    """Return '2–11' or '1–3, 5' for numbers; words as they are."""
    if any(isinstance(value, str) for value in values):
        return ", ".join(dict.fromkeys(str(value) for value in values))
    numbers = sorted({int(value) for value in values})
    runs = (
        [*run]
        for _, run in itertools.groupby(numbers, lambda number: number - numbers.index(number))
    )
    return ", ".join(f"{run[0]}–{run[-1]}" if run[1:] else str(run[0]) for run in runs)
