"""The claims that a planned run can answer on its machine, before anything is measured."""

from collections.abc import Iterator

from handoff.claims.files import load_claim_files
from handoff.claims.judging import judge_claims
from handoff.claims.judgings import describe_machine, explain_not_judged
from handoff.claims.readers import observe_plan
from handoff.claims.sentences import describe_reason
from handoff.claims.verdicts import JUDGED, Verdict
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
    groups: dict[str, dict[str, None]] = {}
    for verdict in verdicts:
        can = verdict.verdict in JUDGED
        why = describe_reason(verdict).rstrip(".")
        reason = verdict.coverage.words.strip() if can else why[:1].lower() + why[1:]
        groups.setdefault(f"{'Can' if can else 'Cannot'} answer|{reason}", {})[verdict.identity] = (
            None
        )
    answered = {name for key, names in groups.items() if key.startswith("Can ") for name in names}
    for key, names in groups.items():
        start, _, reason = key.partition("|")
        shown = [name for name in names if start == "Can answer" or name not in answered]
        if shown:
            yield f"{start}: {', '.join(shown)}{f' ({reason})' if reason else ''}."
