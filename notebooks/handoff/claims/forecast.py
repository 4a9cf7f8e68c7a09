"""The claims that a planned run can answer on its machine, before anything is measured."""

from collections.abc import Iterator

import pandas as pd

from handoff.analysis.baseline import mask_irrelevant
from handoff.catalog import load_catalog
from handoff.claims.files import load_claim_files
from handoff.claims.judging import judge_claims
from handoff.claims.readers import add_places, make_observations
from handoff.claims.sentences import describe_reason
from handoff.claims.verdict_table import describe_machine, explain_not_judged
from handoff.claims.verdicts import JUDGED, Verdict
from handoff.registry import find_primary
from handoff.run.store.run import Run
from handoff.tables.rows import parse_numbers


def list_answers(run: Run) -> list[str]:
    """Return sentences on which claims of the primary study the run can answer, and why not.

    They come from judging the plan as if each of its forks had taken the same time.
    """
    study = find_primary().name
    if study not in {point.study for point in run.points}:
        return []
    file, why_not = load_claim_files()[study], explain_not_judged(run)
    observed = make_observations(run, study, add_places(run, imagine_forks(run, study)))
    verdicts = judge_claims(file, observed, describe_machine(run), why_not)
    return list(describe_answers(verdicts))


def imagine_forks(run: Run, study: str) -> pd.DataFrame:
    """Return one row per planned fork, all of the same time and CPU usage."""
    quantities = load_claim_files()[study].quantities()
    rows = [
        {
            **parse_numbers(point.params),
            "point": point.key,
            "oversubscribed": point.oversubscribed,
            **dict.fromkeys(quantities, 1.0),
        }
        for point in run.points
        if point.study == study
        for _ in range(point.forks)
    ]
    columns = [*load_catalog()[study].defaults(), "point", "oversubscribed", *quantities]
    return mask_irrelevant(pd.DataFrame(rows, columns=columns), study)


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
