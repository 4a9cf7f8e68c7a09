"""Pairs of points that differ in one parameter alone, among planned points or measured ones."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from handoff.catalog import load_catalog
from handoff.run.plan.points import Point

MECHANISM, EVENTS, ARM = "mechanism", "events", "arm"

Values = Mapping[str, object]
"""The values of a point's parameters that make a difference to its mechanism, and its arm."""


class Pair(NamedTuple):
    """Two points, by key: `before` has the base of the parameter, `after` has `value`."""

    parameter: str
    base: object
    value: object
    before: str
    after: str


def list_values(point: Point) -> Values:
    """Return a planned point's values, as `find_pairs` reads them."""
    names = [MECHANISM, EVENTS, *load_catalog()[point.study].mechanisms[point.params[MECHANISM]]]
    return {name: point.params[name] for name in names} | {ARM: point.arm}


def find_bases(points: Mapping[str, Values]) -> dict[str, object]:
    """Return the value of each parameter that changes are counted from, its base.

    It is that of the first point, in the order of the plan, that has the parameter. What an
    extension adds comes last in the plan, so that the base stays what it was.
    """
    bases: dict[str, object] = {}
    for values in points.values():
        bases = {**values, **bases}
    return bases


def drop_events(points: Mapping[str, Values]) -> Mapping[str, Values]:
    """Return the points without their events, which scale a shot, unless some differ only there."""
    others = {
        key: {name: value for name, value in values.items() if name != EVENTS}
        for key, values in points.items()
    }
    apart = {frozenset(values.items()) for values in others.values()}
    return others if len(apart) == len(points) else points


def find_pairs(points: Mapping[str, Values], rivals: bool = False) -> list[Pair]:
    """Return the pairs of points of a study that differ in one parameter alone, from its base.

    `points` has the values of each point by its key, in the order of the plan. A parameter that one
    of two mechanisms does not have makes no difference. With `rivals`, a mechanism is paired with
    every other one, as claims compare them, and not only with the base.
    """
    bases = find_bases(points)
    groups: dict[object, dict[str, Values]] = {}
    for key, values in drop_events(points).items():
        groups.setdefault(values[MECHANISM], {})[key] = values
    pairs: list[Pair] = []
    for group in groups.values():
        for name in next(iter(group.values())):
            if name != MECHANISM:
                pairs += pair_groups(group, group, name, bases[name])
                continue
            for other in groups if rivals else [bases[MECHANISM]]:
                pairs += pair_groups(groups[other], group, name, other)
    return pairs


def pair_groups(
    befores: Mapping[str, Values], group: Mapping[str, Values], name: str, base: object
) -> Iterator[Pair]:
    """Yield the pairs for one parameter of the points of one mechanism, `befores` of another."""
    sides = [next(iter(side.values())).keys() for side in (befores, group)]
    shared = (sides[0] & sides[1]) - {name}
    known: dict[tuple, list[str]] = {}
    for key, values in befores.items():
        if values[name] == base:
            known.setdefault(tuple(values[other] for other in shared), []).append(key)
    for key, values in group.items():
        if values[name] != base:
            for before in known.get(tuple(values[other] for other in shared), ()):
                yield Pair(name, base, values[name], before, key)
