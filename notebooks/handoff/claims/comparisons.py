"""Comparisons that a check makes: contrasts of observations, one for each place."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from handoff.analysis.intervals import Estimate, Term, estimate, find_common
from handoff.claims.check import Assignment, Check, Selection, resolve_value
from handoff.claims.observations import ABSENT, Cell
from handoff.claims.wording import format_span

Cells = Callable[[Assignment], Cell]

Compared = tuple[list["Comparison"], list[Assignment], frozenset[int], dict[str, list[Assignment]]]
"""Comparisons, places tried, positions of those compared, and the others by reason."""

Contrast = dict[str, Term]
"""The cells of one comparison with their weights, by point."""

NO_SESSION = "measured, but in no session together"
TOO_FEW = "fewer than three points for a trend"


class Comparison(NamedTuple):
    """One number to hold against a claim: where it was measured, and the points behind it."""

    at: Assignment
    estimate: Estimate
    points: tuple[str, ...]


def make_comparisons(
    check: Check, cells: Cells, bindings: Assignment, only: frozenset[int] | None = None
) -> Compared:
    """Make one comparison per place, or one over all ('mean', 'trend'); `only` has positions."""
    tried = list(expand_selection(check.along, bindings))
    contrasts: dict[int, Contrast] = {}
    missing: dict[str, list[Assignment]] = {}
    for place, at in enumerate(tried):
        if only is None or place in only:
            contrast, reason = build_contrast(check, at, cells, bindings)
            if reason:
                missing.setdefault(reason, []).append(at)
            else:
                contrasts[place] = contrast
    measured = [(tried[place], contrast) for place, contrast in contrasts.items()]
    absent = [at for places in missing.values() for at in places]
    # A claim about 'both methods' cannot hold for one of them.
    names = [name for name in check.along if name.isupper()]
    if any({at[name] for at in absent} - {at[name] for at, _ in measured} for name in names):
        return [], tried, frozenset(), missing
    if check.hold in ("mean", "trend") and measured:
        weights = weigh_places(check, [at for at, _ in measured])
        if weights is None:
            return [], tried, frozenset(), missing | {TOO_FEW: [at for at, _ in measured]}
        measured = [merge_places(measured, weights)]
    comparisons = [
        Comparison(at, estimate(contrast.values()), tuple(contrast)) for at, contrast in measured
    ]
    return comparisons, tried, frozenset(contrasts), missing


def expand_selection(selection: Selection, bindings: Assignment) -> Iterator[Assignment]:
    """Yield each combination of the values, with placeholders resolved."""
    resolved = [[resolve_value(v, bindings) for v in values] for values in selection.values()]
    for values in itertools.product(*resolved):
        yield dict(zip(selection, values, strict=True))


def build_contrast(
    check: Check, at: Assignment, cells: Cells, bindings: Assignment
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
            cell = cells(params)
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


def merge_places(
    measured: list[tuple[Assignment, Contrast]], weights: list[float]
) -> tuple[Assignment, Contrast]:
    """Return one contrast over all places, at spans of their values such as '2–11'."""
    values = {name: [at[name] for at, _ in measured] for name in measured[0][0]}
    at = {name: v[0] if len(set(v)) == 1 else format_span(v) for name, v in values.items()}
    contrasts = (contrast for _, contrast in measured)
    return at, merge_contrasts(zip(weights, contrasts, strict=True))
