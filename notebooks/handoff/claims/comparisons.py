"""The comparisons that a check asks for: contrasts of what was observed, one for each place."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from handoff.analysis.contrast import Estimate, Term
from handoff.analysis.sessions import estimate_over_sessions, find_common
from handoff.claims.assignments import Assignment, Selection, resolve_value
from handoff.claims.locations import format_span
from handoff.claims.model import Check
from handoff.claims.observations import Cell

Cells = Callable[[Assignment], Cell]


class Comparison(NamedTuple):
    """One number against the claim: where (`at`), the estimate, the points behind it."""

    at: Assignment
    found: Estimate
    points: tuple[str, ...]


class Places(NamedTuple):
    """Where a check was asked, one for each combination of `along`: those that were compared, by
    their position, and why the others were not.
    """

    asked: list[Assignment]
    judged: frozenset[int]
    lacking: dict[str, list[Assignment]]


def make_comparisons(
    check: Check, cells: Cells, bindings: Assignment, only: frozenset[int] | None = None
) -> tuple[list[Comparison], Places]:
    """A comparison for each combination of `along`, or a single one over all of them ('mean',
    'trend').
    """
    asked = list(expand_selection(check.along, bindings))
    there: list[tuple[Assignment, dict[str, Term]]] = []
    lacking: dict[str, list[Assignment]] = {}
    judged: set[int] = set()
    for place, at in enumerate(asked):
        if only is not None and place not in only:
            continue
        terms, reason = build_contrast(check, at, cells, bindings)
        if reason:
            lacking.setdefault(reason, []).append(at)
        else:
            there.append((at, terms))
            judged.add(place)
    if any(is_absent(name, there, lacking) for name in check.along if name.isupper()):
        return [], Places(asked, frozenset(), lacking)
    places = Places(asked, frozenset(judged), lacking)
    if check.hold in ("mean", "trend") and there:
        weights = (
            compute_slope_weights(there) if check.hold == "trend" else [1 / len(there)] * len(there)
        )
        if weights is None:
            short = {"fewer than three points for a trend": [at for at, _ in there]}
            return [], Places(asked, frozenset(), lacking | short)
        whole = {name: [at[name] for at, _ in there] for name in there[0][0]}
        merged = merge_terms(
            (weight, terms) for weight, (_, terms) in zip(weights, there, strict=True)
        )
        there = [
            (
                {
                    name: values[0] if len(set(values)) == 1 else format_span(values)
                    for name, values in whole.items()
                },
                merged,
            )
        ]
    return [
        Comparison(at, estimate_over_sessions(list(terms.values())), tuple(terms))
        for at, terms in there
    ], places


def is_absent(
    name: str, there: list[tuple[Assignment, dict]], lacking: dict[str, list[Assignment]]
) -> bool:
    """Whether some value of a placeholder has no comparison at all: 'both methods' cannot hold of
    one.
    """
    return not {at[name] for places in lacking.values() for at in places} <= {
        at[name] for at, _ in there
    }


def expand_selection(along: Selection, bindings: Assignment) -> Iterator[Assignment]:
    for values in itertools.product(*along.values()):
        yield {
            name: resolve_value(value, bindings) for name, value in zip(along, values, strict=True)
        }


def build_contrast(
    check: Check, at: Assignment, cells: Cells, bindings: Assignment
) -> tuple[dict[str, Term], str]:
    """The cells of one comparison with their weights, by point; or why it cannot be made."""
    bound = bindings | {name: value for name, value in at.items() if name.isupper()}
    shared = {name: [value] for name, value in at.items() if not name.isupper()}
    parts = [(1.0, check.of), (-1.0, check.to)] if check.to is not None else [(1.0, check.of)]
    sides = [(1.0, check.change.end), (-1.0, check.change.start)] if check.change else [(1.0, {})]
    found: list[tuple[float, dict[str, Term]]] = []
    for (sign, side), (weight, part) in itertools.product(sides, parts):
        chosen = check.where | shared | side | part
        several = list(expand_selection(chosen, bound))
        for one in several:
            forks = cells(one)
            if forks.lacking:
                return {}, forks.lacking
            factor = math.log(float(one[check.times])) if check.times else 0.0
            found.append(
                (
                    sign * weight / len(several),
                    {forks.point: make_term(forks, factor)},
                )
            )
    terms = merge_terms(found)
    return (terms, "") if find_common(list(terms.values())) else ({}, NO_SESSION)


NO_SESSION = "measured, but in no session together"


def make_term(cell: Cell, factor: float) -> Term:
    return Term(1.0, np.log(cell.values) + factor, cell.least, cell.sessions, cell.between)


def merge_terms(parts: Iterable[tuple[float, dict[str, Term]]]) -> dict[str, Term]:
    """Adds up weighted cells; a cell that occurs in several, as the one sequential point does,
    counts once with its total weight.
    """
    total: dict[str, Term] = {}
    for weight, terms in parts:
        for point, term in terms.items():
            before = total[point].weight if point in total else 0.0
            total[point] = term._replace(weight=before + weight * term.weight)
    return total


def compute_slope_weights(there: list[tuple[Assignment, dict]]) -> list[float] | None:
    """Weights that give the change from the first to the last value along the line fitted to log
    value against log parameter.
    """
    varying = [name for name in there[0][0] if len({at[name] for at, _ in there}) > 1]
    if len(there) < 3 or len(varying) != 1:
        return None
    x = np.log([float(at[varying[0]]) for at, _ in there])
    return list((x - x.mean()) / ((x - x.mean()) ** 2).sum() * (x[-1] - x[0]))
