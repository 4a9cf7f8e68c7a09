"""Forecast of the claims that a run can answer, before anything is measured."""

from collections.abc import Iterator

from handoff.claims.files import load_claim_files
from handoff.claims.judging import judge_claims
from handoff.claims.readers import observe_plan
from handoff.claims.run_judging import describe_machine, explain_not_judged
from handoff.claims.sentences import describe_reason
from handoff.claims.verdicts import FORCED, JUDGED, Verdict
from handoff.registry import find_primary
from handoff.run.store.run import Run


def list_answers(run: Run) -> list[str]:
    """Return sentences on which claims of the primary study the run can answer, and why not.

    They come from judging the plan as if each of its forks had taken the same time.
    """
    study = find_primary().name
    if study not in {point.study for point in run.points}:
        return []
    file, why_not = load_claim_files()[study], explain_not_judged(run)
    verdicts = judge_claims(file, observe_plan(run, study), describe_machine(run), why_not)
    return list(describe_answers(verdicts))


def describe_answers(verdicts: list[Verdict]) -> Iterator[str]:
    """Yield 'Can answer: P1, P3 (at 1 of 11 points).', and the others by reason."""
    groups: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        why = describe_reason(verdict).rstrip(".")
        if verdict.verdict in FORCED:
            # The numbers of a plan are made up.
            why = f"{verdict.verdict}: {verdict.why}"
        key = ("Cannot", why[:1].lower() + why[1:])
        if verdict.verdict in JUDGED:
            key = ("Can", verdict.coverage.words.strip())
        groups.setdefault(key, []).append(verdict.identity)
    for (can, reason), names in groups.items():
        yield f"{can} answer: {', '.join(names)}{f' ({reason})' if reason else ''}."
