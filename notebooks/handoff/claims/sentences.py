"""Verdicts in sentences: the reason with its numbers, the coverage, and weak forks behind it."""

import math
from collections.abc import Callable

import pandas as pd

from handoff.claims.comparisons import Comparison
from handoff.claims.evaluation import Bounds, Evaluation
from handoff.claims.judging import Machine
from handoff.claims.model import Check
from handoff.claims.observations import Observations
from handoff.claims.verdicts import (
    CONTRADICTED,
    DIRECTION,
    INCONCLUSIVE,
    JUDGED,
    LARGER,
    REPRODUCED,
    SMALLER,
    Verdict,
    list_points,
)
from handoff.claims.wording import (
    describe_comparison,
    describe_locations,
    format_range,
    format_value,
)
from handoff.registry import find_study
from handoff.text import pluralize

FEW = 4
"""Most numbers that one sentence can hold."""

RANKS = {
    CONTRADICTED: ", the clearest contradiction",
    SMALLER: ", the clearest difference in size",
    LARGER: ", the clearest difference in size",
}
"""Which of several comparisons a verdict depends on; for other verdicts, the weakest."""


def describe_reason(verdict: Verdict) -> str:
    """Return one sentence that defends the verdict."""
    if verdict.deciding is None or verdict.decided_by is None:
        why = verdict.why or "; ".join(list_missing(verdict))
        return f"{why[:1].upper()}{why[1:]}."
    evaluation, comparison = verdict.decided_by, verdict.deciding
    several = sum(len(e.comparisons) for e in verdict.evaluations) > 1
    rank = RANKS.get(verdict.verdict, ", the weakest comparison") if several else ""
    text = (
        f"{describe_comparison(evaluation.check, comparison.at, verdict.bindings)}:"
        f" {format_located(evaluation.check, comparison)}{rank};"
        f" the claim: {format_bounds(evaluation.claimed)}"
    )
    ending = ENDINGS[verdict.verdict](verdict, evaluation, comparison)
    return f"{text[:1].upper()}{text[1:]}{ending}."


def format_bounds(bounds: Bounds) -> str:
    """Return 'more than 1.5', 'less than 1' or '0.9 to 1.1'."""
    low, high = f"{bounds.low:g}", f"{bounds.high:g}"
    if bounds.high == math.inf:
        return f"more than {low}"
    return f"less than {high}" if bounds.low == 0 else f"{low} to {high}"


def format_located(check: Check, comparison: Comparison) -> str:
    """Return '4.00 (3.72 to 4.30) with 1 consumer': estimate, 90 % interval and place."""
    bounds = comparison.estimate.interval()
    text = format_value(comparison.estimate.ratio)
    text += f" ({format_range(*bounds)})" if bounds else ""
    return text + (f" with {describe_locations(check, [comparison.at])}" if comparison.at else "")


def compare_size(evaluation: Evaluation, comparison: Comparison) -> str:
    """Return 'larger' or 'smaller' for an interval that lies beyond what is claimed, or ''."""
    claimed, interval = evaluation.claimed, comparison.estimate.interval()
    if interval is None:
        return ""
    low, high = interval
    up = evaluation.direction.low == 1
    if low > claimed.high:
        return "larger" if up else "smaller"
    return "" if high >= claimed.low else "smaller" if up else "larger"


def describe_size(verdict: Verdict, evaluation: Evaluation, comparison: Comparison) -> str:
    """Return by how much the effect is larger or smaller than claimed."""
    if verdict.verdict == DIRECTION:
        return "; the direction is right, the size undecided"
    ratio, claimed = comparison.estimate.ratio, evaluation.claimed
    factor = ratio / claimed.high if ratio > claimed.high else claimed.low / ratio
    return (
        f"; the direction is right, the effect {verdict.verdict.rpartition(' ')[2]} by a factor of"
        f" {format_value(factor)}"
    )


def describe_power(verdict: Verdict, evaluation: Evaluation, comparison: Comparison) -> str:
    """Return how many forks would decide."""
    sized = evaluation.direction != evaluation.claimed
    size = compare_size(evaluation, comparison) if sized else ""
    beyond = f"; it is {size} than claimed in any case, but its direction is open" if size else ""
    if verdict.forks_needed is None:
        return f"{beyond}; no reasonable number of forks would decide"
    return (
        f"{beyond}; the interval is too wide: about {pluralize(verdict.forks_needed, 'fork')} per"
        f" point would decide (here {verdict.count_forks()}), if ratio and spread stay the same"
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
    """Return the points of the verdict, and what the other points need.

    For example: 'consumers 1; consumers 2–11: oversubscribed here; all points need 12 cores'.
    """
    if verdict.verdict not in JUDGED:
        return ""
    judged = list(
        dict.fromkeys(
            describe_locations(e.check, [c.at for c in e.comparisons])
            for e in verdict.evaluations
            if e.comparisons[0].at
        )
    )
    text = [", ".join(judged)] if judged else []
    text += [*list_missing(verdict), *filter(None, [verdict.why])]
    if machine.cores < (verdict.claim.needs.all or 0):
        text.append(f"all points need {verdict.claim.needs.all} cores")
    return "; ".join(text)


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
    """Return the numbers of a check that is only shown; of many, the least and the greatest."""
    check, comparisons = evaluation.check, evaluation.comparisons
    if not comparisons:
        return "not measured: " + "; ".join(evaluation.missing)
    if len(comparisons) <= FEW:
        return "; ".join(format_located(check, c) for c in comparisons)
    ends = sorted(comparisons, key=lambda c: c.estimate.log)
    return (
        f"from {format_located(check, ends[0])} to {format_located(check, ends[-1])},"
        f" in {len(comparisons)} comparisons"
    )


def describe_weakness(verdict: Verdict, observed: Observations | None, study: str) -> str:
    """Return how many forks behind a verdict ran disturbed or never settled, or ''."""
    if observed is None or verdict.deciding is None:
        return ""
    rows = observed.rows[observed.rows["point"].isin(list_points(verdict, observed))]
    disturbed = int((rows["disturbed"] != "").sum())
    parts = [f"{disturbed} of {pluralize(len(rows), 'fork')} ran disturbed"] if disturbed else []
    return "; ".join(parts + list_unsettled(rows, study))


def list_unsettled(rows: pd.DataFrame, study: str) -> list[str]:
    """Return '2 of 5 forks of the queue never settled' for each mechanism with such forks.

    Only forks that warmed up by their own shots are counted.
    """
    known = rows[rows["settled"].notna()] if "settled" in rows else rows.head(0)
    sentences = []
    for mechanism, forks in known.groupby("mechanism", sort=False):
        unsettled = int((~forks["settled"].astype(bool)).sum())
        if unsettled:
            label = find_study(study).look(str(mechanism)).label
            sentences.append(
                f"{unsettled} of {pluralize(len(forks), 'fork')} of {label} never settled"
            )
    return sentences
