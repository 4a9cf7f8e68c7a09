"""The claims of a source tested on its own published numbers, by the same checks.

A part of a claim is judged only where these numbers could pass the test.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from handoff.claims.check import Check
from handoff.claims.evaluation import Evaluation, evaluate_check
from handoff.claims.model import Choice, Claim, ClaimFile
from handoff.claims.observations import Observations
from handoff.claims.readers import observe_tables
from handoff.claims.sentences import describe_locations
from handoff.claims.verdicts import Verdict
from handoff.errors import BadInput
from handoff.paths import CLAIMS, display_path
from handoff.text import format_range, format_value

NO_NUMBERS = "no numbers"
SOURCE_FAILS = "the source's own numbers fail the test there"


class PublishedResult(NamedTuple):
    """The result of a claim on one machine of the source, with one choice.

    `choice` names the options that make a difference to the claim.
    """

    machine: str
    choice: str
    holds: bool
    words: str


def evaluate_file(file: ClaimFile) -> dict[str, list[PublishedResult]]:
    """Return the results by claim; none where the source published no numbers for it."""
    tables, results = observe_tables(file), {}
    for identity, claim in file.claims.items():
        try:
            results[identity] = evaluate_claim(file, claim, tables)
        except BadInput as wrong:
            where = display_path(CLAIMS / f"{file.study}.yml")
            raise BadInput(f"{where}: {identity}.test: {wrong}") from None
    return results


def evaluate_claim(
    file: ClaimFile, claim: Claim, tables: dict[str, Observations]
) -> list[PublishedResult]:
    results: list[PublishedResult] = []
    for machine, observed in tables.items():
        complete: dict[str, list[Evaluation]] = {}
        for choice in file.list_choices():
            bindings = choice.bindings()
            evaluations = [evaluate_check(check, observed, bindings) for check in claim.test]
            if evaluations and all(e.comparisons for e in evaluations):
                complete[", ".join(choice.list_options(claim))] = evaluations
        # A choice whose mechanisms the source did not measure has fewer comparisons: it is not
        # what the source says.
        counts = {name: sum(len(e.comparisons) for e in es) for name, es in complete.items()}
        results += [
            make_result(machine, name, complete[name])
            for name, count in counts.items()
            if count == max(counts.values())
        ]
    return results


def make_result(machine: str, choice: str, evaluations: list[Evaluation]) -> PublishedResult:
    holds = all(e.satisfies(e.check.claimed) for e in evaluations)
    directed = all(e.satisfies(e.check.direction) for e in evaluations)
    result = "holds" if holds else "only the direction holds" if directed else "does not hold"
    words = f"{result} ({'; '.join(map(describe_evaluation, evaluations))})"
    return PublishedResult(machine, choice, holds, words)


def describe_evaluation(evaluation: Evaluation) -> str:
    """Return '3.0 to 4.6', with the places where the check holds if it does not hold at all."""
    check, numbers = evaluation.check, sorted(c.estimate.ratio for c in evaluation.comparisons)
    text = format_value(numbers[0]) if len(numbers) == 1 else format_range(numbers[0], numbers[-1])
    good = [c.at for c in evaluation.comparisons if check.claimed.holds(c.estimate)]
    bad = [c.at for c in evaluation.comparisons if not check.claimed.holds(c.estimate)]
    if evaluation.missing:
        text += f" at {describe_locations(check, good + bad)}"
    if not good or not bad:
        return text
    if len(good) < len(bad):
        return f"{text}; only at {describe_locations(check, good)}"
    return f"{text}; not at {describe_locations(check, bad)}"


def select_like_judged(
    file: ClaimFile, results: list[PublishedResult], verdict: Verdict
) -> list[PublishedResult]:
    """Return the results with what is judged and those that only the source has, or all."""
    measurable = {
        ", ".join(choice.list_options(verdict.claim))
        for choice in file.list_choices()
        if file.is_measurable(choice.bindings())
    }
    judged = ", ".join(verdict.options)
    chosen = [r for r in results if r.choice == judged or r.choice not in measurable]
    return chosen or results


def describe_published(results: list[PublishedResult]) -> str:
    """Return 'holds (5.0)' or 'does not hold (0.9)', for each machine if there are several."""
    if not results:
        return NO_NUMBERS
    if len(results) == 1:
        return results[0].words
    return "; ".join(
        f"{r.machine}{f', {r.choice}' if r.choice else ''}: {r.words}" for r in results
    )


def allow_places(
    evaluation: Evaluation, file: ClaimFile, choice: Choice, tables: Mapping[str, Observations]
) -> frozenset[int]:
    """Return the judged places where the source's own numbers could pass.

    A check that must hold at each place is examined place by place; any other, as a whole.
    """
    check, judged = evaluation.check, evaluation.judged
    parts = [frozenset([place]) for place in judged] if check.hold == "each" else [judged]
    return frozenset().union(
        *(part for part in parts if part and can_pass(check, file, choice, tables, part))
    )


def can_pass(
    check: Check,
    file: ClaimFile,
    choice: Choice,
    tables: Mapping[str, Observations],
    part: frozenset[int],
) -> bool:
    """Return whether some of the source's numbers pass at these places.

    True also where it has no numbers for them with this choice.
    """
    passed = {
        (other.options == choice.options, evaluation.satisfies(check.claimed))
        for observed in tables.values()
        for other in file.list_choices()
        if (evaluation := evaluate_check(check, observed, other.bindings(), only=part)).comparisons
    }
    return any(passes for _, passes in passed) or not any(same for same, _ in passed)


def describe_failing(evaluations: Sequence[Evaluation], allowed: Sequence[frozenset[int]]) -> str:
    """Return '1 thread: the source's own numbers fail the test there', or '' if none do."""
    parts = []
    for evaluation, places in zip(evaluations, allowed, strict=True):
        failing = sorted(evaluation.judged - places)
        if failing:
            at = [evaluation.tried[place] for place in failing]
            parts.append(f"{describe_locations(evaluation.check, at)}: {SOURCE_FAILS}")
    return "; ".join(parts)
