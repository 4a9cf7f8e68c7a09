"""Names of quantities, numbers, parameters and places, as verdicts print them."""

from collections.abc import Mapping

from handoff.claims.check import Assignment, Check, Selection, Value, resolve_value
from handoff.registry import find_study
from handoff.text import pluralize

QUANTITIES = {
    "time": "time",
    "cpu_usage": "CPU usage",
    "cpu_per_thread": "CPU usage per thread",
    "cpu_producer": "the producer's CPU usage",
    "cpu_consumer": "a consumer's CPU usage",
}

WAYS = {
    "hop": "a hop's latency",
    "published": "a hop's latency by the published statistic",
    "total": "latency from publication",
    "due": "latency from the due time",
}

STATISTICS = {
    "min": "least",
    "mean": "mean",
    "p50": "median",
    "p99": "99 %",
    "p9999": "99.99 %",
    "max": "greatest",
}

LEVELS = {
    "time": "ns",
    "cpu_usage": "cores",
    "cpu_per_thread": "cores per thread",
    "cpu_producer": "cores",
    "cpu_consumer": "cores",
    "stayed": "times chance",
}
"""Units of quantities that a check compares as levels."""


def name_quantity(name: str) -> str:
    """Return a name such as 'time' or 'a hop's latency, 99 %'; without one, the code name."""
    way, _, statistic = name.rpartition("_")
    if name in QUANTITIES or statistic not in STATISTICS:
        return QUANTITIES.get(name, name.replace("_", " "))
    return f"{WAYS.get(way, way)}, {STATISTICS[statistic]}"


def name_unit(check: Check) -> str:
    """Return the unit of a level, or its quantity; '' for a ratio or a trend, which have none."""
    if check.to is not None or check.hold == "trend":
        return ""
    latency = check.quantity.rpartition("_")[2] in STATISTICS
    return "ns" if latency else LEVELS.get(check.quantity, name_quantity(check.quantity))


def describe_comparison(check: Check, at: Assignment, bindings: Mapping[str, Value]) -> str:
    """Return what is compared, such as 'time, standard ÷ sequential'."""
    sides = [
        describe_selection(part, at, bindings, check.study)
        for part in (check.of, check.to)
        if part is not None
    ]
    change = (
        f", {describe_selection(check.change.end, at, bindings, check.study)} against"
        f" {describe_selection(check.change.start, at, bindings, check.study)}"
        if check.change
        else ""
    )
    return f"{name_quantity(check.quantity)}, {' ÷ '.join(sides)}{change}"


def describe_selection(
    selection: Selection, at: Assignment, bindings: Mapping[str, Value], study: str
) -> str:
    """Return a selection with mechanisms by their short names, other parameters with theirs."""
    parts = []
    for name, values in selection.items():
        bound = [at.get(str(v), resolve_value(v, bindings)) for v in values]
        parts.append(
            ", ".join(find_study(study).look(str(v)).short for v in bound)
            if name == "mechanism"
            else describe_values(name, bound, study)
        )
    return " ".join(parts) or "all"


def describe_locations(check: Check, places: list[Assignment]) -> str:
    """Return where comparisons were made: 'consumers 1–11', 'blocking queue, threads 3–7'.

    Places that differ in one parameter only are grouped.
    """
    groups: dict[tuple, list[Assignment]] = {}
    for at in places:
        items: list[tuple[str, Value]] = list(at.items()) or [("", "")]
        *others, last = items
        groups.setdefault(tuple(others), []).append(dict([last]))
    merged: dict[str, list[tuple]] = {}
    for shared, lasts in groups.items():
        text = describe_values_of(
            check, next(iter(lasts[0])), [value for last in lasts for value in last.values()]
        )
        merged.setdefault(text, []).append(shared)
    parts = [
        ", ".join(filter(None, [describe_group(check, alike), text]))
        for text, alike in merged.items()
    ]
    return "; ".join(filter(None, parts)) or "the one point"


def describe_group(check: Check, groups: list[tuple]) -> str:
    """Return the parameters that groups of places share, each named once."""
    return ", ".join(
        describe_values_of(check, name, [dict(group)[name] for group in groups])
        for name in dict(groups[0])
    )


def describe_values_of(check: Check, name: str, values: list) -> str:
    return describe_values(find_parameter(check, name), values, check.study)


def describe_values(parameter: str, values: list, study: str) -> str:
    """Return a parameter with its values: 'threads 3–7', '1 consumer', 'blocking queue'."""
    if parameter == "mechanism":
        look = find_study(study).look
        return ", ".join(dict.fromkeys(look(str(value)).short for value in values))
    if len(set(values)) == 1 and isinstance(values[0], int) and parameter.endswith("s"):
        return pluralize(values[0], parameter.removesuffix("s"))
    return f"{parameter} {join_spans(values)}" if parameter else ""


def join_spans(values: list) -> str:
    """Join values, some of which may be spans such as '2–11' already."""
    plain = list(dict.fromkeys(values))
    return (
        ", ".join(map(str, plain)) if any(isinstance(v, str) for v in plain) else format_span(plain)
    )


def find_parameter(check: Check, name: str) -> str:
    """Return the parameter that a placeholder of `along` stands for; or else the name itself."""
    return next(
        (
            parameter
            for _, selection in check.selections()
            for parameter, values in selection.items()
            if name in values
        ),
        name,
    )


def format_span(values: list[Value]) -> str:
    """Return '2–11' or '1–3, 5' for numbers; words as they are."""
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
