"""Forecast of the claims that a run can answer, and the points of a second look."""

from collections.abc import Iterator
from typing import NamedTuple

from handoff.claims.files import load_claim_files
from handoff.claims.judging import judge_claims
from handoff.claims.judgings import describe_machine, explain_not_judged, judge_run
from handoff.claims.readers import observe_plan
from handoff.claims.sentences import describe_reason
from handoff.claims.verdicts import FORCED, INCONCLUSIVE, JUDGED, Verdict, list_points
from handoff.registry import find_primary
from handoff.run.store.run import Run
from handoff.tables import tidy


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
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for verdict in verdicts:
        why = describe_reason(verdict).rstrip(".")
        if verdict.verdict in FORCED:
            # The numbers of a plan are made up.
            why = f"{verdict.verdict}: {verdict.why}"
        key = ("Cannot", why[:1].lower() + why[1:])
        if verdict.verdict in JUDGED:
            key = ("Can", verdict.coverage.words.strip())
        groups.setdefault(key, {})[verdict.identity] = None
    named = {name for (can, _), names in groups.items() if can == "Can" for name in names}
    for (can, reason), names in groups.items():
        # Of several reasons why not, the first option's counts.
        shown = [name for name in names if can == "Can" or name not in named]
        named.update(shown)
        if shown:
            yield f"{can} answer: {', '.join(shown)}{f' ({reason})' if reason else ''}."


HOPEFUL = 2
"""A claim gets more forks if this many times the most forks would decide it.

Ratio and spread may turn out otherwise than they are now.
"""


class SecondLook(NamedTuple):
    """The plan of a second look.

    `more` has forks by a point's key, `claims` those that the forks are for, `given_up` those that
    more forks would not decide.
    """

    more: dict[str, int]
    claims: list[str]
    given_up: list[str]


def is_hopeful(verdict: Verdict, most: int) -> bool:
    """Return whether up to `most` forks per point may decide the verdict."""
    return verdict.effort.forks <= HOPEFUL * most


def plan_second_look(run: Run) -> SecondLook:
    """Return which points get more forks, because a claim needs them to be decided.

    Only points with the forks of a first look take part: points whose threads share cores are not
    judged.
    """
    fitting = run.sweep.forks.fitting
    most = run.sweep.forks.most or fitting
    wanted: set[str] = set()
    hopeful: dict[str, None] = {}
    given_up: dict[str, None] = {}
    measured = tidy.list_studies(run)
    for study in (study for study in load_claim_files() if study in measured):
        verdicts, observed = judge_run(run, study)
        for verdict in (v for v in verdicts if v.verdict == INCONCLUSIVE):
            if is_hopeful(verdict, most):
                hopeful[verdict.identity] = None
                wanted.update(list_points(verdict, observed))
            else:
                given_up[verdict.identity] = None
    more = {p.key: most for p in run.points if p.key in wanted and p.forks == fitting}
    return SecondLook(more, list(hopeful), list(given_up))
