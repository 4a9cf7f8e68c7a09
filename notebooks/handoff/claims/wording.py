"""Names of quantities, numbers, parameters and places, as verdicts print them."""

from collections.abc import Mapping, Sequence

from handoff.claims.check import QUANTITIES, Assignment, Check, Selection, Value, resolve_value
from handoff.registry import find_study
from handoff.text import pluralize

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

    def describe(selection: Selection) -> str:
        parts = []
        for name, values in selection.items():
            bound = [at.get(str(value), resolve_value(value, bindings)) for value in values]
            parts.append(describe_values(check, name, bound))
        return " ".join(parts) or "all"

    sides = " ÷ ".join(describe(part) for part in (check.of, check.to) if part is not None)
    change = ""
    if check.change:
        change = f", {describe(check.change.end)} against {describe(check.change.start)}"
    return f"{name_quantity(check.quantity)}, {sides}{change}"


def describe_locations(check: Check, places: list[Assignment]) -> str:
    """Return where comparisons were made: 'consumers 1–11', 'blocking queue, threads 3–7'.

    Places that differ in one parameter only are grouped.
    """
    if not places or not places[0]:
        return "the one point"
    *others, last = places[0]
    groups: dict[tuple, list[Value]] = {}
    for at in places:
        groups.setdefault(tuple(at[name] for name in others), []).append(at[last])
    merged: dict[str, list[tuple]] = {}
    for shared, values in groups.items():
        merged.setdefault(describe_values(check, last, values), []).append(shared)
    parts = []
    for text, alike in merged.items():
        columns = zip(others, zip(*alike, strict=True), strict=True)
        parts.append(", ".join([*(describe_values(check, *column) for column in columns), text]))
    return "; ".join(parts)


def describe_values(check: Check, name: str, values: Sequence[Value]) -> str:
    """Return a parameter with its values: 'threads 3–7', '1 consumer', 'blocking queue'.

    `name` may be a placeholder of `along`, which stands for a parameter.
    """
    parameter = next((key for _, key, known in check.selections() if name in known), name)
    if parameter == "mechanism":
        look = find_study(check.study).look
        return ", ".join(dict.fromkeys(look(str(value)).short for value in values))
    if len(set(values)) == 1 and isinstance(values[0], int) and parameter.endswith("s"):
        return pluralize(values[0], parameter.removesuffix("s"))
    return f"{parameter} {format_span(values)}"


def format_span(values: Sequence[Value]) -> str:
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
