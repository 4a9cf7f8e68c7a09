"""Quantities, numbers, intervals and comparisons as verdicts print them."""

import math
from collections.abc import Mapping

from handoff.claims.assignments import Assignment, Selection, Value, resolve_value
from handoff.claims.bounds import Bounds
from handoff.claims.comparisons import Comparison
from handoff.claims.locations import describe_locations, describe_values
from handoff.claims.model import Check
from handoff.registry import find_study

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


def name_quantity(name: str) -> str:
    """'time', 'a hop's latency, 99 %'; what nobody has named yet by its code name."""
    way, _, statistic = name.rpartition("_")
    if name in QUANTITIES or statistic not in STATISTICS:
        return QUANTITIES.get(name, name.replace("_", " "))
    return f"{WAYS.get(way, way)}, {STATISTICS[statistic]}"


LEVELS = {
    "time": "ns",
    "cpu_usage": "cores",
    "cpu_per_thread": "cores a thread",
    "cpu_producer": "cores",
    "cpu_consumer": "cores",
    "stayed": "times chance",
}


def name_unit(check: Check) -> str:
    """What a level is counted in: 'cores a thread', 'ns'; where nobody has said, its quantity; ''
    of a ratio or a trend, which have no unit.
    """
    if check.to is not None or check.hold == "trend":
        return ""
    latency = check.quantity.rpartition("_")[2] in STATISTICS
    return "ns" if latency else LEVELS.get(check.quantity, name_quantity(check.quantity))


def format_value(number: float) -> str:
    """Three digits, as many as a ratio of forks deserves."""
    return (
        f"{number:,.0f}"
        if number >= 1000
        else (
            f"{number:.0f}"
            if number >= 100
            else f"{number:.1f}"
            if number >= 10
            else f"{number:.2f}"
        )
    )


def format_range(low: float, high: float) -> str:
    return f"{format_value(low)} to {format_value(high)}"


def format_bounds(bounds: Bounds) -> str:
    """'more than 1.5', 'less than 1', '0.9 to 1.1'."""
    low, high = f"{bounds.low:g}", f"{bounds.high:g}"
    if bounds.high == math.inf:
        return f"more than {low}"
    return f"less than {high}" if bounds.low == 0 else f"{low} to {high}"


def describe_comparison(check: Check, at: Assignment, bindings: Mapping[str, Value]) -> str:
    """'time, standard ÷ sequential', 'CPU usage per thread, disruptor (striped handlers)'."""
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
    """A selection for people: mechanisms by their names, other parameters with theirs."""
    parts = []
    for name, values in selection.items():
        bound = [at.get(str(v), resolve_value(v, bindings)) for v in values]
        parts.append(
            ", ".join(find_study(study).look(str(v)).short for v in bound)
            if name == "mechanism"
            else describe_values(name, bound, study)
        )
    return " ".join(parts) or "all"


def format_estimate(comparison: Comparison) -> str:
    """'4.00 (3.72 to 4.30)': the estimate with its 90 % interval."""
    bounds = comparison.found.interval()
    return format_value(comparison.found.ratio) + (f" ({format_range(*bounds)})" if bounds else "")


def format_located(check: Check, comparison: Comparison) -> str:
    return format_estimate(comparison) + (
        f" with {describe_locations(check, [comparison.at])}" if comparison.at else ""
    )
