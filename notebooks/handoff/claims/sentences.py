"""Verdicts in sentences: the reason with its numbers, the coverage, and weak forks behind it."""

import math
from collections.abc import Callable

import pandas as pd

from handoff.analysis.intervals import Interval
from handoff.claims.check import Check
from handoff.claims.comparisons import Comparison
from handoff.claims.evaluation import Bounds, Decision, Evaluation
from handoff.claims.judging import Machine
from handoff.claims.observations import Observations
from handoff.claims.verdicts import (
    CONTRADICTED,
    DIRECTION,
    DIRECTIONS,
    FORCED,
    INCONCLUSIVE,
    JUDGED,
    LARGER,
    REPRODUCED,
    SMALLER,
    UNDECIDED,
    Verdict,
    list_points,
)
from handoff.claims.wording import (
    describe_comparison,
    describe_locations,
)
from handoff.registry import find_study
from handoff.text import format_range, format_value, pluralize

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
    decision = verdict.decided_by
    if decision is None:
        why = verdict.why or "; ".join(list_missing(verdict))
        seen = "; ".join(f"here {summarize_evaluation(e)}" for e in verdict.evaluations)
        also = f"; {seen}" if verdict.verdict in FORCED and seen else ""
        return f"{why[:1].upper()}{why[1:]}{also}."
    check, comparison = decision.evaluation.check, decision.comparison
    several = sum(len(e.comparisons) for e in verdict.evaluations) > 1
    rank = RANKS.get(verdict.verdict, ", the weakest comparison") if several else ""
    text = (
        f"{describe_comparison(check, comparison.at, verdict.bindings)}:"
        f" {format_located(check, comparison, decision.interval)}{rank};"
        f" the claim: {format_bounds(decision.evaluation.claimed)}"
    )
    ending = ENDINGS[verdict.verdict](verdict, decision)
    return f"{text[:1].upper()}{text[1:]}{ending}."


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


def describe_size(verdict: Verdict, decision: Decision) -> str:
    """Return by how much the effect is larger or smaller than claimed."""
    if verdict.verdict == DIRECTION:
        return "; the direction is right, and the size cannot be compared: published load unknown"
    if verdict.verdict == UNDECIDED:
        return "; the direction is right, the size undecided"
    ratio, claimed = decision.comparison.estimate.ratio, decision.evaluation.claimed
    factor = ratio / claimed.high if ratio > claimed.high else claimed.low / ratio
    return (
        f"; the direction is right, the effect {verdict.verdict.rpartition(' ')[2]} by a factor of"
        f" {format_value(factor)}"
    )


def describe_effort(verdict: Verdict, decision: Decision) -> str:
    """Return what would decide: forks, sessions, or nothing reasonable."""
    forks, sessions = verdict.effort
    ways = []
    if forks:
        ways.append(f"about {pluralize(forks, 'fork')} per point (here {verdict.count_forks()})")
    if sessions:
        ways.append(f"about {pluralize(sessions, 'session')} (here {verdict.count_sessions()})")
    if not ways:
        return "; nothing reasonable would decide"
    return f"; {' or '.join(ways)} would decide, if value and spread stay the same"


def describe_later(verdict: Verdict) -> str:
    """Return what all forks say since an earlier judging gave the verdict, or ''."""
    if verdict.later is None:
        return ""
    later = verdict.later
    return f"now {format_located(later.evaluation.check, later.comparison, later.interval)}"


ENDINGS: dict[str, Callable[[Verdict, Decision], str]] = {
    REPRODUCED: lambda *_: "",
    CONTRADICTED: lambda *_: "",
    **dict.fromkeys(DIRECTIONS, describe_size),
    INCONCLUSIVE: describe_effort,
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
        return "; ".join(format_located(check, c, c.estimate.interval()) for c in comparisons)
    ends = sorted(comparisons, key=lambda c: c.estimate.log)
    return (
        f"from {format_located(check, ends[0], ends[0].estimate.interval())} to"
        f" {format_located(check, ends[-1], ends[-1].estimate.interval())},"
        f" in {len(comparisons)} comparisons"
    )


def describe_weakness(verdict: Verdict, observed: Observations | None, study: str) -> str:
    """Return how many forks behind a verdict ran disturbed or never settled, or ''."""
    if observed is None or verdict.decided_by is None:
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
