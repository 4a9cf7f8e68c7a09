"""Where comparisons stand, in words."""

from handoff.claims.assignments import Assignment, Value
from handoff.claims.model import Check
from handoff.registry import find_study
from handoff.text import pluralize


def describe_locations(check: Check, at: list[Assignment]) -> str:
    """Where comparisons stand: 'consumers 1–11', 'blocking queue, threads 3–7'; those that differ
    in one parameter only are grouped.
    """
    groups: dict[tuple, list[Assignment]] = {}
    for chosen in at:
        items: list[tuple[str, Value]] = list(chosen.items()) or [("", "")]
        *others, last = items
        groups.setdefault(tuple(others), []).append(dict([last]))
    merged: dict[str, list[tuple]] = {}
    for shared, lasts in groups.items():
        text = describe_values_of(
            check, next(iter(lasts[0])), [value for chosen in lasts for value in chosen.values()]
        )
        merged.setdefault(text, []).append(shared)
    parts = [
        ", ".join(filter(None, [describe_group(check, alike), text]))
        for text, alike in merged.items()
    ]
    return "; ".join(filter(None, parts)) or "the one point"


def describe_group(check: Check, groups: list[tuple]) -> str:
    """Groups of places that go on in the same way, each parameter named once."""
    return ", ".join(
        describe_values_of(check, name, [dict(group)[name] for group in groups])
        for name in dict(groups[0])
    )


def describe_values_of(check: Check, name: str, values: list) -> str:
    """'threads 3–7', or the names of mechanisms."""
    return describe_values(find_parameter(check, name), values, check.study)


def describe_values(parameter: str, values: list, study: str) -> str:
    """'threads 3–7', '1 consumer', 'blocking queue': a study's parameter with these values."""
    if parameter == "mechanism":
        look = find_study(study).look
        return ", ".join(dict.fromkeys(look(str(value)).short for value in values))
    if len(set(values)) == 1 and isinstance(values[0], int) and parameter.endswith("s"):
        return pluralize(values[0], parameter.removesuffix("s"))
    return f"{parameter} {join_spans(values)}" if parameter else ""


def join_spans(values: list) -> str:
    """Values that may already be spans, such as '2–11'."""
    plain = list(dict.fromkeys(values))
    return (
        ", ".join(map(str, plain)) if any(isinstance(v, str) for v in plain) else format_span(plain)
    )


def find_parameter(check: Check, name: str) -> str:
    """The parameter that a placeholder of `along` stands for."""
    return next(
        (
            own
            for _, chosen in check.selections()
            for own, values in chosen.items()
            if name in values
        ),
        name,
    )


def format_span(values: list[Value]) -> str:
    """'2–11', '1–3, 5', or the words themselves."""
    if any(isinstance(value, str) for value in values):
        return ", ".join(dict.fromkeys(str(value) for value in values))
    groups: list[list[int]] = []
    for value in sorted({int(value) for value in values}):
        if groups and value == groups[-1][-1] + 1:
            groups[-1].append(value)
        else:
            groups.append([value])
    return ", ".join(
        str(group[0]) if len(group) == 1 else f"{group[0]}–{group[-1]}" for group in groups
    )
