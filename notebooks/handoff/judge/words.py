"""Verdicts in plain sentences, with the numbers in them."""

import math

from handoff.judge.claims import Check, Selection
from handoff.judge.observed import Observed
from handoff.judge.verdicts import CONTRADICTED, DIRECTION, INCONCLUSIVE, NOT_MEASURED, NOT_TESTABLE, REPRODUCED, Machine, Verdict
from handoff.judge.weigh import Chosen, Comparison, Weighed, Zone, spanned
from handoff.names import counted, look

QUANTITIES = {
    "time": "time",
    "cpu_usage": "CPU usage",
    "cpu_per_thread": "CPU usage per thread",
    "cpu_producer": "the producer's CPU usage",
    "cpu_consumer": "a consumer's CPU usage",
}


def value(number: float) -> str:
    """Three digits, as many as a ratio of forks deserves."""
    return (
        f"{number:,.0f}" if number >= 1000 else f"{number:.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"
    )


def between(low: float, high: float) -> str:
    return f"{value(low)} to {value(high)}"


def zone(bounds: Zone) -> str:
    """'more than 1.5', 'less than 1', '0.9 to 1.1'."""
    low, high = f"{bounds.low:g}", f"{bounds.high:g}"
    if bounds.high == math.inf:
        return f"more than {low}"
    return f"less than {high}" if bounds.low == 0 else f"{low} to {high}"


def what(check: Check, at: Chosen, bindings: Chosen) -> str:
    """'time, standard ÷ sequential', 'CPU usage per thread, disruptor (striped handlers)'."""
    sides = [side(part, at, bindings) for part in (check.of, check.to) if part is not None]
    change = f", {side(check.change.end, at, bindings)} against {side(check.change.start, at, bindings)}" if check.change else ""
    return f"{QUANTITIES[check.quantity]}, {' ÷ '.join(sides)}{change}"


def side(selection: Selection, at: Chosen, bindings: Chosen) -> str:
    """A selection for people: mechanisms by their names, other parameters with theirs."""
    told = []
    for name, values in selection.items():
        bound = [at.get(v, bindings.get(v, v)) for v in values]
        told.append(", ".join(look(str(v)).short for v in bound) if name == "mechanism" else one_of(name, bound))
    return " ".join(told) or "all"


def places(check: Check, at: list[Chosen]) -> str:
    """Where comparisons stand: 'consumers 1–11', 'blocking queue, threads 3–7'; those that differ in one parameter only are grouped."""
    groups: dict[tuple, list[Chosen]] = {}
    for chosen in at:
        *others, last = chosen.items() if chosen else [("", "")]
        groups.setdefault(tuple(others), []).append(dict([last]))
    merged: dict[str, list[str]] = {}
    for others, lasts in groups.items():
        told = one(check, next(iter(lasts[0])), [value for chosen in lasts for value in chosen.values()])
        merged.setdefault(told, []).append(others)
    parts = [", ".join(filter(None, [alike(check, others), told])) for told, others in merged.items()]
    return "; ".join(filter(None, parts)) or "the one point"


def alike(check: Check, groups: list[tuple]) -> str:
    """Groups of places that go on in the same way, each parameter named once."""
    return ", ".join(one(check, name, [dict(group)[name] for group in groups]) for name in dict(groups[0]))


def one(check: Check, name: str, values: list) -> str:
    """'threads 3–7', or the names of mechanisms."""
    return one_of(parameter(check, name), values)


def one_of(own: str, values: list) -> str:
    if own == "mechanism":
        return ", ".join(dict.fromkeys(look(str(value)).short for value in values))
    if len(set(values)) == 1 and isinstance(values[0], int) and own.endswith("s"):
        return counted(values[0], own.removesuffix("s"))
    return f"{own} {spans(values)}" if own else ""


def spans(values: list) -> str:
    """Values that may already be spans, such as '2–11'."""
    plain = list(dict.fromkeys(values))
    return ", ".join(map(str, plain)) if any(isinstance(v, str) for v in plain) else spanned(plain)


