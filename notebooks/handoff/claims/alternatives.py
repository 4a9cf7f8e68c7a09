"""Choices that a source leaves open: how far each one that was measured changes a verdict."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from handoff.claims.run_judging import judge_run
from handoff.claims.sentences import format_number
from handoff.claims.verdicts import Alternative, Verdict
from handoff.draw.words import join_words
from handoff.run.store.related import find_related
from handoff.run.store.run import Run
from handoff.tables import tidy

PROFILE = "sensitivity"
"""The sweep that varies one choice at a time."""


class Tried(NamedTuple):
    """A choice that a run measured, for one claim in one setting."""

    run: str
    claim: str
    setting: str
    alternative: Alternative


def list_tried(run: Run, study: str, verdicts: Iterable[Verdict]) -> list[Tried]:
    """Return the choices that the run measured, then those of the run that varies them."""
    tried = list(collect_tried(run, verdicts))
    other = find_related(run, [PROFILE])[PROFILE]
    if other and other.folder != run.folder and study in {point.study for point in other.points}:
        tidy.write_tables(other)
        tried += collect_tried(other, judge_run(other, study)[0])
    return tried


def collect_tried(run: Run, verdicts: Iterable[Verdict]) -> Iterator[Tried]:
    for verdict in verdicts:
        for alternative in verdict.alternatives:
            yield Tried(run.folder.name, verdict.identity, verdict.setting, alternative)


def describe_changes(verdict: Verdict, tried: Iterable[Tried]) -> str:
    """Return which choices, all tried for this verdict, surely change it, or ''.

    For example: 'contradicted with capacity 128 (0.48 [0.42 to 0.54])'.
    """
    words: dict[str, list[str]] = {}
    for choice in tried:
        alternative = choice.alternative
        if alternative.changes(verdict.verdict):
            number = format_number(alternative.verdict.decided_by)
            named = f"{alternative.choice} ({number})" if number else alternative.choice
            words.setdefault(alternative.verdict.verdict, []).append(named)
    return "; ".join(f"{word} with {join_words(names)}" for word, names in words.items())


def build_choice_row(choice: Tried, verdict: Verdict) -> dict:
    """Return one line of verdict_choices.csv; blank where the code decides."""
    alternative = choice.alternative
    row = {
        "claim": choice.claim,
        "setting": choice.setting,
        "run": choice.run,
        "choice": alternative.choice,
        "verdict": alternative.verdict.verdict,
        "changes": alternative.changes(verdict.verdict),
    }
    if decided := alternative.verdict.decided_by:
        row |= {
            "ours": decided.comparison.estimate.ratio,
            "low": decided.interval[0],
            "high": decided.interval[1],
            "confidence": decided.confidence,
        }
    if alternative.change:
        row["change"] = alternative.change.ratio
    if interval := alternative.interval:
        row |= {"change_low": interval[0], "change_high": interval[1]}
    return row
