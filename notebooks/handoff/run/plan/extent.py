"""Find sweeps that ask for too much or for nothing, before they are expanded.

Every combination of values counts, including the ones that are dropped later: by an exclude, or
because a mechanism does not have the parameter.
"""

import math
from collections.abc import Iterator

from handoff.catalog import OF_CORES, load_catalog
from handoff.errors import BadInput
from handoff.run.plan.points import Amounts
from handoff.run.plan.sweep import Entry, Sweep

MOST_COMBINATIONS = 100_000
"""The limit of a sweep, which is days of forks and a minute of planning."""


def require_countable(sweep: Sweep, file: str, cores: int, amounts: Amounts) -> None:
    """Raise BadInput if the sweep has too many combinations."""
    number = max(1, len(sweep.arms)) * sum(
        math.prod(map(len, values.values())) for _, values in list_values(sweep, cores, amounts)
    )
    if number > MOST_COMBINATIONS:
        raise BadInput(
            f"{file}: {number:,} combinations of values; the limit of a sweep is"
            f" {MOST_COMBINATIONS:,}."
        )


def explain_emptiness(sweep: Sweep, cores: int, amounts: Amounts) -> str:
    """Return why a sweep has no point."""
    empty = {
        f"{name}={', '.join(map(str, product[name]))}": None
        for product, values in list_values(sweep, cores, amounts)
        for name, resolved in values.items()
        if not resolved
    }
    if empty:
        return f"because {'; '.join(empty)} is not possible on {cores} cores"
    return "because exclude matches every one"


def list_values(
    sweep: Sweep, cores: int, amounts: Amounts
) -> Iterator[tuple[dict[str, list], dict[str, list]]]:
    """Yield the listed values, and the values here, of each product of lists in the sweep."""
    for study, entry in sweep.entries():
        spec, known = load_catalog()[study], amounts.get(study, {})
        for product in entry.products():
            yield (
                product,
                {
                    name: spec.resolve(name, [known.get(value, value) for value in listed], cores)
                    for name, listed in product.items()
                },
            )


def list_idle_excludes(sweep: Sweep) -> list[str]:
    """Return a sentence for each item of an exclude that matches no combination."""
    return [
        f"studies.{study}: exclude {{{describe(rule)}}} matches nothing."
        for study, entry in sweep.entries()
        for rule in (each.model_dump(exclude_none=True) for each in entry.exclude)
        if not matches(study, entry, rule)
    ]


def matches(study: str, entry: Entry, rule: dict[str, list]) -> bool:
    """Return whether one combination has a listed value of each key; CORES may be any number."""
    defaults = load_catalog()[study].defaults()
    wanted = {name: set(map(str, values)) for name, values in rule.items()}
    for product in entry.products():
        have = {name: set(map(str, product.get(name, [defaults[name]]))) for name in wanted}
        if all(
            wanted[name] & have[name] or any(map(OF_CORES.fullmatch, wanted[name] | have[name]))
            for name in wanted
        ):
            return True
    return False


def describe(rule: dict[str, list]) -> str:
    return ", ".join(f"{name}: {', '.join(map(str, values))}" for name, values in rule.items())
