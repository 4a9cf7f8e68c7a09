"""Verdicts in sentences, and the names of quantities and places in them."""

import math
from collections.abc import Mapping, Sequence

from handoff.analysis.intervals import Interval
from handoff.claims import verdicts
from handoff.claims.check import QUANTITIES, Assignment, Bounds, Check, Value, resolve_value
from handoff.claims.evaluation import Comparison, Decision, Evaluation, format_span
from handoff.claims.load import UNKNOWN_LOAD
from handoff.claims.verdicts import EARLY, FORCED, JUDGED, Verdict
from handoff.draw.words import capitalize
from handoff.study import find_study
from handoff.text import format_range, format_value, pluralize

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


def describe_reason(verdict: Verdict) -> str:
    """Return one sentence that defends the verdict."""
    decision = verdict.decided_by
    if decision is None or verdict.verdict == EARLY:
        why = verdict.why or "; ".join(list_missing(verdict))
        seen = "; ".join(f"here {summarize_evaluation(e)}" for e in verdict.evaluations)
        also = f"; {seen}" if verdict.verdict in FORCED and seen else ""
        return f"{capitalize(why)}{also}."
    check, at = decision.check, decision.comparison.at
    rank = ", the one that decides" if len(verdict.comparisons) > 1 else ""
    numbers = format_located(check, decision.comparison, decision.interval)
    text = (
        f"{describe_comparison(check, at, verdict.bindings)}: {numbers}{rank};"
        f" the claim: {format_bounds(check.claimed)}{describe_outcome(verdict, decision)}."
    )
    return capitalize(text)


def format_bounds(bounds: Bounds) -> str:
    """Return 'more than 1.5', 'less than 1' or '0.9 to 1.1'."""
    low, high = f"{bounds.low:g}", f"{bounds.high:g}"
    if bounds.high == math.inf:
        return f"more than {low}"
    return f"less than {high}" if bounds.low == 0 else f"{low} to {high}"


def format_located(check: Check, comparison: Comparison, interval: Interval | None) -> str:
    """Return '4.00 (3.72 to 4.30) with 1 consumer': estimate, interval and place."""
    text = format_value(comparison.estimate.ratio)
    text += f" ({format_range(*interval)})" if interval else ""
    return text + (f" with {describe_locations(check, [comparison.at])}" if comparison.at else "")


def describe_outcome(verdict: Verdict, decision: Decision) -> str:
    """Return how the size differs from the claimed one, or what would decide, or ''."""
    match verdict.verdict:
        case verdicts.DIRECTION:
            return f"; the direction is right, and the size cannot be compared: {UNKNOWN_LOAD}"
        case verdicts.UNDECIDED:
            return "; the direction is right, the size undecided"
        case verdicts.SMALLER | verdicts.LARGER:
            ratio, claimed = decision.comparison.estimate.ratio, decision.check.claimed
            factor = format_value(max(ratio / claimed.high, claimed.low / ratio))
            size = verdict.verdict.rpartition(" ")[2]
            return f"; the direction is right, the effect {size} by a factor of {factor}"
        case verdicts.INCONCLUSIVE:
            return f"; {verdict.needed} would decide, if value and spread stay the same"
    return ""


def format_number(decision: Decision | None) -> str:
    """Return '4.00 [3.72 to 4.30]', the number that decides with its interval, or ''."""
    if decision is None:
        return ""
    number = format_value(decision.comparison.estimate.ratio)
    return f"{number} [{format_range(*decision.interval)}]"


def describe_coverage(verdict: Verdict, cores: int) -> str:
    """Return the points of the verdict, and what the other points need.

    For example: 'consumers 1; consumers 2–11: oversubscribed here; all points need 12 cores'.
    """
    if verdict.verdict not in JUDGED:
        return ""
    judged = dict.fromkeys(
        describe_locations(e.check, [c.at for c in e.comparisons])
        for e in verdict.evaluations
        if e.comparisons[0].at
    )
    parts = [", ".join(judged), *list_missing(verdict), verdict.why]
    if cores < (verdict.claim.needs.all or 0):
        parts.append(f"all points need {verdict.claim.needs.all} cores")
    return "; ".join(filter(None, parts))


def list_missing(verdict: Verdict) -> list[str]:
    """Return the places where no comparison could be made, each with the reason."""
    return list(
        dict.fromkeys(
            f"{describe_locations(e.check, places)}: {why}"
            for e in verdict.evaluations
            for why, places in e.missing.items()
        )
    )


def summarize_evaluation(evaluation: Evaluation) -> str:
    """Return the number of a check that is only shown; of several, the least and the greatest."""
    comparisons = sorted(evaluation.comparisons, key=lambda c: c.estimate.log)
    if not comparisons:
        return "not measured: " + "; ".join(evaluation.missing)
    parts = [format_located(evaluation.check, c, c.estimate.interval()) for c in comparisons]
    if len(parts) == 1:
        return parts[0]
    return f"from {parts[0]} to {parts[-1]}, in {len(parts)} comparisons"


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

    def describe(selection: Mapping[str, Sequence[Value]]) -> str:
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
