"""Verdicts in plain sentences, with the numbers in them."""

from collections.abc import Callable

from handoff.claims import evidence
from handoff.claims.comparisons import Comparison
from handoff.claims.evaluation import Evaluation
from handoff.claims.formatting import (
    describe_comparison,
    format_bounds,
    format_estimate,
    format_located,
    format_value,
)
from handoff.claims.judging import Machine
from handoff.claims.locations import describe_locations
from handoff.claims.verdicts import (
    CONTRADICTED,
    DIRECTION,
    INCONCLUSIVE,
    JUDGED,
    LARGER,
    REPRODUCED,
    SMALLER,
    Verdict,
)
from handoff.text import pluralize


def describe_reason(verdict: Verdict) -> str:
    """One plain sentence that defends the verdict."""
    if verdict.deciding is None or verdict.decided_by is None:
        why = verdict.why or "; ".join(list_lacking(verdict))
        return f"{why[:1].upper()}{why[1:]}."
    weighed, comparison = verdict.decided_by, verdict.deciding
    several = sum(len(w.comparisons) for w in verdict.weighed) > 1
    rank = RANKS.get(verdict.verdict, ", the weakest of all") if several else ""
    where = f" with {describe_locations(weighed.check, [comparison.at])}" if comparison.at else ""
    text = (
        f"{describe_comparison(weighed.check, comparison.at, verdict.bindings)}:"
        f" {format_estimate(comparison)}{where}{rank}; claimed is {format_bounds(weighed.claimed)}"
    )
    ending = ENDINGS[verdict.verdict](verdict, weighed, comparison)
    return f"{text[:1].upper()}{text[1:]}{ending}."


RANKS = {
    CONTRADICTED: ", the clearest against it",
    SMALLER: ", the clearest of another size",
    LARGER: ", the clearest of another size",
}
"""Which of several comparisons a verdict hangs on; the weakest for all others."""


def compare_size(weighed: Evaluation, comparison: Comparison) -> str:
    """How an interval that lies beyond what is claimed differs from it; '' where it does not lie
    beyond.
    """
    claimed, interval = weighed.claimed, comparison.found.interval()
    if interval is None:
        return ""
    low, high = interval
    up = weighed.direction.low == 1
    if low > claimed.high:
        return "larger" if up else "smaller"
    return "" if high >= claimed.low else "smaller" if up else "larger"


def describe_size(verdict: Verdict, weighed: Evaluation, comparison: Comparison) -> str:
    """Of a direction that is right: by how much the effect is larger or smaller than claimed."""
    if verdict.verdict == DIRECTION:
        return "; the direction is right, its size not decided"
    ratio, claimed = comparison.found.ratio, weighed.claimed
    factor = ratio / claimed.high if ratio > claimed.high else claimed.low / ratio
    return (
        f"; the direction is right, the effect {verdict.verdict.rpartition(' ')[2]}, by a factor of"
        f" {format_value(factor)}"
    )


def describe_power(verdict: Verdict, weighed: Evaluation, comparison: Comparison) -> str:
    """How many forks would decide."""
    sized = weighed.direction != weighed.claimed
    size = compare_size(weighed, comparison) if sized else ""
    beyond = f"; it is {size} than that in any case, its direction open" if size else ""
    if verdict.forks_needed is None:
        return f"{beyond}; no reasonable number of forks would decide"
    return (
        f"{beyond}; the interval is too wide: about {pluralize(verdict.forks_needed, 'fork')} a"
        f" point would decide (here {evidence.count_forks(verdict)}), if all stays as seen"
    )


ENDINGS: dict[str, Callable[[Verdict, Evaluation, Comparison], str]] = {
    REPRODUCED: lambda *_: "",
    CONTRADICTED: lambda *_: "",
    SMALLER: describe_size,
    LARGER: describe_size,
    DIRECTION: describe_size,
    INCONCLUSIVE: describe_power,
}


def describe_coverage(verdict: Verdict, machine: Machine) -> str:
    """Where the verdict stands, and what the rest needs: 'consumers 1; consumers 2–11
    oversubscribed here: all need 12 cores'.
    """
    if verdict.verdict not in JUDGED:
        return ""
    judged = list(
        dict.fromkeys(
            describe_locations(w.check, [c.at for c in w.comparisons])
            for w in verdict.weighed
            if w.comparisons[0].at
        )
    )
    text = [", ".join(judged)] if judged else []
    text += [*list_lacking(verdict), *filter(None, [verdict.why])]
    text += [
        f"{c.name or 'part of it'} needs {c.cores} cores"
        for c in verdict.claim.test
        if machine.cores < (c.cores or 0)
    ]
    if machine.cores < (verdict.claim.needs.all or 0):
        text.append(f"all need {verdict.claim.needs.all} cores")
    return "; ".join(text)


def list_lacking(verdict: Verdict) -> list[str]:
    """Where no comparison could be made, and why, once each."""
    return list(
        dict.fromkeys(
            f"{describe_locations(w.check, at)} {why}"
            for w in verdict.weighed
            for why, at in w.lacking.items()
        )
    )


def summarize_evaluation(weighed: Evaluation) -> str:
    """A check that is only shown: its numbers, without a verdict; of many the least and the
    greatest.
    """
    found = weighed.comparisons
    if len(found) <= FEW:
        return "; ".join(
            format_located(weighed.check, c) for c in found
        ) or "not measured: " + "; ".join(weighed.lacking)
    ends = sorted(found, key=lambda c: c.found.log)
    return (
        f"from {format_located(weighed.check, ends[0])} to"
        f" {format_located(weighed.check, ends[-1])}, in {len(found)} comparisons"
    )


FEW = 4
"""Numbers that a sentence can hold."""