def parameter(check: Check, name: str) -> str:
    """The parameter that a placeholder of `along` stands for."""
    return next((own for _, chosen in check.selections() for own, values in chosen.items() if name in values), name)


def number(comparison: Comparison) -> str:
    """'4.00 (3.72 to 4.30)': the estimate with its 90 % interval."""
    bounds = comparison.found.interval()
    return value(comparison.found.ratio) + (f" ({between(*bounds)})" if bounds else "")


def reason(verdict: Verdict) -> str:
    """One plain sentence that defends the verdict."""
    if verdict.deciding is None or verdict.decided_by is None:
        return f"{verdict.why[:1].upper()}{verdict.why[1:]}."
    weighed, comparison = verdict.decided_by, verdict.deciding
    several = sum(len(w.comparisons) for w in verdict.weighed) > 1
    rank = "" if not several else ", the clearest against it" if verdict.verdict == CONTRADICTED else ", the weakest of all"
    where = f" with {places(weighed.check, [comparison.at])}" if comparison.at else ""
    told = f"{what(weighed.check, comparison.at, verdict.bindings)}: {number(comparison)}{where}{rank}; claimed is {zone(weighed.claimed)}"
    return f"{told[:1].upper()}{told[1:]}{ENDINGS[verdict.verdict](verdict)}."


def size(verdict: Verdict) -> str:
    weighed, comparison = verdict.decided_by, verdict.deciding
    ratio = comparison.found.ratio
    larger = ratio > weighed.claimed.high if weighed.direction.low == 1 else ratio < weighed.claimed.low
    inside = weighed.claimed.holds(comparison.found)
    return (
        "; the direction is right, its size not decided"
        if inside
        else f"; the direction is right, the size {'larger' if larger else 'smaller'}"
    )


def undecided(verdict: Verdict) -> str:
    weighed, comparison = verdict.decided_by, verdict.deciding
    low, high = comparison.found.interval()
    apart = weighed.claimed.high < low or high < weighed.claimed.low
    size = "; that large it is not, but its direction is open" if apart and weighed.direction != weighed.claimed else ""
    if verdict.forks_needed is None:
        return f"{size}; no reasonable number of forks would decide"
    return f"{size}; about {counted(verdict.forks_needed, 'fork')} a point would decide, if all stays as seen"


ENDINGS = {REPRODUCED: lambda _: "", CONTRADICTED: lambda _: "", DIRECTION: size, INCONCLUSIVE: undecided}


def coverage(verdict: Verdict, machine: Machine) -> str:
    """Where the verdict stands, and what the rest needs: 'consumers 1; consumers 2–11 oversubscribed here: all need 12 cores'."""
    if verdict.verdict in (NOT_TESTABLE, NOT_MEASURED):
        return ""
    judged = list(dict.fromkeys(places(w.check, [c.at for c in w.comparisons]) for w in verdict.weighed if w.comparisons[0].at))
    told = [", ".join(judged)] if judged else []
    told += dict.fromkeys(f"{places(w.check, at)} {why}" for w in verdict.weighed for why, at in w.lacking.items())
    if machine.cores < (verdict.claim.needs.all or 0):
        told.append(f"all need {verdict.claim.needs.all} cores")
    return "; ".join(told)


def forks(verdict: Verdict) -> int | None:
    """The fewest forks of a point behind the verdict."""
    return min((c.found.forks for w in verdict.weighed for c in w.comparisons), default=None)


def behind(verdict: Verdict, observed: Observed | None) -> list[str]:
    """The points behind the verdict, in the run's order."""
    used = {point for w in verdict.weighed + verdict.shown for c in w.comparisons for point in c.points}
    return [] if observed is None else [point for point in dict.fromkeys(observed.rows["point"]) if point in used]


def headline(weighed: Weighed) -> str:
    """A check that is only shown: its numbers, without a verdict."""
    numbers = [f"{number(c)}{f' with {places(weighed.check, [c.at])}' if c.at else ''}" for c in weighed.comparisons]
    return "; ".join(numbers) or "not measured: " + "; ".join(weighed.lacking)
